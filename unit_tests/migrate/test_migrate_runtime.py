"""Translation by the runtime: what NumPy's functions do not decide is translated all the same."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from migrate_constructs import CONSTRUCTS, constructs
from migrate_programs import program
from octave_library import OCTAVE

from spatial_v2.matlab import runtime
from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate import translate
from spatial_v2.migrate.reached import reached

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
SCRIPTS = Path(__file__).parents[1] / "support" / "migrate_scripts"
ALONE = (
    "arrays", "cells", "functions", "growing", "loops", "printed", "shared", "users", "zero",
)  # fmt: skip
octave = [
    pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed"),
]


def run(folder: Path, text: str, level: str = "runtime", **files: str) -> dict[str, Any]:
    """Translate a script, run it, and return its variables."""
    from spatial_v2.migrate.check import python

    (folder / "script.m").write_text(text + "\n")
    for name, body in files.items():
        (folder / f"{name}.m").write_text(body + "\n")
    out = folder / "out"
    out.mkdir(exist_ok=True)
    for each in translate(folder / "script.m", level=level):
        (out / f"{each.path.stem}.py").write_text(each.python)
    found, error = python(out / "script.py")
    assert not error, f"{error}\n{(out / 'script.py').read_text()}"
    return found


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed")
def test_scripts_translated_by_the_runtime_agree_with_octave(name: str, tmp_path: Path) -> None:
    said = _compared(SCRIPTS / f"{name}.m", tmp_path)
    assert "variables agree" in said


def _compared(script: Path, out: Path) -> str:
    from spatial_v2.migrate.check import side_by_side

    found = translate(script, level="runtime")
    for each in found:
        (out / f"{each.path.stem}.py").write_text(each.python)
    outcome = side_by_side(script, out / f"{script.stem}.py", found[0], [])
    both = bool(outcome.octave_error) and bool(outcome.python_error)
    return outcome.message if not both else "both stop; variables agree"


@pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed")
@pytest.mark.parametrize("seed", range(500, 505))
def test_random_programs_by_the_runtime_agree_with_octave(seed: int, tmp_path: Path) -> None:
    script = tmp_path / "random_program.m"
    script.write_text(program(np.random.default_rng(seed)))
    said = _compared(script, tmp_path)
    assert "agree" in said or "Octave stops" in said, f"{said}\n{script.read_text()}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(600, 800))
def test_many_random_programs_by_the_runtime_agree_with_octave(seed: int, tmp_path: Path) -> None:
    test_random_programs_by_the_runtime_agree_with_octave(seed, tmp_path)


@pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed")
@pytest.mark.parametrize("part", range(20))
def test_constructs_of_users_agree_with_octave(part: int, tmp_path: Path) -> None:
    """Structs, cells, handles, solvers, text: each construct, with random numbers."""
    script = tmp_path / "constructs.m"
    script.write_text(constructs(np.random.default_rng(part), chosen=CONSTRUCTS[part::20]))
    said = _compared(script, tmp_path)
    assert "variables agree" in said, f"{said}\n{script.read_text()}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_many_constructs_in_any_order_agree_with_octave(seed: int, tmp_path: Path) -> None:
    script = tmp_path / "constructs.m"
    script.write_text(constructs(np.random.default_rng([5, seed]), 15))
    said = _compared(script, tmp_path)
    assert "variables agree" in said, f"{said}\n{script.read_text()}"


class TestChoice:
    """Files are translated by NumPy's functions where these decide every line."""

    def test_numpy_where_every_line_is_decided(self, tmp_path: Path) -> None:
        (tmp_path / "a.m").write_text("x = [1 2 3];\ny = x(2:end)*2;\n")
        assert "ml." not in translate(tmp_path / "a.m")[0].python

    def test_the_runtime_for_a_line_that_is_not(self, tmp_path: Path) -> None:
        """Its variables hold MATLAB's values; those that it reads are converted."""
        (tmp_path / "a.m").write_text(
            "x = [1 2 3];\nc = fliplr(num2cell(x));\nd = c{2};\ny = 2*x;\n"
        )
        found = translate(tmp_path / "a.m")[0]
        assert "c = ml.fliplr(ml.num2cell(ml.from_numpy(x, rows=True)))" in found.python
        assert "d = c[2]" in found.python and "y = 2 * x" in found.python
        assert not found.todos and found.by_runtime == 2

    def test_functions_are_chosen_one_by_one(self, tmp_path: Path) -> None:
        """The runtime has those that get its values, or are called by a line of its."""
        text = (
            "c = fliplr(num2cell([2 1]));\na = twice([1; 2]);\nb = half(c{2});\n"
            "function y = twice(x)\n y = 2*x;\nend\nfunction y = half(x)\n y = x/2;\nend\n"
        )
        (tmp_path / "script.m").write_text(text)
        found = translate(tmp_path / "script.m")[0].python
        assert "def twice" in found and "@ml.function\ndef half" in found
        assert found.count("@ml.function") == 1
        names = run(tmp_path, text, "either")
        assert names["a"].tolist() == [2, 4] and float(names["b"]) == 1

    def test_a_field_is_converted_alone(self, tmp_path: Path) -> None:
        """Other fields may be what is not converted, a function."""
        text = "s.r = [1 2 3];\ns.f = @(x) x;\nc = fliplr(num2cell(s.r));\nx = c{2};\n"
        (tmp_path / "a.m").write_text(text)
        assert "ml.num2cell(ml.from_numpy(s.r, rows=True))" in translate(tmp_path / "a.m")[0].python
        assert float(run(tmp_path, text, "either")["x"]) == 2

    def test_loaded_variables_hold_matlab_s_values_where_others_of_the_name_do(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        text = (
            "z = [1; 1; 2];\ny = [3 2 1];\nsave('b.mat', 'y', 'z');\n"
            "load b.mat\nw = y*z;\nz = fliplr(num2cell(z));\n"
        )
        w = run(tmp_path, text, "either")["w"]
        assert float(w) == 7 and np.shape(getattr(w, "a", w)) in ((), (1, 1))

    def test_a_variable_with_the_name_of_a_script_runs_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "other.m").write_text("z = 3;\n")
        (tmp_path / "a.m").write_text("other = [1 2 3];\nc = num2cell(other);\ny = 2*other;\n")
        assert "y = 2 * other" in translate(tmp_path / "a.m")[0].python

    @pytest.mark.parametrize(
        ("text", "x"),
        [
            ("r = [1 2 3]; c = num2cell(r); x = numel([r, c{1:3}]);", 6),
            ("r = [1 2 3]; c = num2cell(1); c{1} = r; r(2) = 7; x = c{1}(2);", 2),
            ("for i = 1:3, s(i).a = 2*i; end; x = s(3).a;", 6),
            ("for j = 1:3, y(j) = j > 2; end; y(6) = 7; x = y(6);", 1),
            ("global G; G = 2; c = num2cell(1); G = c{1}; x = 3*G;", 3),
            ("L = [1 2]; c = num2cell(1); X = plnr(0, [L 0]); x = X(3, 1);", 1),
            ("s.r = [1 2 3]; f = @() size(s.r, 2); c = {f}; x = c{1}();", 3),
            ("i = 2; c = num2cell([4 5 6]); for j = 1:3, x = c{j}; end", 6),
            ("m = autoTree(3); c = num2cell(1); c{1} = m; m.gravity = [0;0;0];"
             "x = c{1}.NB;", 3),
            ("L = [1 2]; X = plnr(0, [L 0]); x = X(3, 1);", 1),
            ("c = num2cell(1:3); x = 0; while x < c{3}, x = x + 1; end", 3),
            ("c = num2cell(1:3); if c{2} > 1, x = 5; else, x = 6; end", 5),
            ("c = num2cell(2:4); x = 0; for j = 1:c{1}, x = x + j; end", 3),
        ],
    )  # fmt: skip
    def test_values_cross_the_border(self, text: str, x: float, tmp_path: Path) -> None:
        assert float(run(tmp_path, text, "either")["x"]) == x

    def test_a_model_is_not_built_in_each_call(self, tmp_path: Path) -> None:
        """A struct in a loop, a function or a handle is kept by the runtime, with its model."""
        head = "m.NB = 1; m.parent = 0; m.jtype = {'Rz'}; m.Xtree = {eye(6)}; m.I = {eye(6)};\n"
        for use in ("for k = 1:3\n y = FDab(m, 1, 2, 3);\nend\n", "f = @(x) FDab(m, x, 0, 0);\n"):
            (tmp_path / "a.m").write_text(head + use)
            assert "Model.from_matlab" not in translate(tmp_path / "a.m")[0].python

    @pytest.mark.parametrize("made", ["m.parent = [0 1];", "m = autoTree(2);"])
    def test_the_root_of_a_tree_is_asked_for(self, made: str, tmp_path: Path) -> None:
        """Structs count bodies from 1, as MATLAB does; models from 0."""
        text = f"{made}\nx = 0;\nfor i = 1:2\n if m.parent(i) == 0\n  x = x + 2^i;\n end\nend\n"
        assert run(tmp_path, text, "either")["x"] == 2
        assert "ml." not in (tmp_path / "out" / "script.py").read_text()

    def test_a_variable_with_the_name_of_a_file_reads_no_file(self, tmp_path: Path) -> None:
        (tmp_path / "robot.m").write_text("z = num2cell(3);\n")
        (tmp_path / "gain.m").write_text("function y = gain(x)\ny = 2*x;\nend\n")
        text = "robot.n = 2;\nf = @() robot.n;\ng = @gain;\ngain = 3;\nx = gain*f() + g(2);\n"
        (tmp_path / "a.m").write_text(text)
        assert [f.path.stem for f in translate(tmp_path / "a.m")] == ["a", "gain"]
        (tmp_path / "a.m").write_text("robot = 1;\nclear\nrobot\n")
        assert [f.path.stem for f in reached([tmp_path / "a.m"], [])[0]] == ["a", "robot"]
        (tmp_path / "b.m").write_text("gain = gain(3);\n")
        assert [f.path.stem for f in translate(tmp_path / "b.m")] == ["b", "gain"]


