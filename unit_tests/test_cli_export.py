"""The command that exports the functions it is given, or the most common ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import run

pytest.importorskip("numba")

import spatial_v2.export
from spatial_v2.export import DEFAULT


@pytest.mark.parametrize("names", [[], ["ID", "CRBA"]])
@pytest.mark.parametrize("matlab", [False, True])
def test_named_functions_are_exported_or_the_common_ones(
    names: list[str], matlab: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = dict[str, list[str]]()

    def recorder(which: str) -> Any:
        return lambda _, functions, *__: exported.update({which: [f.__name__ for f in functions]})

    for which in ("export_library", "export_matlab"):
        monkeypatch.setattr(spatial_v2.export, which, recorder(which))
    monkeypatch.setattr(spatial_v2.export, "build_library", lambda _: [])
    monkeypatch.setattr(spatial_v2.export, "build_matlab", lambda _: None)
    run("export", tmp_path, *names, *["--matlab"] * matlab)
    assert exported == {"export_matlab" if matlab else "export_library": names or list(DEFAULT)}
