"""The command that exports the functions it is given, or the most common ones."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, run
from typer.testing import CliRunner

pytest.importorskip("numba")

import spatial_v2.export
from spatial_v2 import ID, SpatialError
from spatial_v2.cli import app
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
    assert arguments[-2] == "-o" and arguments[-1].endswith("/spatial_v2_mex.mex")
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


def failing(_: Path) -> list[Path]:
    raise SpatialError("export: cc failed")


def interrupted(_: Path) -> list[Path]:
    raise KeyboardInterrupt


def contents(folder: Path) -> dict[str, bytes]:
    return {str(x.relative_to(folder)): x.read_bytes() for x in folder.rglob("*") if x.is_file()}


@pytest.mark.parametrize("end", [failing, interrupted])
def test_a_failed_or_interrupted_export_changes_nothing(
    end: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a new folder nor one of an earlier export has a file that belongs to no whole."""

    def write(root: Path, functions: Any, *_: Any) -> None:
        (root / "src").mkdir(exist_ok=True)
        (root / "src" / "functions.c").write_text(str([f.__name__ for f in functions]))

    folder = tmp_path / "library"
    monkeypatch.setattr(spatial_v2.export, "export_library", write)
    for before in ({}, {"src/functions.c": b"['HandC']", "planar.sv2": b"mine"}):
        for name, data in before.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        monkeypatch.setattr(spatial_v2.export, "build_library", end)
        monkeypatch.setattr(spatial_v2.export, "compiler", lambda: ["cc"])
        result = CliRunner().invoke(app, ["export", str(folder), "ID", "--model", "planar:2"])
        assert result.exit_code != 0
        assert contents(tmp_path) == {f"library/{name}": x for name, x in before.items()}
        assert folder.exists() == bool(before)


def test_an_export_replaces_all_of_an_earlier_one_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = ["objects/FDab_state.o", "src/old.c", "lib/libspatial_v2.so", "matlab/sv2_mex.h"]
    earlier += ["matlab/FDab.m", "matlab/spatial_v2_mex.mexa64"]
    others = ["objects/mine.txt", "lib/libmine.so", "robot.sv2", "matlab/mine.m"]
    for name in earlier + others:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(spatial_v2.export.library, "_object", lambda *_: b"new")
    monkeypatch.setattr("spatial_v2.engine.compile.object_code.object_code", lambda *_: b"new")
    spatial_v2.export.export_library(tmp_path, [ID], level="native")
    found = contents(tmp_path)
    assert {*others} < {*found} and not {*earlier} & {*found}
    assert found["objects/ID_state_native.o"] == b"new"
    assert found["LICENSE"] == (Path(__file__).parents[2] / "LICENSE").read_bytes()


def test_a_folder_for_matlab_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "matlab").mkdir()
    (tmp_path / "matlab" / "ID.m").write_text("mine")
    assert "got other files in" in refused("export", tmp_path, "ID", "--matlab")
    assert contents(tmp_path) == {"matlab/ID.m": b"mine"}


def test_a_compiler_that_is_not_there_is_named_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spatial_v2.export, "export_library", failing)
    monkeypatch.setenv("CC", "nosuchprogram")
    assert "CC: want a C compiler, such as gcc, got 'nosuchprogram'" in refused(
        "export", tmp_path / "library", "ID"
    )
    assert not list(tmp_path.iterdir())


def test_joints_of_a_robot_are_coupled_where_its_file_says_so(tmp_path: Path) -> None:
    axis, mass = (
        '<axis xyz="0 0 1"/>',
        '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>',
    )
    links = "".join(f'<link name="l{k}"><inertial>{mass}</inertial></link>' for k in range(3))
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/>{axis}'
        f"{more}</joint>"
        for k, more in enumerate(["", '<mimic joint="j0" multiplier="-2" offset="0.1"/>'])
    )
    (tmp_path / "gripper.urdf").write_text(f'<robot name="gripper">{links}{joints}</robot>')
    given = "export", tmp_path, "--model", tmp_path / "gripper.urdf", "--model-only"
    versions = []
    for option in (["--free"], [], ["--coupled"]):
        run(*given, *option)
        versions.append((tmp_path / "gripper.sv2").read_bytes()[8])
    assert versions == [3, 5, 5]
    text = refused("export", tmp_path / "library", "--model", tmp_path / "gripper.urdf", "--casadi")
    assert "joints that follow others cannot be exported for CasADi; --free" in text
