"""Nonlinear programs as CasADi expressions have the program's values and derivatives."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("casadi")

import casadi

from spatial_v2 import PointConstraint, neutral
from spatial_v2.control import (
    Bounds,
    ContactPhase,
    ControlCost,
    JointVelocities,
    ShootingProblem,
    StateCost,
    Transcription,
    solve,
    transcribe,
)
from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.casadi_programme import to_nlp
from spatial_v2.models import autoTree
from unit_tests.support.helpers import near

QUIET = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "tol": 1e-10}}


def program() -> tuple[ShootingProblem, Transcription]:
    """Return a problem with rotations, a contact and bounds on quantities."""
    model = autoTree(3).replace(jtype=["S", "Rx", "Ry"])
    foot = PointConstraint(2, [0.1, 0.2, 0.3], directions=[[0, 0, 1]])
    end = StateCost(model, neutral(model), 10.0, 1.0)
    qd = 0.3 * np.arange(model.NV)
    problem = ShootingProblem(
        model, neutral(model), qd, np.full(6, 0.05), [ControlCost(0.1)], [end],
        phases=[ContactPhase(3), ContactPhase(3, [foot], impact=True)],
        running_bounds=[Bounds(JointVelocities(model), -2.0, 2.0)],
    )  # fmt: skip
    return problem, transcribe(problem)


def matrices(p: Any, x: np.ndarray, w: float, y: np.ndarray) -> list[np.ndarray]:
    """Return gradient, Jacobian and Hessian of the Lagrangian of a program as dense arrays."""
    J, H = np.zeros((len(y), len(x))), np.zeros((len(x), len(x)))
    np.add.at(J, p.jacobianstructure(), p.jacobian(x))
    np.add.at(H, p.hessianstructure(), p.hessian(x, y, w))
    return [p.gradient(x), J, H + np.tril(H, -1).T]


def test_derivatives_are_those_of_the_program() -> None:
    """Objective and constraints are parts of another expression, which CasADi differentiates."""
    _, p = program()
    n, m, rng = p.size, len(p.limits[0]), np.random.default_rng(0)
    nlp = to_nlp(p, n, m)
    x, f, g = nlp["x"], nlp["f"], nlp["g"]
    w, y = casadi.MX.sym("w"), casadi.MX.sym("y", m)
    hessian, _ = casadi.hessian(w * f + casadi.dot(y, g) + casadi.sumsqr(x), x)
    every = casadi.Function(
        "every", [x, w, y], [f, g, casadi.gradient(f, x), casadi.jacobian(g, x), hessian]
    )
    at, factor, weights = 0.1 * rng.normal(size=n), 1.7, rng.normal(size=m)
    found = [np.asarray(z).squeeze() for z in every(at, factor, weights)]
    gradient, J, H = matrices(p, at, factor, weights)
    wanted = [p.objective(at), p.constraints(at), gradient, J, H + 2 * np.eye(n)]
    for a, b in zip(found, wanted, strict=True):
        near(a, b, 1e-13)
    assert every.sparsity_out(3).nnz() <= len(set(zip(*p.jacobianstructure(), strict=True)))
    assert every.sparsity_out(4).nnz() < n * n / 3, "the Hessian has a block for each instant"


def test_ipopt_finds_the_motion_of_solve() -> None:
    problem, p = program()
    solver = casadi.nlpsol("solver", "ipopt", to_nlp(p, p.size, len(p.limits[0])), QUIET)
    (low, high), (least, most) = p.bounds, p.limits
    optimum = solver(x0=np.zeros(p.size), lbx=low, ubx=high, lbg=least, ubg=most)
    assert solver.stats()["success"]
    found = solve(problem)
    assert found.status == "converged"
    near(p.trajectory(np.asarray(optimum["x"])[:, 0]).u, found.trajectory.u, 1e-6)


def test_entries_above_the_diagonal_are_refused() -> None:
    class Upper:
        def jacobianstructure(self) -> tuple[list[int], list[int]]:
            return [0], [0]

        def hessianstructure(self) -> tuple[list[int], list[int]]:
            return [0], [1]

    with pytest.raises(SpatialError, match="lower triangle"):
        to_nlp(Upper(), 2, 1)  # type: ignore[arg-type]
