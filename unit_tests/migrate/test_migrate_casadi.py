"""MATLAB's CasADi, translated to that of Python."""

from pathlib import Path

import numpy as np
import pytest
from test_migrate_runtime import run

import spatial_v2 as sv
from spatial_v2.migrate import translate

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
casadi = pytest.importorskip("casadi", reason="CasADi is not installed")


def numbers(x: object) -> np.ndarray:
    return np.asarray(getattr(x, "a", x), dtype=float)


def test_functions_of_the_library_take_symbols(tmp_path: Path) -> None:
    text = """import casadi.*
    m = autoTree(3, 1, 0.2, 0.9);
    x = SX.sym('x', 6); u = casadi.MX.sym('u', 3);
    xdot = [x(4:6); FDab(m, x(1:3), x(4:6), [1; 2; 3])];
    f = Function('f', {x}, {xdot, jacobian(xdot, x)}, {'x'}, {'xdot', 'J'});
    [a, J] = f([0.1; 0.2; 0.3; 1; 2; 3]);
    a = full(a); J = full(J);
    g = Function('g', {u}, {ID(m, u, u, 2*u)});
    s = g('i0', [1; 2; 3]); t = full(s.o0);"""
    found = run(tmp_path, text)
    m, q, v = sv.autoTree(3, 1, 0.2, 0.9), np.r_[0.1, 0.2, 0.3], np.r_[1.0, 2, 3]
    assert np.allclose(numbers(found["a"]).ravel(), np.r_[v, sv.FDab(m, q, v, v)], atol=1e-12)
    dq = sv.FD_derivatives(m, q, v, v)
    assert np.allclose(numbers(found["J"])[3:, :3], dq[0], atol=1e-10)
    assert np.allclose(numbers(found["t"]).ravel(), sv.ID(m, v, v, 2 * v), atol=1e-12)


def test_opti_finds_the_minimum(tmp_path: Path) -> None:
    text = """opti = casadi.Opti();
    X = opti.variable(2, 4); p = opti.parameter();
    opti.minimize(sum(sum(X.^2)));
    for k = 1:3
      opti.subject_to(X(:,k+1) == p*X(:,k) + [1; 0.5]);
    end
    opti.subject_to(X(:,1) == [1; 2]);
    opti.subject_to(-100 <= X(1,:) <= 100);
    opti.set_value(p, 2); opti.set_initial(X, zeros(2, 4));
    opti.solver('ipopt', struct('print_time', false), struct('print_level', 0, 'sb', 'yes'));
    sol = opti.solve();
    Y = sol.value(X); row = sol.value(X(1,:));"""
    found = run(tmp_path, text)
    expected = [[1, 3, 7, 15], [2, 4.5, 9.5, 19.5]]
    assert np.allclose(numbers(found["Y"]), expected)
    assert numbers(found["row"]).shape == (1, 4)


def test_nlpsol_and_integrator_are_called_by_names(tmp_path: Path) -> None:
    text = """import casadi.*
    w = {}; g = {}; lbw = [];
    for k = 1:3
      w{end+1} = SX.sym(['w' num2str(k)], 2);
      lbw = [lbw; -1; -1];
      g = {g{:}, sum(w{k}) - 0.5};
    end
    W = vertcat(w{:});
    opts = struct; opts.ipopt.print_level = 0; opts.print_time = 0; opts.ipopt.sb = 'yes';
    s = nlpsol('s', 'ipopt', struct('f', sumsqr(W), 'x', W, 'g', vertcat(g{:})), opts);
    r = s('x0', zeros(6,1), 'lbg', 0, 'ubg', 0, 'lbx', lbw, 'ubx', 1);
    x = full(r.x); cost = full(r.f);
    y = MX.sym('y', 2);
    F = integrator('F', 'cvodes', struct('x', y, 'ode', [y(2); -y(1)]), 0, 1);
    e = F('x0', [1; 0]); e = full(e.xf);"""
    found = run(tmp_path, text)
    assert np.allclose(numbers(found["x"]).ravel(), 0.25)
    assert np.allclose(numbers(found["e"]).ravel(), [np.cos(1), -np.sin(1)], atol=1e-5)


