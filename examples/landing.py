"""A quadruped lands on four feet: an impact, and the motion after it.

Solo12 falls with bent legs. When it reaches the ground, its velocities jump, which `Impact_dyn`
computes: the feet stop or rebound, and the trunk keeps moving. With the coefficient of restitution
e, the lost energy is (1 - e^2)/2 w^T W^-1 w, where w are the velocities of the feet before the
impact and W = G H^-1 G^T. Afterwards the feet stay, and springs and dampers in the legs stop the
trunk. Constraints act in both directions, so the script checks that no foot pulls on the ground.
Needs the package example-robot-data. Run it:

    python examples/landing.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import (
    CRBA,
    KKT_FD,
    ConstraintSet,
    EnerMo,
    Impact_dyn,
    configurationAddition,
    constraint_jacobian,
    load_model,
    neutral,
    point_contact,
)

MODEL = load_model("solo12", floating_base=True)
FEET = ConstraintSet(MODEL, [point_contact(f"{leg}_FOOT") for leg in ("FL", "FR", "HL", "HR")])
Q, FALL = neutral(MODEL), np.zeros(MODEL.NV)
Q[7:], FALL[5] = np.tile([0.0, 0.8, -1.6], 4), -np.sqrt(2 * 9.81 * 0.2)


def energy(q: np.ndarray, qd: np.ndarray) -> tuple[float, float]:
    """Kinetic and potential energy [J]."""
    e = EnerMo(MODEL, q, qd)
    return float(e.KE), float(e.PE)


def impact(e: float) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Velocities of robot and feet after the impact; lost energy, also by the law [J]."""
    qd, _ = Impact_dyn(MODEL, Q, FALL, FEET, e)
    G = constraint_jacobian(MODEL, Q, FEET)
    w, W = G @ FALL, G @ np.linalg.solve(CRBA(MODEL, Q), G.T)
    law = float((1 - e**2) / 2 * w @ np.linalg.solve(W, w))
    return qd, G @ qd, energy(Q, FALL)[0] - energy(Q, qd)[0], law


def stance(qd: np.ndarray, h: float = 5e-4, seconds: float = 0.4) -> dict[str, float]:
    """Energies before and after, and that taken by the legs [J]; least force of a foot [N]."""
    q, taken, least, start = Q, 0.0, np.inf, sum(energy(Q, qd))
    for _ in range(round(seconds / h)):
        x, v = q, qd
        for step in (h / 2, h):
            tau = np.r_[np.zeros(6), 15 * (Q - x)[7:] - 0.8 * v[6:]]
            (qdd, force), work = KKT_FD(MODEL, x, v, tau, FEET), -h * float(tau @ v)
            x, v = configurationAddition(MODEL, q, step * v), qd + step * qdd
        q, qd, taken, least = x, v, taken + work, min(least, float(force[2::3].min()))
    kinetic, potential = energy(q, qd)
    return {"before": start, "kinetic": kinetic, "potential": potential,
            "legs": taken, "least": least}  # fmt: skip


if __name__ == "__main__":
    for e in (0.0, 0.5, 1.0):
        qd, w, lost, law = impact(e)
        print(f"e = {e}: feet {w[2]:5.2f} m/s, trunk {qd[5]:5.2f} m/s,", end=" ")
        print(f"lost {round(lost, 9) + 0.0:.4f} J, by the law {law:.4f} J")
    s = stance(impact(0.0)[0])
    after = s["kinetic"] + s["potential"] + s["legs"]
    print(f"stance: {s['before']:.4f} J before, {after:.4f} J after, {s['legs']:.4f} J in the legs")
    verdict = "no foot pulls" if s["least"] > 0 else "a foot pulls, which the ground would not do"
    print(f"least force of a foot {s['least']:.2f} N: {verdict}")
