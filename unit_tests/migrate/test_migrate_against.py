"""Comparison of a translation with the variables that MATLAB saved, without Octave."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat
from typer.testing import CliRunner

from spatial_v2.cli import app

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
SCRIPT = "x = [1 2 3];\ny = x'*x;\nf = @(t) 2*t;\ns.a = x > 1;\nc = num2cell(x);\n"
RESULTS = {
    "x": np.array([[1, 2, 3]], np.uint8),
    "y": np.outer([1.0, 2, 3], [1, 2, 3]),
    "s": {"a": np.array([[False, True, True]])},
    "c": np.array([[1.0, 2.0, 3.0]], object),
    "other": "from before the script",
}


def compared(folder: Path, **changed: Any) -> tuple[int, str]:
    """Return exit code and output of a comparison with results of which some are changed."""
    (folder / "a.m").write_text(SCRIPT)
    savemat(folder / "r.mat", RESULTS | changed)
    call = ["migrate", str(folder / "a.m"), "--check", "--against", str(folder / "r.mat")]
    found = CliRunner().invoke(app, call)
    return found.exit_code, found.output


def test_results_of_a_file_agree(tmp_path: Path) -> None:
    code, said = compared(tmp_path)
    assert code == 0 and "4 variables agree" in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x", np.array([[1, 2, 4]])),
        ("y", np.eye(3)),
        ("s", {"a": np.array([[False, True, False]])}),
        ("c", np.array([[1.0, 2.0]], object)),
    ],
)
def test_a_variable_that_differs_is_named(name: str, value: Any, tmp_path: Path) -> None:
    code, said = compared(tmp_path, **{name: value})
    assert code == 1 and f"{name}, first assigned in line" in said and "in r.mat" in said


def test_a_file_without_variables_of_the_script_is_no_agreement(tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text("z = 1;\n")
    savemat(tmp_path / "r.mat", RESULTS)
    call = ["migrate", str(tmp_path / "a.m"), "--against", str(tmp_path / "r.mat")]
    found = CliRunner().invoke(app, call)
    assert found.exit_code == 1 and "none of the variables" in found.output
