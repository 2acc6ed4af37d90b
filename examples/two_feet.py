"""A humanoid stands still on two feet: joint torques and ground forces.

Soles flat on the floor are two constraints with six rows each. `actuation_forces` computes the
torques and contact forces at rest; `KKT_FD` confirms that the robot stays at rest with these
torques. The constraints do not know that a foot can slip or tip: look at the printed forces and
centres of pressure. Needs the package example-robot-data:

    python examples/two_feet.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import KKT_FD, EnerMo, actuation_forces, load_model, neutral, surface_contact

BENT = {"3": -0.4, "4": 0.8, "5": -0.4}
"""Hip, knee and ankle of both legs [rad]; they add up to zero, so that the soles stay level."""


def stand() -> dict[str, np.ndarray]:
    """Wrenches on the soles, in axes parallel to the base's, accelerations (zero up to rounding),
    weight, torques and configuration, by name.
    """
    model = load_model("talos", floating_base=True, couplings="free")
    feet = [surface_contact(f"{side}_sole_link") for side in ("left", "right")]
    q, rest = neutral(model), np.zeros(model.NV)
    for i, name in enumerate(model.joint_names):
        if name.startswith("leg") and name.split("_")[2] in BENT:
            q[model.qinds[i]] = BENT[name.split("_")[2]]
    motors = np.eye(model.NV)[:, 6:]
    forces = actuation_forces(model, q, rest, rest, feet, motors)
    qdd, lambda_ = KKT_FD(model, q, rest, motors @ forces.u, feet)
    return {
        "wrenches": lambda_.reshape(2, 6),
        "weight": EnerMo(model, q, rest).mass * model.gravity,
        "qdd": qdd,
        "missing": forces.residual,
        "torques": forces.u,
        "q": q,
    }


if __name__ == "__main__":
    s = stand()
    print("foot    force x, y, z [N]           centre of pressure x, y [m]")
    for name, w in zip(("left", "right"), s["wrenches"], strict=True):
        cop = np.array([-w[1], w[0]]) / w[5]
        print(f"{name:7s}", *(f"{x:8.2f}" for x in w[3:]), *(f"{x:10.4f}" for x in cop))
    left_over = np.abs(s["wrenches"][:, 3:].sum(axis=0) + s["weight"]).max()
    print(f"weight {-s['weight'][2]:.2f} N; weight and forces add up to {left_over:.1e} N")
    print(f"largest acceleration {np.abs(s['qdd']).max():.1e}")
    print(f"missing joint force {np.abs(s['missing']).max():.1e} N m")
    print(f"largest torque {np.abs(s['torques']).max():.0f} N m")
