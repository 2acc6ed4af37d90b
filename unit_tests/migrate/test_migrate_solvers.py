"""Solvers, models in functions and cells of structs are translated by NumPy's functions alone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from octave_library import OCTAVE

from spatial_v2 import ID, autoTree
from spatial_v2.migrate import translate
from spatial_v2.migrate.check import python, side_by_side
from spatial_v2.migrate.models import MODELS, MOST_MODELS, as_model, complete_model

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
PROGRAMS = {
    "a handle and options": (
        "f = @(t, x) [x(2); -x(1)];\n"
        "[t, x] = ode45(f, [0 1], [1; 0], odeset('RelTol', 1e-6));\ny = x(end, 1);"
    ),
    "a function with parameters": (
        "p.k = 2;\n[t, x] = ode23(@(t, x) dyn(t, x, p), 0:0.5:2, [1; 0]);\n"
        "function d = dyn(t, x, p)\nd = [x(2); -p.k*x(1)];\nend"
    ),
    "a zero": "a = fzero(@(z) z^3 - 2, [0 3]); b = fzero(@cos, 1);",
    "a row as start": "x = round(1e4*fsolve(@(y) [y(1)^2 - 2, y(2) - 3], [1 1]))/1e4;",
    "interpolation": (
        "x = 0:4; y = [1 3 2 5 4];\na = interp1(x, y, [0.5; 2.5]); b = interp1(x, y, 1.5);\n"
        "p = spline(x, y); c = ppval(p, [0.3 1.7]); d = integral(@(z) z.^2, 0, 2);"
    ),
    "constraints as a row": (
        "x = round(1e5*quadprog([2 0; 0 2], [-2; -5], [1 1], 2))/1e5; x = x + 0;"
    ),
    "structs in a cell that grows": (
        "n = 0;\nfor k = 1:3\n  n = n + 1;\n  g{n}.a = [0 k 0]';\n  g{n}.b = k;\nend\n"
        "g{6}.a = [1; 2; 3]; m = numel(g);"
    ),
    "entries beyond the end": (
        "m.I = {1, 2}; n = numel(m.I);\nfor i = 1:2, m.I{i} = i; m.I{i+n} = 3*i; end\n"
        "p = [0 1 2]; p(end+1:end+3) = p;"
    ),
    "classes": (
        "c = num2cell([1 2 3]); k = class(c); l = isa(3, 'double'); s.a = 1; s.b = 2;\n"
        "s = rmfield(s, 'b'); n = nan(2, 3); x = transpose([1 2; 3 4]);\n"
        "if strcmp(class(x), 'casadi.SX'), y = x.nosuch; else, y = 1; end"
    ),
}


def translated(folder: Path, code: str) -> tuple[Any, str]:
    (folder / "script.m").write_text(code + "\n")
    (found,) = translate(folder / "script.m")
    (folder / "script.py").write_text(found.python)
    assert not found.todos
    assert found.by_runtime == 0
    return found, found.python


@pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed")
@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS)
def test_programs_without_the_runtime_agree_with_octave(tmp_path: Path, code: str) -> None:
    found, _ = translated(tmp_path, code)
    outcome = side_by_side(tmp_path / "script.m", tmp_path / "script.py", found, [])
    assert "variables agree" in outcome.message or "quadprog" in outcome.octave_error


def test_events_and_constraints_are_functions_with_several_results(tmp_path: Path) -> None:
    """GNU Octave finds events by a straight line between two steps, so values are known here."""
    translated(
        tmp_path,
        "[t, x, te] = ode45(@(t, x) -x, [0 2], 1, odeset('Events', @half, 'RelTol', 1e-8));\n"
        "z = fmincon(@(y) (y(1) - 3)^2, [1 1], [], [], [], [], [], [], @disk);\n"
        "function [v, s, d] = half(t, x)\nv = x - 0.5; s = 1; d = 0;\nend\n"
        "function [c, ceq] = disk(y)\nc = y(1)^2 + y(2)^2 - 4; ceq = [];\nend",
    )
    found, error = python(tmp_path / "script.py")
    assert not error
    np.testing.assert_allclose(found["te"], np.log(2), rtol=1e-6)
    np.testing.assert_allclose(found["z"], [2, 0], atol=1e-5)


BUILT = """m = builder(3);
q = [0.1; 0.2; 0.3];
tau = torque(m, q);
f = @(x) norm(ID(s_of(2), x, x, x));
y = f([1; 2]);
b = floatbase(m);
z = b.foot(1) + isfield(b, 'total') + isfield(b, 'none');
function m = builder(n)
  m = s_of(n);
  m.mass = 2;
  m = postProcessModel(m);
  m.total = n*2;
  m.foot = [1; 2; 3];
