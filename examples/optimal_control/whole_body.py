"""A whole-body controller: a humanoid sways on two feet, its torques from a QP at every step.

The unknowns are accelerations and the wrenches of the soles. Equations: the base has no actuators,
and the soles do not move. Inequalities: torque limits, friction, and centres of pressure within the
soles. Objectives: a trajectory of the centre of mass, an upright trunk, a posture. OSQP is set up
once and reused: each step updates its numbers but not its sparsity pattern. Needs
example-robot-data, osqp:

    python examples/optimal_control/whole_body.py
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from spatial_v2 import (
    CMM,
    KKT_FD,
    Animation,
    CMMTimeDerivative,
    ConstraintSet,
    EnerMo,
    HandC,
    Model,
    configurationAddition,
    configurationDifference,
    constraint_bias,
    constraint_jacobian,
    constraint_velocity,
    forward_kinematics,
    load_model,
    neutral,
    showmotion,
    surface_contact,
)

BENT = {"3": -0.4, "4": 0.8, "5": -0.4}
FRICTION, SOLE = 0.5, (0.09, 0.05)
"""Coefficient of friction, and half the length and width of the area of a sole that carries load
[m].
"""
H = 0.004
WEIGHTS = {"com": 100.0, "angular": 1.0, "posture": 1.0, "force": 1e-6}


def cone() -> np.ndarray:
    """Return the rows F of the conditions ``F w <= 0`` on the wrench w = [n; f] of a sole."""
    mu, (x, y) = FRICTION / np.sqrt(2), SOLE
    rows = np.zeros((8, 6))
    rows[:, 5] = [-mu] * 4 + [-y] * 2 + [-x] * 2
    rows[[0, 1], 3] = rows[[2, 3], 4] = rows[[4, 5], 0] = rows[[6, 7], 1] = [1, -1]
    return np.vstack([rows, [0, 0, 0, 0, 0, -1]])


class Controller:
    """Controller that computes the motor torques of a robot on two soles from a QP."""

    def __init__(self, model: Model, q: np.ndarray) -> None:
        import osqp

        self.model, self.start = model, q
        self.limit = np.array([model.limits[x].effort for x in model.joint_names[1:]])
        soles = [surface_contact(f"{side}_sole_link") for side in ("left", "right")]
        self.held = ConstraintSet(model, soles)
        n, m = model.NV, self.held.m
        self.com = EnerMo(model, q, np.zeros(n)).cm
        cones = np.kron(np.eye(m // 6), cone())
        filled = np.zeros((n + m + len(cones), n + m), dtype=bool)
        filled[:n], filled[n : n + m, :n], filled[n + m :, n:] = True, True, cones != 0
        self.A, self.cones = filled, cones
        self.P = np.triu(np.ones((n, n), dtype=bool))
        P = np.eye(n + m, dtype=bool)
        P[:n, :n] = self.P
        bound = np.zeros(len(filled))
        self.solver: Any = osqp.OSQP()
        self.solver.setup(
            csc_matrix(P.astype(float)), np.zeros(n + m), csc_matrix(filled.astype(float)),
            bound - 1, bound, verbose=False, eps_abs=1e-6, eps_rel=1e-6, check_dualgap=False,
        )  # fmt: skip
        self.n, self.m, self.iterations = n, m, 0

    def tasks(self, q: np.ndarray, qd: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Matrix P and vector c of the objective ``x.P x / 2 + c.x`` for the accelerations x."""
        model, n = self.model, self.n
        e, A = EnerMo(model, q, qd), CMM(model, q)
        drift = CMMTimeDerivative(model, q, qd) @ qd
        goal, v, a = course(t)
        force = e.mass * (a + 100 * (self.com + goal - e.cm) + 20 * (v - e.vcm)) - drift[3:]
        turn = -10 * (A[:3] @ qd) - drift[:3]
        away = configurationDifference(model, self.start, q)
        rest = -40 * away - 12 * qd
        rest[3:6] = 0
        soft = np.where(np.arange(n) < 3, 50.0, 1.0) * WEIGHTS["posture"]
        soft[3:6] = 1e-4
        J, b = A / e.mass, np.concatenate([turn, force]) / e.mass
        w = np.repeat([WEIGHTS["angular"], WEIGHTS["com"]], 3)
        P = J.T @ (w[:, None] * J) + np.diag(soft)
        return P, -J.T @ (w * b) - soft * rest

    def __call__(self, q: np.ndarray, qd: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Torques of the motors, and the wrenches of the soles that the controller predicts."""
        model, n, held = self.model, self.n, self.held
        M, C = HandC(model, q, qd)
        G, gamma = constraint_jacobian(model, q, held), constraint_bias(model, q, qd, held)
        w = constraint_velocity(model, q, qd, held)
        P, c = self.tasks(q, qd, t)
        A = np.zeros(self.A.shape)
        A[:n, :n], A[:n, n:], A[n : n + self.m, :n] = M, -G.T, G
        A[n + self.m :, n:] = self.cones
        limit = np.concatenate([np.zeros(6), self.limit])
        stay = -gamma - 20 * w
        least = np.concatenate([-limit - C, stay, np.full(len(self.cones), -1e6)])
        most = np.concatenate([limit - C, stay, np.zeros(len(self.cones))])
        Px = np.concatenate([P.T[self.P.T], np.full(self.m, WEIGHTS["force"])])
        self.solver.update(
            Px=Px, Ax=A.T[self.A.T], q=np.concatenate([c, np.zeros(self.m)]),
            l=least, u=most,
        )  # fmt: skip
        found = self.solver.solve(raise_error=True)
        self.iterations = found.info.iter
        qdd, wrench = found.x[:n], found.x[n:]
        return (M @ qdd + C - G.T @ wrench)[6:], wrench


def course(t: float) -> np.ndarray:
    """Desired displacement, velocity and acceleration of the centre of mass (3, 3): a
    figure eight.
    """
    y, x = (
        size * np.array([1 - np.cos(w * t), w * np.sin(w * t), w * w * np.cos(w * t)])
        for size, w in ((0.03, np.pi), (0.015, 2 * np.pi))
    )
    return np.stack([x, y, 0 * y], axis=-1)


def sway(seconds: float) -> tuple[Model, np.ndarray, dict[str, float]]:
    """The model, the configurations over time, and by name the largest violations and the times."""
    model = load_model("talos", floating_base=True, couplings="free")
    q, qd = neutral(model), np.zeros(model.NV)
    for i, name in enumerate(model.joint_names):
        if name.startswith("leg") and name.split("_")[2] in BENT:
            q[model.qinds[i]] = BENT[name.split("_")[2]]
    control = Controller(model, q)
    motion, off, torque, spent, count, used = [q], [], [], [], [], []
    motors = np.eye(model.NV)[:, 6:]
    rim = cone()
    for k in range(round(seconds / H)):
        begin = time.perf_counter()
        tau, _ = control(q, qd, k * H)
        spent.append(time.perf_counter() - begin)
        qdd, wrench = KKT_FD(model, q, qd, motors @ tau, control.held)
        qd = qd + H * qdd
        q = configurationAddition(model, q, H * qd)
        motion.append(q)
        goal = control.com + course((k + 1) * H)[0]
        off.append(np.abs(EnerMo(model, q, qd).cm - goal).max())
        torque.append(np.max(np.abs(tau) / control.limit))
        count.append(control.iterations)
        used.append((wrench.reshape(-1, 6) @ rim.T).max())
    report = {
        "centre of mass off its course [m]": max(off),
        "soles moved [m, rad]": float(np.abs(moved(model, control, q)).max()),
        "largest torque over its limit": max(torque),
        "wrenches beyond their limits [N, N m]": float(max(used)),
        "milliseconds a step, median": 1e3 * float(np.median(spent)),
        "iterations of OSQP, mean": float(np.mean(count)),
    }
    return model, np.array(motion), report


def moved(model: Model, control: Controller, q: np.ndarray) -> np.ndarray:
    """Change of the transforms of both soles since the start, (2, 6, 6)."""
    soles = [model.frames[f"{side}_sole_link"].body for side in ("left", "right")]
    now, then = (np.stack(forward_kinematics(model, x).X0) for x in (q, control.start))
    return now[soles] - then[soles]


def main(quick: bool = False) -> dict[str, float]:
    """Tracking errors, use of the limits, and times, by name."""
    _, _, report = sway(0.2 if quick else 2.0)
    for name, value in report.items():
        print(f"{name:40s} {value:10.2e}")
    return report


def animation() -> Animation:
    """Animate one figure eight."""
    model, q, _ = sway(2.0)
    return showmotion(model, np.linspace(0, 2, len(q))[::5], q[::5], overlays=("com",))


if __name__ == "__main__":
    main()
    animation().save("whole_body.gif")
