"""Costs and quantities defined by functions of CasADi and JAX: their derivatives, and solutions
with them.
"""

import pickle
import sys
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from test_quantities import FIRST, SECOND, Moved, check_quantity

from spatial_v2 import ArrayShapeError, Model, SpatialError, autoTree
from spatial_v2.control import (
    Bounds,
    ControlCost,
    FunctionCost,
    FunctionQuantity,
    Instants,
    JointVelocities,
    ShootingProblem,
    StateCost,
    solve,
)

MODELS = ("chain", "floating", "spherical", "SE3", "mixed", "rotors", "planar_chain")
LIBRARIES = [
    pytest.param("casadi"),
    pytest.param("jax", marks=pytest.mark.optional),
]
M = 2


def function(library: str, model: Model, rows: int, m: int = M) -> Any:
    """Return a function of CasADi or JAX with `rows` results.

    They are sines of linear functions of q, qd and u, times ``1 + q[0] qd[0]``.
    """
    pytest.importorskip(library)
    sizes = model.NQ, model.NV, m
    A = np.random.default_rng(6).normal(size=(rows, sum(sizes)))
    if library == "casadi":
        import casadi

        x = [casadi.MX.sym(name, k) for name, k in zip("qvu", sizes, strict=True)]
        y = casadi.sin(casadi.mtimes(casadi.DM(A), casadi.vertcat(*x))) * (1 + x[0][0] * x[1][0])
        return casadi.Function("f", x, [y])
    import jax

    def f(q: Any, qd: Any, u: Any) -> Any:
        return jax.numpy.sin(A @ jax.numpy.concatenate([q, qd, u])) * (1 + q[0] * qd[0])

    return f


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_quantities_by_differences(name: str, library: str) -> None:
    """Derivatives of a quantity agree with differences, also for quaternions and rotation matrices.

    The function itself changes with the norm of a quaternion, which must not affect the
    derivatives.
    """
    model = zoo.build(name)
    check_quantity(model, FunctionQuantity(model, function(library, model, 3)), M)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_costs_by_differences(name: str, library: str) -> None:
    """Derivatives of a cost agree with differences; the approximate Hessian is the nearest positive
    semidefinite matrix.
    """
    model = zoo.build(name)
    case, cost = Moved(model, M), FunctionCost(model, function(library, model, 1))
    values, n = np.array([cost.value(x) for x in case.near()]), case.d.size
    g, Q, g1, Q1 = np.zeros((2, n)), np.zeros((2, n, n)), np.ones((2, n)), np.ones((2, n, n))
    cost.add_derivatives(case.at, g, Q, True)
    cost.add_derivatives(case.at, g1, Q1, False)
    near(g @ case.d, FIRST @ values, 1e-7)
    near(case.d @ Q @ case.d, SECOND @ values, 1e-5)
    near(g1 - 1, g, 1e-13)
    least, expected = np.linalg.eigvalsh(Q1 - 1), np.linalg.eigvalsh(Q)
    assert expected.min() < -0.01
    near(least, np.maximum(expected, 0), 1e-12)


