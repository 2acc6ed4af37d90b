"""Bend down and lift a weight: optimal control with a foot held by a constraint.

The model is a human in the sagittal plane with eight degrees of freedom: a foot that is free in the
plane and that a contact keeps flat on the ground, shank, thigh, trunk, upper arm and forearm. It
bends in the first half of the motion. In the second half it lifts a weight, which is then attached
to its hand. All states and torques are unknowns of a nonlinear program, solved by SQP: with first
derivatives that are exact or one-sided differences, and with Gauss-Newton or exact Hessians. After
Kudruss, Manns, Kirches (2019), Sec. 4.3. Since the state between the halves is given, both are
problems of their own for `spatial_v2.control`, which finds the same motion. Run it:

    python examples/optimal_control/lift.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import bmat, csc_array, csr_array, diags_array
from scipy.sparse.linalg import spsolve

from spatial_v2 import (
    KKT_FD,
    Animation,
    ConstraintSet,
    KKT_FO_derivatives,
    Model,
    control,
    mcI,
    modKKT_second_derivatives,
    plnr,
    showmotion,
    surface_contact,
)
from spatial_v2.control import (
    Bounds,
    ContactPhase,
    ControlCost,
    JointPositions,
    JointVelocities,
    ShootingProblem,
    StateCost,
    Trajectory,
)

MASS, LENGTH = np.array([2, 7, 16, 40, 4, 3.0]), np.array([0.2, 0.43, 0.43, 0.5, 0.3, 0.3])
"""Masses [kg] and lengths [m] of foot, shank, thigh, trunk, upper arm and forearm."""
N, MOTORS, BAUMGARTE, U = 8, 5, (100.0, 20.0), 100.0
"""Numbers of velocity variables and motors, Baumgarte gains of the foot's constraint, and unit of
the torques [N m].
"""
BENT = np.array([-0.5, 1.7, -2.0, 1.2, 0.3])
UP = np.array([-0.05, 0.1, -0.05, 0.1, 1.2])


def human(weight: float) -> Model:
    """Model of a human with a weight in the hand; the first two bodies have no mass."""
    turn = np.pi / 2 * np.array([0, 1, 0, 0, 2, 0])
    at = np.array([0, 0, *LENGTH[1:-1]])
    rods = [mcI(m, [x / 2, 0], m * x**2 / 12) for m, x in zip(MASS, LENGTH, strict=True)]
    rods[-1] = rods[-1] + mcI(weight, [LENGTH[-1], 0], 0)
    return Model(
        parent=[-1, 0, 1, 2, 3, 4, 5, 6],
        jtype=["px", "py", *["r"] * 6],
        Xtree=[np.eye(3)] * 2 + [plnr(a, [x, 0]) for a, x in zip(turn, at, strict=True)],
        I=[np.zeros((3, 3))] * 2 + rods,
        gravity=[0, -9.81],
    )


class Lift:
    """The nonlinear program; states x (K + 1, 16) and torques u (K, 5) are unknowns in one vector
    w.
    """

    def __init__(self, weight: float, knots: int = 40, seconds: float = 1.6) -> None:
        self.K, self.h, half = knots, seconds / knots, knots // 2
        self.phases = [(human(0.0), slice(0, half)), (human(weight), slice(half, knots))]
        self.held = [
            ConstraintSet(m, [surface_contact(2, ground=np.eye(3))]) for m, _ in self.phases
        ]
        weights = np.concatenate(
            [np.tile([0.0] * N + [0.02] * N, knots + 1), np.ones(MOTORS * knots)]
        )
        self.H = diags_array(self.h * weights, format="csc")
        self.ends = {0: UP, half: BENT, knots: UP}

    def split(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Split a vector of unknowns into states (K + 1, 16) and torques (K, 5)."""
        x = w[: (self.K + 1) * 2 * N].reshape(-1, 2 * N)
        return x, w[x.size :].reshape(self.K, MOTORS)

    def guess(self) -> np.ndarray:
        """Unknowns of the first guess: postures interpolated between the given ones, zero
        velocities and torques.
        """
        times, postures = list(self.ends), np.array(list(self.ends.values()))
        x = np.zeros((self.K + 1, 2 * N))
        for i in range(MOTORS):
            x[:, 3 + i] = np.interp(np.arange(self.K + 1), times, postures[:, i])
        return np.concatenate([x.ravel(), np.zeros(self.K * MOTORS)])

    def each(self, function: Any, w: np.ndarray, *vectors: np.ndarray) -> list[np.ndarray]:
        """Results of a function of constrained dynamics at the first K knots, computed phase by
        phase.
        """
        x, u = self.split(w)
        tau = np.concatenate([np.zeros((self.K, 3)), U * u], axis=-1)
        found = [
            function(m, x[k, :N], x[k, N:], tau[k], *(v[k] for v in vectors), held,
                     baumgarte=BAUMGARTE)
            for (m, k), held in zip(self.phases, self.held, strict=True)
        ]  # fmt: skip
        return [np.concatenate(parts) for parts in zip(*found, strict=True)]

    def residual(self, w: np.ndarray) -> np.ndarray:
        """Residual of the equations: steps of the semi-implicit Euler rule, then the
        given states.
        """
        x, _ = self.split(w)
        qdd = self.each(KKT_FD, w)[0]
        v = x[:-1, N:] + self.h * qdd
        steps = np.concatenate([x[:-1, :N] + self.h * v - x[1:, :N], v - x[1:, N:]], axis=-1)
        given = [x[0] - np.concatenate([np.zeros(3), UP, np.zeros(N)])]
        for k, posture in list(self.ends.items())[1:]:
            given += [x[k, 3:N] - posture, x[k, N + 3 :]]
        return np.concatenate([steps.ravel(), *given])

    def slopes(self, w: np.ndarray, exact: bool) -> list[np.ndarray]:
        """Derivatives of the accelerations with respect to q, qd and u; exact, or one-sided
        differences.
        """
        if exact:
            by_q, by_qd, by_tau = self.each(KKT_FO_derivatives, w)[:3]
            return [by_q, by_qd, U * by_tau[..., 3:]]
        x, u = self.split(w)
        base, size, columns = self.each(KKT_FD, w)[0], 1.5e-8, []
        for i in range(2 * N + MOTORS):
            at = np.concatenate([x[:-1], u], axis=-1)
            step = size * np.maximum(1, np.abs(at[:, i]))
            at[:, i] += step
            moved = np.concatenate([at[:, : 2 * N].ravel(), x[-1], at[:, 2 * N :].ravel()])
            columns.append((self.each(KKT_FD, moved)[0] - base) / step[:, None])
        D = np.stack(columns, axis=-1)
        return [D[..., :N], D[..., N : 2 * N], D[..., 2 * N :]]

    def jacobian(self, w: np.ndarray, exact: bool) -> csr_array:
        """Jacobian of the residual with respect to w."""
        h, one = self.h, np.eye(N)
        by_q, by_qd, by_u = self.slopes(w, exact)
        A = np.block([[one + h * h * by_q, h * one + h * h * by_qd], [h * by_q, one + h * by_qd]])
        B = np.concatenate([h * h * by_u, h * by_u], axis=-2)
        k, i = np.arange(self.K)[:, None, None], np.arange(2 * N)
        rows, n = 2 * N * k + i[:, None], 2 * N * (self.K + 1)
        entries = [
            (A, rows, 2 * N * k + i),
            (B, rows, n + MOTORS * k + np.arange(MOTORS)),
            (-np.eye(2 * N), rows, 2 * N * (k + 1) + i),
        ]
        joints = np.arange(3, N)
        given = [np.arange(2 * N)]
        for knot in list(self.ends)[1:]:
            given += [2 * N * knot + joints, 2 * N * knot + N + joints]
        columns = np.concatenate(given)
        row = 2 * N * self.K + np.arange(len(columns))
        entries.append((np.ones(len(columns)), row, columns))
        parts = [[np.ravel(y) for y in np.broadcast_arrays(*x)] for x in entries]
        value, row, column = (np.concatenate(x) for x in zip(*parts, strict=True))
        return csr_array((value, (row, column)), shape=(row.max() + 1, len(w)))

    def hessian(self, w: np.ndarray, p: np.ndarray) -> csc_array:
        """Hessian of the Lagrangian with respect to w, with multipliers p of the residual."""
        steps = p[: 2 * N * self.K].reshape(self.K, 2 * N)
        mu = self.h * (self.h * steps[:, :N] + steps[:, N:])
        weights = mu, np.zeros((self.K, 3))
        qq, vv, vq, uq = self.each(modKKT_second_derivatives, w, *weights)[3:7]
        T, uq = np.swapaxes, U * uq[:, 3:]
        uv, uu = np.zeros((self.K, MOTORS, N)), np.zeros((self.K, MOTORS, MOTORS))
        rows = (qq, T(vq, 1, 2), T(uq, 1, 2)), (vq, vv, T(uv, 1, 2)), (uq, uv, uu)
        blocks = np.concatenate([np.concatenate(row, axis=-1) for row in rows], axis=-2)
        k, n = np.arange(self.K)[:, None], 2 * N * (self.K + 1)
        at = np.concatenate(
            [2 * N * k + np.arange(2 * N), n + MOTORS * k + np.arange(MOTORS)], axis=-1
        )
        row, column = np.broadcast_arrays(at[:, :, None], at[:, None, :])
        extra = csc_array((blocks.ravel(), (row.ravel(), column.ravel())), shape=self.H.shape)
        return self.H + extra


