"""The command that exports the functions it is given, or the most common ones."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, run

pytest.importorskip("numba")

import spatial_v2.export
from spatial_v2 import SpatialError
from spatial_v2.cli.warmup import accelerated_functions
from spatial_v2.export import DEFAULT, build_matlab
from spatial_v2.export import matlab as to_matlab
from spatial_v2.export.functions import DYNAMICS, exportable, exported


@pytest.mark.parametrize("names", [[], ["ID", "CRBA"]])
@pytest.mark.parametrize("matlab", [False, True])
def test_named_functions_are_exported_or_the_common_ones(
    names: list[str], matlab: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported, common = dict[str, list[str]](), DYNAMICS if matlab else DEFAULT

    def recorder(which: str) -> Any:
        return lambda _, functions, *__: exported.update({which: [f.__name__ for f in functions]})

    for which in ("export_library", "export_matlab"):
        monkeypatch.setattr(spatial_v2.export, which, recorder(which))
    monkeypatch.setattr(spatial_v2.export, "build_library", lambda _: [])
    monkeypatch.setattr(spatial_v2.export, "build_matlab", lambda _: None)
    run("export", tmp_path, *names, *["--matlab"] * matlab)
    assert exported == {"export_matlab" if matlab else "export_library": names or [*common]}


def test_the_compiler_of_octave_gets_every_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sources of both folders and all objects are named, and each function gets a compiled file."""
    given: list[list[str]] = []
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(to_matlab, "run", given.append)
    files = ["matlab/a.c", "matlab/b.c", "src/c.c", "objects/d.o"]
    for name in [*files, "matlab/ID.m", "matlab/build.m", "src/c.h", "include/e.h"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert build_matlab(tmp_path) == tmp_path / "matlab"
    ((command, *arguments),) = given
    assert command == "mkoctfile" and arguments[0] == "--mex"
    assert [x for x in arguments if x.endswith((".c", ".o"))] == [str(tmp_path / x) for x in files]
    assert {f"-I{tmp_path / x}" for x in ("include", "src")} < {*arguments}
    assert arguments[-2:] == ["-o", str(tmp_path / "matlab" / "spatial_v2_mex.mex")]
    assert [x.name for x in (tmp_path / "matlab").glob("*.mex")] == ["ID.mex"]


@pytest.mark.parametrize("forms", ["state", "batch", "state,batch"])
def test_only_the_functions_for_matlab_need_all_forms(forms: str, tmp_path: Path) -> None:
    found = run("export", tmp_path, "--forms", forms, "--model", "planar:2", "--model-only")
    assert found.startswith("model ")
    words = ("export", tmp_path, "--forms", forms, "--model", "planar:2", "--matlab")
    if forms != "state,batch":
        assert "needs the forms state,batch" in refused(*words)


@pytest.mark.parametrize(
    "words", [["FDcrb"], ["nosuch"], ["ID", "--level", "z80"], ["--model", "nosuch"]]
)
def test_a_refused_export_leaves_no_folder(words: list[str], tmp_path: Path) -> None:
    refused("export", tmp_path / "library", *words)
    assert not (tmp_path / "library").exists()


def test_the_list_has_what_can_be_exported_and_nothing_else() -> None:
    """Each name of ``--list`` is exported; each other function with a kernel is refused."""
    listed = run("export", "--list").split()
    functions = accelerated_functions()
    assert {*DEFAULT} <= {*listed}
    assert [f.name for f in exported([exportable()[name] for name in listed])] == listed
    for name in functions.keys() - {*listed}:
        if functions[name].__name__ == name:
            with pytest.raises(SpatialError, match="export: "):
                exported([functions[name]])
