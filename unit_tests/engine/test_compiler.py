"""The C compiler that exported libraries are built with."""

import shutil
from pathlib import Path

import pytest

from spatial_v2 import SpatialError
from spatial_v2.export import build_library, compiler


def test_the_compiler_is_that_of_the_environment_or_the_first_on_the_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """``CC`` may have options; without it the first of the usual names is taken, or none."""
    monkeypatch.setattr(shutil, "which", {"zig": "/usr/bin/zig"}.get)
    monkeypatch.setenv("CC", "zig cc -O1")
    assert compiler() == ["zig", "cc", "-O1"]
    monkeypatch.delenv("CC")
    for there, wanted in ((["gcc", "clang"], ["gcc"]), (["clang"], ["clang"]), ([], None)):
        monkeypatch.setattr(shutil, "which", {x: f"/usr/bin/{x}" for x in there}.get)
        assert compiler() == wanted


@pytest.mark.parametrize("variable", ["CC", "AR"])
@pytest.mark.parametrize("wrong", ["nosuchprogram", "nosuchprogram -m64", "'nosuchprogram"])
def test_a_program_that_is_not_there_is_named_with_its_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, wrong: str
) -> None:
    monkeypatch.setenv(variable, wrong)
    with pytest.raises(SpatialError, match=f"environment variable {variable}: want .*nosuchprog"):
        build_library(tmp_path)
    assert not list(tmp_path.iterdir())
