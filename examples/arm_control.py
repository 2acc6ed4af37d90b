"""Control of an arm: five laws, from gravity compensation to operational space.

Gravity compensation lets the arm float; PD control on top holds a place; computed torque follows a
motion as if the arm were six double integrators; impedance control makes the hand a spring; control
in operational space moves the hand on a course of its own, while the posture does what it likes in
the null space. Each law is checked against what its equation promises. Run it:

    python examples/arm_control.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import (
    CRBA,
    FrameJacobian,
    FrameJacobianTimeDerivative,
    HandC,
    forward_kinematics,
    gravity_forces,
    operational_space_inertia,
    pose_error,
    puma560,
    quintic_motion,
    simulate,
    transform_to_pose,
)

ARM, HAND = puma560(), 5
HOME, AWAY = np.array([0.1, -0.6, 0.4, 0.2, 0.7, 0.1]), np.array([0.9, -0.9, 0.9, 0.5, 1.1, -0.4])
INERTIA = np.diag(CRBA(ARM, HOME))
RATE = 8.0
"""Natural frequency of the errors [rad/s]; they are critically damped."""
SPRING = np.array([2.0, 2, 2, 2000, 2000, 2000])
"""Stiffness of the hand [N m/rad, N/m]."""
COURSE = quintic_motion(HOME, AWAY, 1.0)
PLACE = forward_kinematics(ARM, HOME, frame=HAND).p
REACH = quintic_motion(PLACE, PLACE + np.array([0.05, -0.1, 0.15]), 1.0)
PUSH = np.array([0, 0, 0, 20.0, -10, 15])
"""Couple and force on the hand in axes of the base [N m, N]."""


def float_in_place(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    return gravity_forces(ARM, q)


def pd(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    return gravity_forces(ARM, q) + INERTIA * (RATE**2 * (HOME - q) - 2 * RATE * qd)


def computed_torque(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    want, (H, C) = COURSE(t), HandC(ARM, q, qd)
    return H @ (want.qdd + 2 * RATE * (want.qd - qd) + RATE**2 * (want.q - q)) + C


def impedance(t: float, q: np.ndarray, qd: np.ndarray, push: np.ndarray = PUSH) -> np.ndarray:
    J = FrameJacobian(ARM, q, HAND, "mixed")
    T, rest = (transform_to_pose(forward_kinematics(ARM, x, frame=HAND).X0) for x in (q, HOME))
    spring = SPRING * pose_error(T, rest, axes="mixed")
    return gravity_forces(ARM, q) + J.T @ (spring + push) - 2 * RATE * INERTIA * qd


def operational_space(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    J = FrameJacobian(ARM, q, HAND, "mixed")[3:]
    bias = FrameJacobianTimeDerivative(ARM, q, qd, HAND, "mixed")[3:] @ qd
    inertia = operational_space_inertia(ARM, q, HAND, "mixed", rows="position")
    want, p, (H, C) = REACH(t), forward_kinematics(ARM, q, frame=HAND).p, HandC(ARM, q, qd)
    a = want.qdd + 2 * RATE * (want.qd - J @ qd) + RATE**2 * (want.q - p) - bias
    posture = H @ (RATE**2 * (HOME - q) - 2 * RATE * qd)
    hidden = posture - J.T @ inertia @ J @ np.linalg.solve(H, posture)
    return J.T @ inertia @ a + hidden + C


def motion(law: Any, q0: np.ndarray, seconds: float) -> Any:
    return simulate(ARM, (q0, np.zeros(6)), np.linspace(0, seconds, 101), law, rtol=1e-9)


def decay(t: np.ndarray) -> np.ndarray:
    """Critically damped error of initial size one."""
    return (1 + RATE * t) * np.exp(-RATE * t)


def main(quick: bool = False) -> dict[str, float]:
    seconds, off = 1.0 if quick else 2.0, np.array([0.1, -0.1, 0.05, 0.1, 0.1, -0.1])
    held = np.abs(motion(float_in_place, HOME, seconds).q - HOME).max()
    print(f"gravity compensation: the arm moves by {held:.1e} rad")
    left = np.abs(motion(pd, HOME + off, 3.0).q[-1] - HOME).max()
    print(f"PD: after three seconds {left:.1e} rad are left")
    run = motion(computed_torque, HOME + off, seconds)
    error = np.abs(run.q - COURSE(run.t).q - off * decay(run.t)[:, None]).max()
    print(f"computed torque: errors decay as predicted, up to {error:.1e} rad")
    moved = forward_kinematics(ARM, motion(impedance, HOME, 4.0).q[-1], frame=HAND).p - PLACE
    stretch = np.abs(moved - PUSH[3:] / SPRING[3:]).max()
    print(f"impedance: the push moves the hand by {1e3 * moved} mm, up to {stretch:.1e} m")
    run = motion(operational_space, HOME, seconds)
    course = np.abs(forward_kinematics(ARM, run.q, frame=HAND).p - REACH(run.t).q).max()
    print(f"operational space: the hand keeps its course up to {course:.1e} m")
    return {"held": held, "PD": left, "computed torque": error, "spring": stretch, "hand": course}


if __name__ == "__main__":
    main()
