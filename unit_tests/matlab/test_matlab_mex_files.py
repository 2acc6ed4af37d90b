"""Folders of compiled functions for MATLAB: their files, and files of others that are kept."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
import zoo
from octave_library import OCTAVE, Theirs
from test_matlab_mex import NAMES, ROOT, Case, agree_with_golden, computed, named, pairs
from typer.testing import CliRunner

from spatial_v2 import SpatialError
from spatial_v2.cli import app
from spatial_v2.cli.warmup import accelerated_functions
from spatial_v2.export import build_matlab, export_matlab
from spatial_v2.export.functions import exported
from spatial_v2.export.matlab import in_matlab

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed"),
    pytest.mark.skipif(shutil.which("mkoctfile") is None, reason="mkoctfile is not installed"),
]
OTHERS = (
    "CRBA", "CMMTimeDerivative", "Christoffel", "Hinverse", "Hqd_and_CTqd", "ID_SlotineLi",
    "H_derivatives", "modID_derivatives_simple", "modFD_derivatives", "modID_second_derivatives",
    "modFD_second_derivatives",
)  # fmt: skip


def agree(cases: Iterable[tuple[Case, Theirs]]) -> None:
    """Check that the results of Octave for the cases agree with those of Python, up to rounding."""
    for case, their in cases:
        for got, want in pairs(case, their):
            size = 1e-13 * np.abs(want).max(initial=1.0)
            np.testing.assert_allclose(got, want, rtol=0, atol=size, err_msg=f"{case}")


def test_functions_that_can_be_named_are_listed() -> None:
    """The list of functions that can be exported to MATLAB is complete here and in the
    documentation.
    """
    found = set()
    for name, function in accelerated_functions().items():
        try:
            (f,) = exported([function])
        except SpatialError:
            continue
        found |= {name} if in_matlab(f) else set()
    assert found == {*NAMES, *OTHERS}
    text = (ROOT / "docs" / "export_matlab.md").read_text("utf-8")
    listed = text.partition("These functions can be named:")[2].partition(".")[0]
    assert set(re.findall(r"\w+", listed)) - {"and"} == found


@pytest.mark.slow
def test_other_functions(tmp_path: Path) -> None:
    """Christoffel symbols and derivatives of H agree with Python up to rounding.

    They agree with the golden files too, which have no CRBA, and `modID_derivatives_simple` of
    several vectors at once only.
    """
    export_matlab(tmp_path, [named(name) for name in OTHERS], level="native")
    folder = build_matlab(tmp_path)
    assert folder is not None
    agree(computed(OTHERS, folder, tmp_path, zoo.NAMES))
    compared = agree_with_golden(OTHERS, folder, tmp_path)
    assert compared == {*OTHERS} - {"CRBA", "modID_derivatives_simple"}


@pytest.mark.parametrize("name", ["GlobalDynamics", "AZA"])
def test_functions_that_matlab_has_not_or_in_another_form_are_refused(
    name: str, tmp_path: Path
) -> None:
    with pytest.raises(SpatialError, match=f"matlab: {name} is not a function of the MATLAB"):
        export_matlab(tmp_path, [named(name)])
    assert not list(tmp_path.iterdir())


def test_other_files_in_the_folder_are_kept(tmp_path: Path) -> None:
    """A folder ``matlab`` with other files is an error, but other files beside an earlier export
    are kept.
    """
    mine = tmp_path / "matlab" / "mine.m"
    mine.parent.mkdir()
    mine.write_text("1")
    with pytest.raises(
        SpatialError, match=r"folder: want one whose subfolder matlab is missing, .*matlab"
    ):
        export_matlab(tmp_path, [named("ID")])
    assert [*tmp_path.iterdir()] == [mine.parent] and mine.read_text() == "1"
    mine.unlink()
    export_matlab(tmp_path, [named("ID"), named("HandC")], level="native")
    mine.write_text("1")
    export_matlab(tmp_path, [named("ID")], level="native")
    kept = {path.name for path in mine.parent.glob("*.m")}
    assert {"ID.m", "mine.m"} <= kept and "HandC.m" not in kept


def test_matlab_needs_both_forms(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["export", str(tmp_path), "ID", "--matlab", "--forms", "state"])
    assert done.exit_code == 2 and "needs the forms" in done.output