def solve(
    problem: Lift,
    w: np.ndarray,
    *,
    exact: bool = True,
    newton: bool = False,
    steps: int = 30,
    tolerance: float = 1e-8,
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Solve by SQP with a line search; return the solution, its multipliers and all iterates.

    Exact Hessians are used once a step is short: far away they need not be positive definite.
    """
    p, history, near = np.zeros(len(problem.residual(w))), [w], False

    def merit(w: np.ndarray, penalty: float) -> float:
        return float(w @ problem.H @ w / 2 + penalty * np.abs(problem.residual(w)).sum())

    for _ in range(steps):
        c, J = problem.residual(w), problem.jacobian(w, exact)
        H = problem.hessian(w, p) if newton and near else problem.H
        small = diags_array(np.full(len(w), 1e-9))
        K = bmat([[H + small, J.T], [J, None]], format="csc")
        found = spsolve(K, -np.concatenate([problem.H @ w, c]))
        d, p = found[: len(w)], found[len(w) :]
        penalty, length = 2 * float(np.abs(p).max()), 1.0
        now = merit(w, penalty)
        while merit(w + length * d, penalty) > now + 1e-12 * abs(now) and length > 1e-3:
            length /= 2
        w = w + length * d
        history.append(w)
        near = np.abs(d).max() < 0.5
        if np.abs(d).max() < tolerance:
            break
    return w, p, history


def halves(weight: float, knots: int = 40, seconds: float = 1.6) -> list[ShootingProblem]:
    """Return the problems of bending down and of lifting, whose motions follow each other."""
    half, free, found = knots // 2, np.full(3, np.inf), []
    for model, start, end in ((human(0.0), UP, BENT), (human(weight), BENT, UP)):
        at, rest = np.append(np.zeros(3), start), np.zeros(N)
        ends = [
            Bounds(JointPositions(model), np.append(-free, end), np.append(free, end)),
            Bounds(JointVelocities(model), np.append(-free, rest[3:]), np.append(free, rest[3:])),
        ]
        foot = ContactPhase(half, [surface_contact(2, ground=np.eye(3))])
        costs = [StateCost(model, at, 0.0, 0.02), ControlCost(1.0)]
        found.append(ShootingProblem(
            model, at, rest, np.full(half, seconds / knots), costs, phases=[foot],
            actuation=U * np.eye(N)[:, 3:], baumgarte=BAUMGARTE, terminal_bounds=ends,
        ))  # fmt: skip
    return found


def solve_halves(problems: list[ShootingProblem], method: Any = "newton") -> list[Any]:
    """Return the solutions, with the posture interpolated between start and end as a guess."""
    found = []
    for problem in problems:
        end = problem.terminal_bounds[0].lower[3:]
        share = np.linspace(0, 1, problem.steps + 1)[:, None]
        joints = (1 - share) * problem.q[3:] + share * end
        q = np.concatenate([0 * joints[:, :3], joints], axis=-1)
        guess = Trajectory(q, problem.qd, np.zeros(MOTORS))
        found.append(control.solve(problem, guess, method))
    return found


def hip(problem: Lift, w: np.ndarray) -> float:
    """Return the largest torque of the hip [N m]."""
    return float(U * np.abs(problem.split(w)[1][:, 2]).max())


METHODS = {
    "differences": {"exact": False},
    "exact first": {"exact": True},
    "exact first and second": {"exact": True, "newton": True},
}
WEIGHTS = (0.0, 5.0, 15.0)


def main(quick: bool = False) -> dict[str, float]:
    """Iterations of each method for each weight, and the largest torque of the hip [N m]."""
    report = {}
    for weight in WEIGHTS[-1:] if quick else WEIGHTS:
        problem = Lift(weight, 20 if quick else 40)
        for name, options in METHODS.items():
            w, _, history = solve(problem, problem.guess(), **options)
            far = [float(np.linalg.norm(x - w)) for x in history]
            print(f"{weight:4.0f} kg  {name:24s}{len(history) - 1:4d} steps   "
                  f"hip {hip(problem, w):6.1f} N m   "
                  + " ".join(f"{x:.0e}" for x in far[-6:-1]))  # fmt: skip
            report[f"{weight:.0f} kg, {name}: steps"] = len(history) - 1
            report[f"{weight:.0f} kg, {name}: hip"] = hip(problem, w)
            report[f"{weight:.0f} kg, {name}: residual"] = float(np.abs(problem.residual(w)).max())
    found = solve_halves(halves(weight, problem.K))
    counts = " and ".join(str(x.iterations) for x in found)
    print(f"{weight:4.0f} kg  control.solve, two halves: {counts} iterations")
    return report


def animation(weight: float = 15.0) -> Animation:
    """Animate the motion."""
    problem = Lift(weight)
    w, _, _ = solve(problem, problem.guess(), newton=True)
    x, _ = problem.split(w)
    return showmotion(human(weight), np.linspace(0, 1.6, len(x)), x[:, :N])


if __name__ == "__main__":
    main()
    animation().save("lift.gif")