class TestLeft:
    """Code without a counterpart is reported, and stops the program where it is reached."""

    def test_it_is_reported_once_and_raises_when_reached(self, tmp_path: Path) -> None:
        (tmp_path / "a.m").write_text("x = 1;\nif x > 1\n y = nosuch(x);\n z = nosuch(x);\nend\n")
        found = translate(tmp_path / "a.m", level="runtime")[0]
        assert [t.line for t in found.todos] == [3] and "# TODO(migrate)" in found.python
        run(tmp_path, (tmp_path / "a.m").read_text(), "runtime")

    def test_text_with_code_is_refused_by_name(self, tmp_path: Path) -> None:
        (tmp_path / "a.m").write_text("eval('x = 1;');\n")
        assert (
            "text with code is not run"
            in translate(tmp_path / "a.m", level="runtime")[0].todos[0].why
        )

    def test_an_error_that_is_caught_does_not_hide_it(self, tmp_path: Path) -> None:
        (tmp_path / "a.m").write_text("try\n y = nosuch(1);\ncatch\n y = 0;\nend\n")
        code = translate(tmp_path / "a.m", level="runtime")[0].python
        with pytest.raises(NotImplementedError, match="nosuch"):
            exec(compile(code, "a.py", "exec"), {})

    def test_a_file_that_cannot_be_read_is_left_where_it_is_used(self, tmp_path: Path) -> None:
        (tmp_path / "thing.m").write_text("function y = thing(\n")
        (tmp_path / "a.m").write_text("x = 1;\nif x > 2\n y = thing();\nend\n")
        found = translate(tmp_path / "a.m")[0]
        assert "want valid MATLAB code" in found.todos[0].why


