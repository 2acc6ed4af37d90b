"""A program that the library runs and that fails is an error, with the program's own words."""

import ast
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from spatial_v2 import SpatialError
from spatial_v2.export import build_library
from spatial_v2.export.library import _in_other_width
from spatial_v2.export.shipped import build_kernels
from spatial_v2.migrate.octave import octave
from spatial_v2.show.movies import write_mp4

ROOT = Path(__file__).parents[2]
WORDS = "the third wheel is loose"
SILENT = "spatial_v2/calls/second_process.py: start_second_process"
"""It compiles kernels that the first process compiles itself if this one fails."""


def failing(folder: Path) -> str:
    """Write a program that says why it fails; return its path."""
    path = folder / "program"
    path.write_text(f"#!/bin/sh\necho 'it was said: {WORDS}' >&2\nexit 3\n")
    path.chmod(0o755)
    return str(path)


def sources(folder: Path) -> Path:
    """Make a folder of an exported library with one source."""
    (folder / "src").mkdir()
    (folder / "src" / "a.c").write_text("int a;\n")
    return folder


def compile_sources(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CC", failing(folder))
    patch.setenv("AR", "true")
    build_library(sources(folder))


def archive_objects(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CC", "true")
    patch.setenv("AR", failing(folder))
    build_library(sources(folder))


def export_in_other_width(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sys, "executable", failing(folder))
    with _in_other_width(folder, [], ["native"], 4):
        pass


def compile_ahead(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CC", "true")
    patch.setattr(sys, "executable", failing(folder))
    build_kernels(folder, ["native"], ["ID"])


def run_octave(folder: Path, patch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
    program = failing(folder)
    patch.setattr(shutil, "which", lambda name: program)
    (folder / "a.m").write_text("x = 1;\n")
    octave(folder / "a.m", [])


def encode(folder: Path, patch: pytest.MonkeyPatch) -> None:
    with (folder / "a.mp4").open("wb") as file:
        write_mp4(file, [np.zeros((16, 16, 3), np.uint8)], 30, failing(folder))


CASES: dict[str, list[Callable[[Path, pytest.MonkeyPatch], None]]] = {
    "spatial_v2/export/build.py: run": [compile_sources, archive_objects],
    "spatial_v2/export/library.py: _in_other_width": [export_in_other_width],
    "spatial_v2/export/shipped.py: build_kernels": [compile_ahead],
    "spatial_v2/migrate/octave.py: octave": [run_octave],
    "spatial_v2/show/movies.py: write_mp4": [encode],
}
"""Functions that run a program, and calls of them."""


def starting() -> Iterator[str]:
    """Yield the functions of the library that start a program."""
    for package in ("spatial_v2", "derivatives", "tensor_sva"):
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text("utf-8")
            if "subprocess" not in text:
                continue
            for function in ast.walk(ast.parse(text)):
                if isinstance(function, ast.FunctionDef):
                    calls = [x.func for x in ast.walk(function) if isinstance(x, ast.Call)]
                    if any(ast.unparse(x).startswith("subprocess.") for x in calls):
                        yield f"{path.relative_to(ROOT).as_posix()}: {function.name}"


def test_every_function_that_starts_a_program_is_tried() -> None:
    assert set(starting()) == {*CASES, SILENT}


@pytest.mark.parametrize("case", [x for some in CASES.values() for x in some])
def test_failures_of_programs_are_errors_with_their_words(
    case: Callable[[Path, pytest.MonkeyPatch], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(SpatialError, match=WORDS):
        case(tmp_path, monkeypatch)
