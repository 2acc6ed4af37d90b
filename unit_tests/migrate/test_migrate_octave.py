"""A translation without reported lines ends with the variables that the script has in
GNU Octave.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from migrate_programs import program
from octave_library import OCTAVE

from spatial_v2.migrate import translate

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
NAMED = os.environ.get("SPATIAL_V2_MATLAB")
SCRIPTS = Path(__file__).parents[1] / "support" / "migrate_scripts"
ALONE = ("arrays", "cells", "functions", "growing", "loops", "printed", "shared", "zero")
WITH_LIBRARY = ("dynamics", "by_hand", "random_motion")
pytestmark = [
    pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed"),
]


def agrees(script: Path, out: Path, folders: list[Path]) -> tuple[bool, str]:
    """Return if translation and script agree, with the message of the comparison.

    They also agree if both stop, or if the translation stops at a reported line.
    """
    from spatial_v2.migrate.check import side_by_side

    found = translate(script)
    for each in found:
        (out / f"{each.path.stem}.py").write_text(each.python)
    outcome = side_by_side(script, out / f"{script.stem}.py", found[0], folders)
    left = [t for each in found for t in each.todos]
    fine = outcome.agrees or bool(outcome.octave_error)
    return fine or bool(left and outcome.python_error), outcome.message


@pytest.mark.parametrize("name", ALONE)
def test_translated_scripts_agree_with_octave(name: str, tmp_path: Path) -> None:
    _, said = agrees(SCRIPTS / f"{name}.m", tmp_path, [])
    assert "variables agree" in said


@pytest.mark.parametrize(
    "text",
    [
        "np = 3; x = np + 1;", "np = 3; x = np + [1 2];", "plt = 2; y = plt;", "c = {}; s.a = c;",
        "s = struct();", "s = struct(); s.t = struct(); c = {s, struct()};",
    ],
)  # fmt: skip
def test_names_and_empty_values_agree_with_octave(text: str, tmp_path: Path) -> None:
    """Variables agree whose names are those of Python's modules, and values that are empty cells or
    structs.
    """
    (tmp_path / "short.m").write_text(f"{text}\n")
    _, said = agrees(tmp_path / "short.m", tmp_path, [])
    assert "variables agree" in said


def test_handles_of_drawings_are_not_compared(tmp_path: Path) -> None:
    """Variables with handles of lines and figures are left out, and others are compared."""
    pytest.importorskip("matplotlib")
    (tmp_path / "short.m").write_text("x = 1:3; f = figure; h = plot(x); y = 2*x;\n")
    fine, said = agrees(tmp_path / "short.m", tmp_path, [])
    assert fine and said.startswith("2 variables agree")


@pytest.mark.skipif(NAMED is None, reason="SPATIAL_V2_MATLAB names no MATLAB library")
@pytest.mark.parametrize("name", WITH_LIBRARY)
def test_translated_scripts_of_the_library_agree_with_octave(name: str, tmp_path: Path) -> None:
    folders = [Path(p) for p in str(NAMED).split(os.pathsep)]
    _, said = agrees(SCRIPTS / f"{name}.m", tmp_path, folders)
    assert "variables agree" in said


@pytest.mark.parametrize("seed", range(5))
def test_translated_random_programs_agree_with_octave(seed: int, tmp_path: Path) -> None:
    script = tmp_path / "random_program.m"
    script.write_text(program(np.random.default_rng(seed)))
    fine, said = agrees(script, tmp_path, [])
    assert fine, f"{said}\n{script.read_text()}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 500))
def test_many_translated_random_programs_agree_with_octave(seed: int, tmp_path: Path) -> None:
    test_translated_random_programs_agree_with_octave(seed, tmp_path)