end
function s = s_of(n)
  s.NB = n;
  s.parent = 0:n-1;
  for i = 1:n
    s.jtype{i} = 'Rz';
    s.Xtree{i} = plux(eye(3), [i 0 0]);
    s.I{i} = mcI(1, [0.5 0 0], eye(3)*0.1);
  end
end
function tau = torque(m, q)
  tau = ID(m, q, q, q) * m.total + m.mass;
end"""


def test_structs_become_models_inside_functions_and_keep_own_fields(tmp_path: Path) -> None:
    translated(tmp_path, BUILT)
    found, error = python(tmp_path / "script.py")
    assert not error
    model = found["m"]
    assert model.user["total"] == 6
    assert model.user["mass"] == 2
    q = found["q"]
    np.testing.assert_allclose(found["tau"], 6 * ID(model, q, q, q) + 2)
    assert found["z"] == 2


def test_a_model_of_a_struct_is_built_again_where_a_value_changes() -> None:
    """Of equal values there is one model; an entry that changes in place makes another, and as many
    models are kept as stated.
    """
    from types import SimpleNamespace

    robot = autoTree(2)
    s = SimpleNamespace(
        NB=2, parent=np.array([0.0, 1]), jtype=["Rz", "Rz"],
        Xtree=[X.copy() for X in robot.Xtree], I=[x.copy() for x in robot.I], own=[1, 2],
    )  # fmt: skip
    first = as_model(s)
    s.own = 3
    assert as_model(s) is first
    s.I[1] *= 2
    second = as_model(s)
    assert second is not first
    np.testing.assert_allclose(second.I[1], 2 * first.I[1])
    assert complete_model(s).user == {"own": 3}
    for k in range(MOST_MODELS + 3):
        s.gravity = np.array([0.0, 0, -k])
        as_model(s)
    assert len(MODELS) == MOST_MODELS


def test_a_function_goes_by_the_name_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "ID_old.m").write_text("function y = ID(x)\ny = 2*x;\nend\n")
    (tmp_path / "script.m").write_text("y = ID_old(3);\n")
    found = translate(tmp_path / "script.m")
    for each in found:
        (tmp_path / f"{each.path.stem}.py").write_text(each.python)
    assert python(tmp_path / "script.py")[0]["y"] == 6


def test_functions_of_the_library_without_counterpart_are_read_from_folders(tmp_path: Path) -> None:
    (tmp_path / "skew2.m").write_text("function y = skew2(x)\ny = 2*x;\nend\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "script.m").write_text("y = skew2(3);\n")
    found = translate(tmp_path / "in" / "script.m", [tmp_path])
    assert {each.path.stem for each in found} == {"script", "skew2"}


def test_states_longer_than_a_model_are_cut_where_matlab_reads_no_further(tmp_path: Path) -> None:
    """In `FDfb`, the states leave out the joints of the base; vectors of known length are cut."""
    translated(
        tmp_path,
        "m = floatbase(autoTree(3));\nx = [1; zeros(12, 1)];\nq = 0.1*ones(8, 1);\n"
        "[xd, a] = FDfb(m, x, q, q, q);\n[~, b] = FDfb(m, x, q(1:2), q(1:2), q(1:2));\n"
        "[c, d] = HD(autoTree(2), ones(1, 5), [1; 2], [1; 2], [1; 2], [1; 2]);",
    )
    found, error = python(tmp_path / "script.py")
    assert not error
    np.testing.assert_array_equal(found["a"], found["b"])
    assert found["c"].shape == (2,)


@pytest.mark.parametrize("end", [0.7, -0.7, 0.3, 1.1, 2.3])
@pytest.mark.parametrize("rows", [3, 5, 8])
def test_the_last_of_the_given_times_has_a_row(end: float, rows: int) -> None:
    """Rounding of the sum of steps leaves out none of the times for which rows are asked."""
    from spatial_v2.migrate.solvers import ode45

    t, x = ode45(lambda t, y: np.array([y[1], -0.01 * y[0]]), np.linspace(0, end, rows), [1, 1.39])
    assert t.tolist() == np.linspace(0, end, rows).tolist()
    exact = np.cos(0.1 * t) + 13.9 * np.sin(0.1 * t)
    assert np.max(np.abs(x[:, 0] - exact)) < 1e-6
