"""Swing a four-bar linkage: a loop closed by a hinge, integrated in four ways.

The tree has a crank, a coupler and a rocker; the hinge between coupler and rocker is a constraint.
It is a constraint on accelerations, so integration errors let the loop drift open. The script
compares no correction, feedback in the constraint rows (Baumgarte), and projection after every
step. The other road has no drift: the crank is the one variable, and the loop gives all other
angles. Only gravity acts, so energy is conserved. Run it:

    python examples/four_bar.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import (
    KKT_FD,
    ConstraintSet,
    EnerMo,
    Model,
    ball_loop,
    couple,
    mcI,
    plnr,
    position_error,
    project_configuration,
    project_velocity,
    simulate,
)

CRANK, COUPLER, ROCKER, GROUND = 0.3, 0.8, 0.6, 0.7
MODEL = Model(
    parent=[-1, 0, -1],
    jtype=["r", "r", "r"],
    Xtree=[plnr(0.0, [x, 0.0]) for x in (0.0, CRANK, GROUND)],
    I=[mcI(x, [x / 2, 0.0], x**3 / 12) for x in (CRANK, COUPLER, ROCKER)],
    gravity=[0.0, -9.81],
)
LOOP = ConstraintSet(MODEL, [ball_loop(2, [ROCKER, 0.0], 1, [COUPLER, 0.0])])
LINKAGE = couple(MODEL, constraints=LOOP, independent=[0], guess=[1.2, -0.6, 1.6])


def swing(method: str, h: float = 0.002, seconds: float = 2.0) -> tuple[float, float, float]:
    """Opening of the loop [m], change of energy [J], and largest kinetic energy [J]."""
    gains = (400.0, 40.0) if method == "Baumgarte" else None
    q, qd = project_configuration(MODEL, [1.2, -0.6, 1.6], LOOP).q, np.zeros(3)

    def rate(x: np.ndarray) -> np.ndarray:
        return np.array([x[1], KKT_FD(MODEL, *x, np.zeros(3), LOOP, baumgarte=gains).qdd])

    motion = []
    for _ in range(round(seconds / h)):
        x = np.array([q, qd])
        k1 = rate(x)
        k2 = rate(x + h / 2 * k1)
        k3 = rate(x + h / 2 * k2)
        q, qd = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h * k3))
        if method == "projection":
            q = project_configuration(MODEL, q, LOOP).q
            qd = project_velocity(MODEL, q, qd, LOOP)
        motion.append([q, qd])
    return judge(*np.array(motion).swapaxes(0, 1))


def swing_by_crank(seconds: float = 2.0) -> tuple[float, float, float]:
    """Return the same for the motion of the crank, in adaptive steps."""
    start = project_configuration(MODEL, [1.2, -0.6, 1.6], LOOP).q[:1]
    run = simulate(LINKAGE, (start, [0.0]), np.linspace(0, seconds, 101))
    return judge(LINKAGE.coupling.configuration(run.q), LINKAGE.motion(run.q, run.qd))


def judge(q: np.ndarray, qd: np.ndarray) -> tuple[float, float, float]:
    """Return opening, change of energy, and kinetic energy of a motion of the tree."""
    e, gap = EnerMo(MODEL, q, qd), position_error(MODEL, q, LOOP)
    return float(np.abs(gap).max()), float(np.ptp(e.KE + e.PE)), float(e.KE.max())


if __name__ == "__main__":
    print("method       loop opens [m]  energy changes [J]  of [J]")
    for method in ("nothing", "Baumgarte", "projection"):
        gap, change, kinetic = swing(method)
        print(f"{method:12s}{gap:15.1e}{change:20.1e}{kinetic:8.2f}")
    gap, change, kinetic = swing_by_crank()
    print(f"crank alone {gap:15.1e}{change:20.1e}{kinetic:8.2f}")
