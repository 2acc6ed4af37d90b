"""The C compiler that exported libraries are built with."""

from __future__ import annotations

import shutil

import pytest

from spatial_v2.export.library import compiler


def test_the_compiler_is_that_of_the_environment_or_the_first_on_the_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """``CC`` may have options; without it the first of the usual names is taken, or none."""
    monkeypatch.setenv("CC", "zig cc -O1")
    assert compiler() == ["zig", "cc", "-O1"]
    monkeypatch.delenv("CC")
    for there, wanted in ((["gcc", "clang"], ["gcc"]), (["clang"], ["clang"]), ([], None)):
        monkeypatch.setattr(shutil, "which", {x: f"/usr/bin/{x}" for x in there}.get)
        assert compiler() == wanted