def test_no_file_of_the_runtime_hides_a_function() -> None:
    """Once a file has been imported, its name in the package is the file."""
    files = {path.stem for path in Path(runtime.__file__).parent.glob("*.py")}
    assert not files & {*runtime.names(), *runtime.HELPERS, *ROWS}


def test_states_may_be_longer_than_the_model_as_in_matlab(tmp_path: Path) -> None:
    text = "c = num2cell(1);\nm = autoTree(3);\nq = (1:5)'/9;\nx = FDab(m, q, q, q);\n"
    found = run(tmp_path, text + "y = FDab(m, q(1:3), q(1:3), q(1:3));")
    assert found["x"].a.tolist() == found["y"].a.tolist() and found["x"].shape == (3, 1)


@pytest.mark.parametrize("count", [120, pytest.param(1200, marks=pytest.mark.slow)])
def test_expressions_of_many_terms_are_translated(tmp_path: Path, count: int) -> None:
    terms = " + ".join(f"x*{k}" for k in range(count))
    found = run(tmp_path, f"c = num2cell(1);\nx = 2;\ny = {terms};\nz = 7.*x;")
    assert (float(found["y"]), float(found["z"])) == (2 * sum(range(count)), 14)


def test_scripts_run_in_place_with_the_same_variables(tmp_path: Path) -> None:
    found = run(tmp_path, "n = 2;\nparams\ny = c{1}*n;", params="c = {3};\nn = n + 1;")
    assert found["y"].a.item() == 9


