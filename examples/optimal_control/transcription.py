"""Direct transcription by inverse dynamics: exact Hessians and limited-memory BFGS.

The arm moves from rest to rest with the smallest sum of squared torques, which have limits. The
unknowns are q, qd, qdd and tau at every knot, the equations are tau = ID(q, qd, qdd) and the
trapezoidal rule. One call computes the first or second derivatives at all knots; IPOPT receives
only their nonzero values. Run it:

    python examples/optimal_control/transcription.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array, eye_array, kron

from spatial_v2 import Animation, Model, puma560, showmotion
from spatial_v2.interop.ipopt import ProgrammeSolution, solve_ipopt
from spatial_v2.interop.structured import StructuredID


class Transcription:
    """The nonlinear program of unknowns x, shape (knots, 4, NV): q, qd, qdd, tau / limit at each
    knot.
    """

    def __init__(self, model: Model, limit: np.ndarray, knots: int, seconds: float) -> None:
        self.rows, self.knots, self.n = StructuredID(model), knots, model.NV
        self.h = seconds / (knots - 1)
        self.shape = knots, 4, self.n
        one, h = np.eye(self.n), self.h
        step = np.array([[-1, -h / 2, 0, 0, 1, -h / 2, 0, 0], [0, -1, -h / 2, 0, 0, 1, -h / 2, 0]])
        links = csr_array(np.kron(step, one))
        near = eye_array(knots, format="csr")
        ends = [kron(near[:-1], links[:, : 4 * self.n]), kron(near[1:], links[:, 4 * self.n :])]
        self.links = coo_array(ends[0] + ends[1])
        self.size = 4 * self.n * knots
        self.limit = limit
        self.weight = np.zeros(self.shape)
        self.weight[:, 2], self.weight[:, 3] = h * SMOOTH, h
        row, column = self.rows.jacobian_structure
        at, to = np.arange(knots)[:, None] * 4 * self.n, np.arange(knots)[:, None] * self.n
        torque = np.arange(self.n)
        rows = [(to + row).ravel(), (to + torque).ravel()]
        columns = [(at + column).ravel(), (at + 3 * self.n + torque).ravel()]
        first = knots * self.n
        self.J = (
            np.concatenate([*rows, self.links.row + first]),
            np.concatenate([*columns, self.links.col]),
        )
        row, column = self.rows.hessian_structure
        self.H = tuple(
            np.concatenate([(at + x).ravel(), np.arange(self.size)]) for x in (row, column)
        )

    def state(self, x: np.ndarray) -> np.ndarray:
        """q, qd and qdd at the knots (3, knots, NV)."""
        return x.reshape(self.shape).swapaxes(0, 1)[:3]

    def torques(self, x: np.ndarray) -> np.ndarray:
        """Torques tau at the knots (knots, NV)."""
        return x.reshape(self.shape)[:, 3] * self.limit

    def objective(self, x: np.ndarray) -> float:
        return float(x @ self.gradient(x)) / 2

    def gradient(self, x: np.ndarray) -> np.ndarray:
        return self.weight.ravel() * x

    def constraints(self, x: np.ndarray) -> np.ndarray:
        missing = self.torques(x) - self.rows.values(*self.state(x))
        return np.concatenate([missing.ravel(), self.links @ x])

    def jacobianstructure(self) -> Any:
        return self.J

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        values = -self.rows.jacobian(*self.state(x))
        return np.concatenate([values.ravel(), np.tile(self.limit, self.knots), self.links.data])

    def hessianstructure(self) -> Any:
        return self.H

    def hessian(self, x: np.ndarray, multipliers: np.ndarray, factor: float) -> np.ndarray:
        weights = -multipliers[: self.knots * self.n].reshape(self.knots, self.n)
        values = self.rows.hessian(*self.state(x), weights)
        return np.concatenate([values.ravel(), factor * self.weight.ravel()])


def solve(
    start: np.ndarray, goal: np.ndarray, limit: np.ndarray, *, knots: int, exact: bool
) -> tuple[Transcription, ProgrammeSolution]:
    """The motion from `start` to `goal` in one second, with torques at most `limit`."""
    model = puma560()
    program = Transcription(model, limit, knots, 1.0)
    low, high = np.full((2, *program.shape), np.inf)
    low, high = -low, high
    low[:, 3], high[:, 3] = -1, 1
    for k, q in ((0, start), (-1, goal)):
        low[k, 0] = high[k, 0] = q
        low[k, 1] = high[k, 1] = 0
    guess = np.zeros(program.shape)
    guess[:, 0] = start + np.linspace(0, 1, knots)[:, None] * (goal - start)
    zero = np.zeros(len(program.constraints(guess.ravel())))
    found = solve_ipopt(
        program,
        guess.ravel(),
        (low.ravel(), high.ravel()),
        (zero, zero),
        exact=exact,
        tol=1e-8,
        max_iter=1000,
    )
    return program, found


START = np.array([0, -1.6, 0.3, 0, 0, 0])
GOAL = np.array([2.5, 0.9, -0.8, 1.0, -0.6, 0.5])
SMOOTH = 1e-4
"""Weight of the squared accelerations [s^4/rad^2] relative to that of (tau / limit)^2."""
LIMIT = np.array([60.0, 100, 60, 10, 10, 10])


def main(quick: bool = False) -> dict[str, float]:
    """Iterations, time [s] and effort of both methods."""
    report = {}
    for name, exact in (("exact Hessian", True), ("limited-memory BFGS", False)):
        program, s = solve(START, GOAL, LIMIT, knots=15 if quick else 100, exact=exact)
        print(
            f"{name:20s} {s.iterations:5d} iterations {s.seconds:7.2f} s  effort {s.objective:.6f}"
            f"  {s.status}"
        )
        report |= {
            f"{name}: iterations": s.iterations,
            f"{name}: seconds": s.seconds,
            f"{name}: effort": s.objective,
            f"{name}: missing torque": float(np.abs(program.constraints(s.x)).max()),
        }
    return report


def animation(knots: int = 60) -> Animation:
    """Animate the motion."""
    program, s = solve(START, GOAL, LIMIT, knots=knots, exact=True)
    return showmotion(puma560(), np.linspace(0, 1, knots), program.state(s.x)[0])


if __name__ == "__main__":
    main()
    animation().save("transcription.gif")