@pytest.mark.parametrize("library", LIBRARIES)
def test_solutions_are_those_of_built_in_costs(library: str) -> None:
    """A problem whose costs and bounds are functions has the solution and the iterations of that
    with built-in costs.
    """
    pytest.importorskip(library)
    model = zoo.build("chain")
    n, goal = model.NV, 0.3 + np.zeros(model.NQ)

    def running(q: Any, qd: Any, u: Any) -> Any:
        return (q - goal).T @ (q - goal) / 2 + 0.1 * (qd.T @ qd) / 2 + 0.01 * (u.T @ u) / 2

    def terminal(q: Any, qd: Any, u: Any = None) -> Any:
        return 50 * (q - goal).T @ (q - goal) / 2 + 5 * (qd.T @ qd) / 2

    def speeds(q: Any, qd: Any, u: Any) -> Any:
        return qd

    functions: list[Any] = [running, terminal, speeds]
    if library == "casadi":
        import casadi

        q, qd, u = (casadi.SX.sym(name, n) for name in ("q", "qd", "u"))
        functions = [
            casadi.Function("running", [q, qd, u], [running(q, qd, u)]),
            casadi.Function("terminal", [q, qd], [terminal(q, qd)]),
            casadi.Function("speeds", [q, qd], [qd]),
        ]
    f, last, quantity = functions
    ours = [StateCost(model, goal, 1.0, 0.1), ControlCost(0.01)]
    found = []
    for costs, end, fast in (
        (ours, [StateCost(model, goal, 50.0, 5.0)], JointVelocities(model)),
        ([FunctionCost(model, f)], [FunctionCost(model, last)], FunctionQuantity(model, quantity)),
    ):
        problem = ShootingProblem(
            model, np.zeros(n), np.zeros(n), np.full(8, 0.05), costs, end,
            running_bounds=[Bounds(fast, -1.0, 1.0)],
        )  # fmt: skip
        found.append(solve(problem))
    expected, other = found
    assert expected.status == other.status == "converged"
    assert expected.iterations == other.iterations
    near(other.trajectory.q, expected.trajectory.q, 1e-10)
    near(other.cost, expected.cost, 1e-11)
    near(np.abs(other.trajectory.qd[:-1]).max(), 1.0, 1e-7)


@pytest.mark.parametrize("library", LIBRARIES)
def test_leading_axes_are_those_of_the_states(library: str) -> None:
    model = zoo.build("floating")
    quantity, case = FunctionQuantity(model, function(library, model, 2)), Moved(model, M)
    one = [type(case.at)(*(x[k] for x in case.at)) for k in range(2)]
    many = type(case.at)(*(np.stack([x, x, x]) for x in case.at))
    near(quantity.value(many)[1, 1], quantity.value(one[1]), 1e-14)
    near(quantity.jacobian(many)[2, 0], quantity.jacobian(one[0]), 1e-14)


@pytest.mark.optional
def test_precision_does_not_depend_on_the_configuration_of_jax() -> None:
    jax = pytest.importorskip("jax")
    model, at = zoo.build("chain"), Moved(zoo.build("chain"), M).at
    with jax.enable_x64(False):
        cost = FunctionCost(model, lambda q, qd, u: jax.numpy.exp(q[0]) / 3)
        near(cost.value(at), np.exp(at.q[:, 0]) / 3, 1e-15)


def test_functions_that_do_not_fit_are_refused() -> None:
    casadi = pytest.importorskip("casadi")
    model, at = zoo.build("chain"), Moved(zoo.build("chain"), M).at
    short, v, u = (casadi.SX.sym("x", k) for k in (model.NQ - 1, model.NV, M))
    two = casadi.Function("f", [casadi.SX.sym("q", model.NQ), v], [v[:2]])
    wrong = casadi.Function("f", [short, v, u], [v[0]])
    with pytest.raises(ArrayShapeError, match=rf"function: want inputs q \({model.NQ},\)"):
        FunctionCost(model, wrong).value(at)
    with pytest.raises(SpatialError, match="inputs q, qd and u, or q and qd"):
        FunctionCost(model, casadi.Function("f", [v], [v[0]]))
    with pytest.raises(SpatialError, match=r"from an expression with casadi\.Function"):
        FunctionCost(model, v[0])
    with pytest.raises(SpatialError, match="function: want a casadi.Function, or a Python"):
        FunctionCost(model, 3.0)
    with pytest.raises(ArrayShapeError, match="function: want one value, got 2"):
        FunctionCost(model, two).value(at)


def test_an_absent_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    model, at = zoo.build("chain"), Moved(zoo.build("chain"), M).at
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match="jax"):
        FunctionCost(model, lambda q, qd, u: q[0]).value(at)


def test_functions_are_pickled_after_use() -> None:
    casadi = pytest.importorskip("casadi")
    q, qd, u = (casadi.SX.sym(name, 2) for name in ("q", "qd", "u"))
    model = autoTree(2)
    cost = FunctionCost(model, casadi.Function("f", [q, qd, u], [casadi.sumsqr(u) + q[0]]))
    at = Instants(np.ones((3, 2)), np.zeros((3, 2)), np.ones((3, 2)))
    expected = cost.value(at)
    near(pickle.loads(pickle.dumps(cost)).value(at), expected, 0.0)