def test_a_function_sees_its_own_copy(tmp_path: Path) -> None:
    body = "function y = bump(y)\ny(1) = 100;\nend"
    found = run(tmp_path, "c = num2cell(1);\nx = [1 2];\ny = bump(x);", bump=body)
    assert found["x"].a.tolist() == [[1, 2]] and found["y"].a.tolist() == [[100, 2]]


def test_omitted_arguments_and_several_results(tmp_path: Path) -> None:
    body = "function [a, b] = f(x, y)\nif nargin < 2, y = 5; end\na = x + y; b = nargin;\nend"
    found = run(tmp_path, "c = num2cell(1);\n[p, n] = f(1);\nq = f(1, 2);", f=body)
    assert (found["p"].a.item(), found["n"].a.item(), found["q"].a.item()) == (6, 1, 3)


def test_a_function_goes_by_the_name_of_its_file(tmp_path: Path) -> None:
    body = "function y = other(x)\ny = 2*x;\nend"
    found = run(tmp_path, "c = num2cell(1);\ny = named(4);", named=body)
    assert found["y"].a.item() == 8


def test_functions_with_other_values_carry_a_comment(tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text(
        "c = num2cell(1);\nx = fminsearch(@(x) x^2, 1);\nR = rv([1;0;0]);\n"
    )
    code = translate(tmp_path / "a.m")[0].python
    assert "# fminsearch: " in code and "# rv: " in code


class TestOverwriting:
    """A translation that was edited by hand is kept."""

    @pytest.mark.parametrize("words", [[], ["--notebook"]])
    def test_an_edited_file_is_kept(self, tmp_path: Path, words: list[str]) -> None:
        from typer.testing import CliRunner

        from spatial_v2.cli import app

        script = tmp_path / "a.m"
        script.write_text("x = 1;\n")
        call = ["migrate", str(script), *words]
        assert CliRunner().invoke(app, call).exit_code == 0
        assert CliRunner().invoke(app, call).exit_code == 0
        script.write_text("x = 2;\n")
        if not words:
            assert CliRunner().invoke(app, call).exit_code == 0
        edited = tmp_path / ("a.ipynb" if words else "a.py")
        edited.write_text(edited.read_text() + "\n")
        script.write_text("x = 3;\n")
        before = edited.read_text()
        found = CliRunner().invoke(app, call)
        assert found.exit_code == 1 and "--overwrite" in found.output
        assert edited.read_text() == before
        assert CliRunner().invoke(app, [*call, "--overwrite"]).exit_code == 0
        assert edited.read_text() != before


@pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed")
@pytest.mark.skipif(
    "SPATIAL_V2_MATLAB" not in os.environ, reason="SPATIAL_V2_MATLAB names no MATLAB library"
)
def test_arguments_that_only_matlab_takes(tmp_path: Path) -> None:
    """A point of three coordinates in the plane, a number as inertia, flags for further joints."""
    from spatial_v2.migrate.check import side_by_side

    (tmp_path / "a.m").write_text(
        "X = plnr(0.3, [0.2 0.1 0]); I = mcI(2, [1;2;3], 0.5); J = mcI(2, [1 2], 0.5);\n"
        "m = autoTree(3, 1); z = [0;0;0]; [qdd, tau] = HD(m, ones(1,7), z, z, z+1, z);\n"
    )
    folders = [Path(p) for p in os.environ["SPATIAL_V2_MATLAB"].split(os.pathsep)]
    found = translate(tmp_path / "a.m", folders)
    (tmp_path / "a.py").write_text(found[0].python)
    outcome = side_by_side(tmp_path / "a.m", tmp_path / "a.py", found[0], folders)
    assert outcome.agrees, outcome.message


@pytest.mark.parametrize("level", ["either", "runtime"])
def test_a_jump_outside_a_loop_is_reported(level: str, tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text("x = 1;\nfor k = 1:2\n if k > 1, break; end\nend\nbreak;\n")
    found = translate(tmp_path / "a.m", level=level)[0]
    assert [t.line for t in found.todos] == [5] and "outside a loop" in found.todos[0].why
    compile(found.python, "a.py", "exec")


def test_a_field_of_a_model_that_gets_a_left_value(tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text("m = autoTree(2);\nm.parent(3) = nosuch(1);\n")
    assert translate(tmp_path / "a.m")[0].todos


CLEARED = {
    "x = [1 2 3];\nclear x\nx(2) = 5;\ny = numel(x);": 2,
    "x = [1 2 3];\nclear('x');\nx(2) = 5;\ny = numel(x);": 2,
    "x = 1; z = 2;\nclearvars -except z\ny = exist('x', 'var') + z;": 2,
    "x = 1;\nclear\ny = exist('x', 'var');": 0,
    "xa = 1; xb = 1; z = 5;\nclear x*\ny = exist('xa', 'var') + exist('z', 'var');": 1,
    "for k = 1:3\n x(k) = k;\n y = numel(x);\n clear x\nend": 3,
    "clear all; clc\nx(2) = 1;\ny = numel(x);": 2,
    "x = 3;\nclear x;\nx = 4;\ny = x;": 4,
}
"""Scripts with ``clear`` and the value of y at the end, by MATLAB's semantics."""


@pytest.mark.parametrize("level", ["either", "runtime"])
@pytest.mark.parametrize("script", CLEARED)
def test_a_removed_variable_is_begun_anew(script: str, level: str, tmp_path: Path) -> None:
    y = run(tmp_path, script, level)["y"]
    assert float(np.ravel(getattr(y, "a", y))[0]) == CLEARED[script]


def test_removed_names_that_are_not_known_are_left(tmp_path: Path) -> None:
    for text in ("n = 'x'; x = 1;\nclear(n);", "x = 1;\nclear -regexp ^x", "clear global x"):
        (tmp_path / "a.m").write_text(f"{text}\n")
        (todo,) = translate(tmp_path / "a.m", level="runtime")[0].todos
        assert "clear: want names" in todo.why


@pytest.mark.parametrize("level", ["numpy", "runtime"])
def test_the_point_after_a_number_belongs_to_the_operator(level: str, tmp_path: Path) -> None:
    """``1./x`` divides by each entry, ``2.^A`` is no power of a matrix."""
    script = "r = [1 2 4];\nA = [1 2; 3 4];\nx = 1./r;\ny = 2.^A;\nz = [2./r; 3.*r];\nw = 2.';"
    found = run(tmp_path, script, level)
    x, y, z = (np.asarray(getattr(found[n], "a", found[n])) for n in "xyz")
    assert x.ravel().tolist() == [1, 0.5, 0.25] and y.tolist() == [[2, 4], [8, 16]]
    assert z.tolist() == [[2, 1, 0.5], [3, 6, 12]]
