"""Whole folders, and the report of what was translated how."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from spatial_v2.cli import app
from spatial_v2.migrate import translate

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
FILES = {
    "plain": "q = [1; 2];\ny = gains(q);",
    "gains": "function y = gains(q)\ny = 2*q;\nend",
    "grown": "c = mat2cell([1 2], 1, [1 1]);\nz = scale(c{2});",
    "second": "c = num2cell(3);\nz = scale(c{1}, 5);",
    "scale": "function y = scale(q, k)\nif nargin < 2, k = 2; end\ny = k*q;\nend",
    "left": "x = 1;\nif x > 1, nosuch(3); end\nv = rv([1 2 3]);",
    "jcalc": "function y = jcalc(q)\ny = q;\nend",
    "Thing": "classdef Thing\n  properties\n    x = 3\n  end\nend",
    "bad": "x = (1;",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / f"{name}.m").write_text(f"{text}\n")
    return tmp_path


def test_all_files_of_a_folder_are_translated_and_run(folder: Path) -> None:
    from spatial_v2.migrate.check import python

    out, page = folder / "python", folder / "pages" / "report.md"
    given = ["migrate", str(folder), "--out", str(out), "--report", str(page)]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 1, done.output  # a line is left
    assert {p.stem for p in out.iterdir()} == {*FILES} - {"jcalc", "bad"}
    for name, variable, value in (
        ("plain", "y", [2, 4]),
        ("grown", "z", [4]),
        ("second", "z", [15]),
    ):
        found, error = python(out / f"{name}.py")
        assert not error
        assert np.ravel(getattr(found[variable], "a", found[variable])).tolist() == value
    said = page.read_text()
    rows = [x.split(" | ") for x in said.split("\n") if x.startswith("| [")]
    assert {row[0].split("]")[0].removeprefix("| ["): row[1].split(",")[0] for row in rows} == {
        "gains.m": "NumPy", "plain.m": "NumPy", "grown.m": "runtime", "second.m": "runtime",
        "scale.m": "runtime", "left.m": "runtime", "Thing.m": "NumPy",
    }  # fmt: skip
    titles = ("What stays", "Where to look", "Why the runtime", "Not translated")
    stays, look, why, no = (said.split(f"## {t}")[1].split("## ")[0] for t in titles)
    assert "[left.m](<../left.m>), line 2: `nosuch`" in stays
    assert "line 3: rv:" in look
    assert "[grown.m](<../grown.m>), line 1" in why
    assert "bad.m" in no and "jcalc is a function of the library" in no


def test_a_report_of_one_script_has_what_the_check_says(folder: Path) -> None:
    from scipy.io import savemat

    results, page = folder / "results.mat", folder / "report.md"
    savemat(results, {"y": [[2.0], [4.0]], "q": [[1.0], [2.0]]})
    given = ["migrate", str(folder / "plain.m"), "--out", str(folder / "py")]
    done = CliRunner().invoke(app, [*given, "--against", str(results), "--report", str(page)])
    assert done.exit_code == 0, done.output
    assert "2 variables agree" in page.read_text()


def test_results_of_one_script_are_not_those_of_a_folder(folder: Path) -> None:
    done = CliRunner().invoke(app, ["migrate", str(folder), "--against", "results.mat"])
    assert done.exit_code == 2 and "want one script" in done.output


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("tau(:,k) = ID(model, Q(:,k), Q(:,k), z);", True),
        ("tau(:,k) = FDab(model, Q(:,k), z, Q(k,:)');", True),
        ("if k > 1, tau(:,k) = ID(model, Q(:,k), tau(:,k-1), z); end", False),
        ("z = z + 1; tau(:,k) = ID(model, Q(:,k), z, z);", False),
        ("tau(:,k) = ID(model, z, z, z);", False),
        ("T{k} = rx(k);", False),
    ],
)
def test_loops_over_states_are_told_of_batches(call: str, said: bool, tmp_path: Path) -> None:
    """A comment and a remark name the function whose calls one batch can replace; none does where
    a call needs the results of those before it.
    """
    (tmp_path / "a.m").write_text(
        "model = autoTree(3, 1, 0.2);\nQ = [0.1 0.2 0.3; 0.2 0.1 0; 0.3 1 2];\nz = zeros(3, 1);\n"
        f"tau = zeros(3, 3);\nfor k = 1:3\n {call}\nend\n"
    )
    (found,) = translate(tmp_path / "a.m")
    assert ("takes all states at once" in found.python) == said, found.python
    assert any("all states at once" in x.why and x.line == 5 for x in found.remarks) == said
