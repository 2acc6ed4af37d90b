"""Balance of a humanoid: pushed at its trunk, it stays on its feet.

At every step a quadratic program finds joint accelerations and forces at the corners of both
soles: the centre of mass stays above the feet, the trunk upright, the posture as it was; forces lie
in friction cones, torques within their limits. `whole_body_problem` makes its matrices and OSQP
solves it. The robot stands on compliant ground, which the controller takes for rigid. Needs
example-robot-data, osqp:

    python examples/balance.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from spatial_v2 import (
    CentreOfMassTask,
    ConstraintSet,
    EnerMo,
    Ground,
    Model,
    PoseTask,
    PostureTask,
    Simulation,
    forward_kinematics,
    gcPosVel,
    load_model,
    lock,
    neutral,
    point_contact,
    simulate,
    transform_to_pose,
    whole_body_problem,
)

BENT = {
    "leg_left_3": -0.4,
    "leg_left_4": 0.8,
    "leg_left_5": -0.4,
    "arm_left_2": 0.3,
    "arm_left_4": -0.8,
    "leg_right_3": -0.4,
    "leg_right_4": 0.8,
    "leg_right_5": -0.4,
    "arm_right_2": -0.3,
    "arm_right_4": -0.8,
}
"""Joints that are not at zero [rad]; those of a leg add up to zero, so that the soles are level."""
CORNERS = [np.array([x, y, 0.0]) for x in (-0.1, 0.1) for y in (-0.05, 0.05)]
SOLES = ("left_sole_link", "right_sole_link")
INSIDE = 0.7
"""Part of the soles that the controller loads: its forces keep away from the edges."""
GROUND = Ground(K=1e6, D=5e3, mu=0.6)
FRICTION = 0.5
"""Coefficient of friction that the controller counts on, a little less than that of the ground."""
STEP, PUSH, UNTIL = 0.01, np.array([160.0, 120.0, 0.0]), 0.1
"""Interval of the controller [s], force on the trunk [N], and its end [s]."""


def standing() -> tuple[Model, np.ndarray]:
    """Return a humanoid, with the corners of its soles as contact points, and how it stands."""
    model = load_model("talos", floating_base=True, couplings="free")
    held = [x for x in model.joint_names if x.startswith(("gripper", "torso", "head"))]
    model = lock(model, dict.fromkeys(held, 0.0))
    q = neutral(model, {f"{joint}_joint": x for joint, x in BENT.items()})
    model.gc = {"point": CORNERS * 2, "body": [sole for sole in SOLES for _ in CORNERS]}
    q[6] -= gcPosVel(model, q, np.zeros(model.NV)).p[:, 2].max()
    return model, q


class Balance:
    """The controller: joint forces from a quadratic program at each step."""

    def __init__(self, model: Model, q: np.ndarray) -> None:
        self.model, self.forces = model, list[np.ndarray]()
        self.place = EnerMo(model, q, np.zeros(model.NV)).cm
        trunk = transform_to_pose(forward_kinematics(model, q, frame="torso_2_link").X0)
        self.tasks = [
            CentreOfMassTask(self.place, weight=10.0),
            PoseTask("torso_2_link", trunk, rows="orientation", weight=3.0),
            PostureTask(q, weight=2.0),
        ]
        points = [point_contact(sole, INSIDE * corner) for sole in SOLES for corner in CORNERS]
        self.contacts = ConstraintSet(model, points)

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        problem = whole_body_problem(
            self.model, q, qd, self.tasks, self.contacts, rate=8.0, friction=FRICTION
        )
        x = solved(problem)
        self.forces.append(problem.contact_forces(x))
        return problem.joint_forces(x)


def solved(problem: Any) -> np.ndarray:
    import osqp

    solver = osqp.OSQP()
    solver.setup(
        csc_matrix(np.triu(problem.P)), problem.c, csc_matrix(problem.A), problem.lower,
        problem.upper, verbose=False, eps_abs=1e-5, eps_rel=1e-5, check_dualgap=False,
    )  # fmt: skip
    return np.asarray(solver.solve(raise_error=True).x)


def pushed(law: Any, model: Model, q: np.ndarray, seconds: float) -> Simulation:
    """Simulate the robot under a law for the joint forces, with the push at the beginning."""
    trunk = model.frames["torso_2_link"].body

    def push(t: float, q: np.ndarray, qd: np.ndarray) -> dict[int, np.ndarray]:
        p = forward_kinematics(model, q, frame="torso_2_link").p
        force = PUSH if t < UNTIL else 0 * PUSH
        return {trunk: np.concatenate([np.cross(p, force), force])}

    times = np.linspace(0, seconds, round(seconds / 0.01) + 1)
    return simulate(
        model, (q, np.zeros(model.NV)), times, law, contact=GROUND, f_ext=push,
        control_step=STEP, method="LSODA", rtol=1e-3, atol=1e-5,
    )  # fmt: skip


def main(quick: bool = False) -> dict[str, float]:
    model, q = standing()
    law = Balance(model, q)
    motion = pushed(law, model, q, 0.2 if quick else 2.0)
    off = np.linalg.norm((EnerMo(model, motion.q, motion.qd).cm - law.place)[:, :2], axis=1)
    print(f"the push moves the centre of mass by {1e3 * off.max():.0f} mm")
    print(f"at t = {motion.t[-1]:g} s it is {1e3 * off[-1]:.0f} mm away")
    forces = np.array(law.forces)
    slip = (np.linalg.norm(forces[..., :2], axis=-1) / np.maximum(forces[..., 2], 1.0)).max()
    print(f"friction is used up to {slip:.2f} of the normal force; allowed are {FRICTION}")
    torque = (np.abs(motion.tau) / model.effort_limit)[:, 6:].max()
    print(f"torques are up to {torque:.2f} of their limits")
    lifted = gcPosVel(model, motion.q, motion.qd).p[..., 2].max()
    print(f"corners of the soles are lifted by at most {1e3 * max(lifted, 0):.1f} mm")
    return {
        "centre of mass": off.max(), "friction": slip, "torque": torque, "lifted": max(lifted, 0.0),
    }  # fmt: skip


if __name__ == "__main__":
    main()