def test_subscripts_and_operators_are_those_of_matlab(tmp_path: Path) -> None:
    text = """import casadi.*
    x = SX.sym('x', 2, 3); v = [1 2 3; 4 5 6];
    z = SX.zeros(2, 2); z(1, :) = [x(1), 2]; z(2, 2) = x(end);
    parts = {x(:), x(:, 2), x(2, 1:2), x([1 4]), x(end, end), x', x .* v, v' * x, x / 2, z, ...
             sum(x), sum(x, 2), reshape(x, 3, []), repmat(x(1), 1, 3), -x, x.^2, ...
             if_else(x(1) > 2, x(2), 0), norm(x(:, 1)), [x; 1 2 3], 2 \\ x, atan2(x(1), 2), ...
             max(x(1), 3), abs(x), dot(x(:,1), x(:,2)), cross(x(1,:), [0 0 1]), diag(x(:,1))};
    got = cell(1, numel(parts)); sizes = zeros(numel(parts), 2);
    for k = 1:numel(parts)
      f = Function('f', {x}, {parts{k}});
      got{k} = full(f(v)); sizes(k, :) = size(parts{k});
    end
    n = f.n_in + 1; its = isa(x, 'casadi.SX'); e = isempty(x); c = class(x); r = numel(x);"""
    found = run(tmp_path, text)
    v = np.array([[1.0, 2, 3], [4, 5, 6]])
    expected = [
        v.reshape(-1, 1, order="F"), v[:, [1]], v[[1], :2], [[1, 5]], [[6]], v.T, v * v, v.T @ v,
        v / 2, [[1, 2], [0, 6]], v.sum(0)[None], v.sum(1)[:, None], v.reshape(3, 2, order="F"),
        [[1, 1, 1]], -v, v**2, [[0]], [[np.sqrt(17)]], np.r_[v, [[1, 2, 3]]], v / 2,
        [[np.arctan2(1, 2)]], [[3]],
        v, [[22]], np.cross(v[[0]], [[0, 0, 1]]), np.diag(v[:, 0]),
    ]  # fmt: skip
    for k, (x, y) in enumerate(zip(found["got"].a.ravel(), expected, strict=True)):
        assert np.array_equal(numbers(x), np.asarray(y, float)), k
        assert numbers(found["sizes"])[k].tolist() == list(np.shape(y)), k
    assert float(found["n"]) == 2 and bool(found["its"]) and not bool(found["e"])
    assert str(found["c"]) == "casadi.SX" and float(found["r"]) == 6


def test_numbers_of_casadi_are_taken_by_functions_that_it_lacks(tmp_path: Path) -> None:
    text = """import casadi.*
    x = DM([3; 1; 2]); y = sort(x); z = interp1([0 1 2 3], [0 2 4 6], x); c = class(x);
    g = gradient([1 4 9], 1); s = num2str(x(1)); n = numel(x);
    h = Function('h', {SX.sym('a')}, {1}); v = SX.sym('v', 3); J = jacobian(gradient(v'*v, v), v);
    K = full(evalf(J));"""
    found = run(tmp_path, text)
    assert numbers(found["y"]).ravel().tolist() == [1, 2, 3]
    assert numbers(found["z"]).ravel().tolist() == [6, 2, 4]
    assert numbers(found["g"]).ravel().tolist() == [3, 4, 5]
    assert (str(found["c"]), str(found["s"]), float(found["n"])) == ("casadi.DM", "3", 3)
    assert np.allclose(numbers(found["K"]), 2 * np.eye(3))


def test_without_casadi_the_names_are_the_users(tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text("x = Opti(3);\n")
    assert "`Opti` is neither" in translate(tmp_path / "a.m")[0].todos[0].why
