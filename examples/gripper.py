"""A gripper with parallel jaws: two four-bar fingers, one motor, and the force between the jaws.

Each finger is a parallelogram: two cranks on the palm carry the jaw, which keeps its direction.
Gears let the right finger mirror the left one, so that six joints have one variable, the motor's
angle. The loops are closed by hinges, and the gears are a mimic joint beside them. A motor torque
presses the jaws against an object; its force comes from `KKT_FD`, with the jaws' distance as a
constraint, and from virtual work: the torque by the change of this distance. Run it:

    python examples/gripper.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import (
    ID,
    KKT_FD,
    Model,
    PointConstraint,
    ball_loop,
    couple,
    forward_kinematics,
    mcI,
    plnr,
    position_error,
)

CRANK, FOOT, PALM, REACH = 0.06, 0.02, 0.03, 0.05
"""Length of a crank, distance of the two cranks, half a palm, length of a jaw [m]."""
OPEN, CLOSED = 2.0, 1.1
"""The motor's angle, measured from the axis across the palm [rad]."""
CAMERA = {"direction": [0.2, 0.3, 1.0], "up": [0.0, 1.0, 0.0], "zoom": 0.9}


def fingers() -> Model:
    """Return the tree: a finger at the left, and its mirror image."""
    crank = mcI(0.02, [CRANK / 2, 0.0], 0.02 * CRANK**2 / 12)
    jaw = mcI(0.05, [0.0, REACH / 2], 0.05 * REACH**2 / 12)
    places = [[-PALM, 0.0], [CRANK, 0.0], [-PALM - FOOT, 0.0]]
    rod = ["colour", [0.3, 0.35, 0.4], "cyl", [[0, 0, 0], [CRANK, 0, 0]], 0.004]
    drawings = []
    for side in (-1, 1):
        pad = sorted([0.0, side * 0.006])
        tip = [[pad[0], -0.004, -0.01], [pad[1], REACH, 0.01]]
        foot = ["cyl", [[0, 0, 0], [side * FOOT, 0, 0]], 0.004]
        drawings += [rod, ["colour", [0.85, 0.5, 0.15], "box", tip, *foot], rod]
    palm = ["box", [[-0.06, -0.03, -0.015], [0.06, -0.005, 0.015]]]
    return Model(
        parent=[-1, 0, -1, -1, 3, -1],
        jtype=["r"] * 6,
        Xtree=[plnr(0.0, [s * x, y]) if n % 3 != 1 else plnr(0.0, [x, y])
               for s in (1, -1) for n, (x, y) in enumerate(places)],
        I=[crank, jaw, crank] * 2,
        gravity=[0.0, -9.81],
        joint_names=[f"{side} {x}" for side in ("left", "right") for x in ("crank", "jaw", "rod")],
        appearance={"base": palm, "body": drawings},
        camera=CAMERA,
    )  # fmt: skip


TREE = fingers()
LOOPS = [ball_loop(2, [CRANK, 0.0], 1, [-FOOT, 0.0]), ball_loop(5, [CRANK, 0.0], 4, [FOOT, 0.0])]
GRIPPER = couple(
    TREE,
    constraints=LOOPS,
    independent=["left crank", "right crank"],
    mimic={"right crank": ("left crank", -1.0, np.pi)},
    guess=[OPEN, -OPEN, OPEN, np.pi - OPEN, OPEN - np.pi, np.pi - OPEN],
)
GRASP = PointConstraint(4, [0.0, REACH / 2], 1, [0.0, REACH / 2], directions=[[1.0, 0.0]])
"""The distance of the jaws, which an object holds."""


def closing(n: int = 61) -> np.ndarray:
    """Return angles of the motor, shape (n, 1), from open to closed and back."""
    return (OPEN + CLOSED + (OPEN - CLOSED) * np.cos(np.linspace(0, 2 * np.pi, n))[:, None]) / 2


def force(y: np.ndarray, torque: float) -> np.ndarray:
    """Return the forces that press the jaws together [N]; the motor holds their weight besides."""
    rest = np.zeros_like(y)
    tau = ID(GRIPPER, y, rest, rest) - torque
    return np.asarray(KKT_FD(GRIPPER, y, rest, tau, [GRASP]).lambda_[:, 0])


def main(quick: bool = False) -> dict[str, float]:
    torque, y = 0.5, closing(11 if quick else 61)
    q = GRIPPER.position(y)
    gap, jaws = position_error(TREE, q, [GRASP])[:, 0], forward_kinematics(TREE, q).R[:, [1, 4]]
    pressed, predicted = force(y, torque), torque / (2 * CRANK * np.sin(y[:, 0]))
    print("motor [deg]   jaws apart [mm]   force [N]")
    for k in range(0, len(y) // 2 + 1, max(1, len(y) // 12)):
        print(f"{np.degrees(y[k, 0]):11.1f}{1e3 * gap[k]:18.2f}{pressed[k]:12.3f}")
    return {
        "loops open [m]": float(np.abs(position_error(TREE, q, LOOPS)).max()),
        "jaws turn": float(np.abs(jaws - np.eye(jaws.shape[-1])).max()),
        "distance from the formula [m]": float(
            np.abs(gap - 2 * (PALM - CRANK * np.cos(y[:, 0]))).max()
        ),
        "force less that of virtual work": float(np.abs(pressed / predicted - 1).max()),
    }


if __name__ == "__main__":
    print("\n".join(f"{name}: {value:.1e}" for name, value in main().items()))
