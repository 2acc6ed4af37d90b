"""Inverse kinematics of one frame by other libraries: the loops that their documentation has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["Solver", "peers"]

Solver = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of a pose (4, 4) and an initial configuration that returns a configuration."""
STEPS, POSITION, ANGLE = 1000, 1e-5, 1e-4
"""Most steps, and the errors at which a loop ends [m, rad]."""


def peers(urdf: str, frame: str, held: dict[str, float]) -> dict[str, Solver]:
    """Return the solvers of the libraries that can be imported, for a robot with held joints."""
    found: dict[str, Solver] = {}
    for name, make in (("Pinocchio", _pinocchio), ("Pink", _pink), ("mink", _mink)):
        try:
            found[name] = make(urdf, frame, held)
        except ImportError:
            print(f"{name} cannot be imported; it is left out")
    return found


def _reduced(urdf: str, held: dict[str, float]):  # type: ignore[no-untyped-def]
    import pinocchio as pin

    whole = pin.buildModelFromUrdf(urdf)
    q = pin.neutral(whole)
    joints = [whole.getJointId(name) for name in held]
    return pin.buildReducedModel(whole, joints, q)


def _pinocchio(urdf: str, frame: str, held: dict[str, float]) -> Solver:
    """Damped steps of the logarithm of the error, whose gain and damping are those of its page."""
    import pinocchio as pin

    model = _reduced(urdf, held)
    data, tip = model.createData(), model.getFrameId(frame)

    def solve(T: np.ndarray, q: np.ndarray) -> np.ndarray:
        goal = pin.SE3(T[:3, :3], T[:3, 3])
        for _ in range(STEPS):
            pin.framesForwardKinematics(model, data, q)
            here = data.oMf[tip]
            error = here.actInv(goal)
            e = pin.log(error).vector
            if np.linalg.norm(e[:3]) < POSITION and np.linalg.norm(e[3:]) < ANGLE:
                break
            J = -pin.Jlog6(error.inverse()) @ pin.computeFrameJacobian(model, data, q, tip)
            v = -J.T @ np.linalg.solve(J @ J.T + 1e-6 * np.eye(6), e)
            q = np.clip(
                pin.integrate(model, q, 0.5 * v),
                model.lowerPositionLimit, model.upperPositionLimit,
            )  # fmt: skip
        return q

    return solve


def _pink(urdf: str, frame: str, held: dict[str, float]) -> Solver:
    """Velocities of a quadratic programme with limits, as in a control loop of 0.1 s."""
    import pink
    import pinocchio as pin
    from pink.tasks import FrameTask, PostureTask

    model = _reduced(urdf, held)
    data = model.createData()

    def solve(T: np.ndarray, q: np.ndarray) -> np.ndarray:
        hand = FrameTask(frame, position_cost=1.0, orientation_cost=1.0)
        rest = PostureTask(cost=1e-3)
        hand.set_target(pin.SE3(T[:3, :3], T[:3, 3]))
        rest.set_target(q)
        now = pink.Configuration(model, data, q)
        for _ in range(STEPS):
            e = hand.compute_error(now)
            if np.linalg.norm(e[:3]) < POSITION and np.linalg.norm(e[3:]) < ANGLE:
                break
            try:
                v = pink.solve_ik(now, [hand], 0.1, solver="daqp", damping=1e-6)
            except pink.exceptions.PinkError:
                break
            now.integrate_inplace(v, 0.1)
        return np.asarray(now.q)

    return solve


def _mink(urdf: str, frame: str, held: dict[str, float]) -> Solver:
    """Velocities of a quadratic programme with limits, for the robot as MuJoCo reads it."""
    import xml.etree.ElementTree as xml

    import mink
    import mujoco

    tree = xml.parse(urdf).getroot()
    for link in tree.iter("link"):
        for part in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(part)
    for joint in tree.iter("joint"):
        if joint.get("name") in held:
            joint.set("type", "fixed")
            for mimic in joint.findall("mimic"):
                joint.remove(mimic)
    options = xml.SubElement(tree, "mujoco")
    xml.SubElement(options, "compiler", fusestatic="false", discardvisual="true")
    model = mujoco.MjModel.from_xml_string(xml.tostring(tree, encoding="unicode"))
    limits = [mink.ConfigurationLimit(model)]

    def solve(T: np.ndarray, q: np.ndarray) -> np.ndarray:
        hand = mink.FrameTask(frame, "body", position_cost=1.0, orientation_cost=1.0)
        hand.set_target(mink.SE3.from_matrix(T))
        now = mink.Configuration(model, q)
        for _ in range(STEPS):
            e = hand.compute_error(now)
            if np.linalg.norm(e[:3]) < POSITION and np.linalg.norm(e[3:]) < ANGLE:
                break
            try:
                v = mink.solve_ik(now, [hand], 0.1, solver="daqp", damping=1e-6, limits=limits)
            except mink.MinkError:
                break
            now.integrate_inplace(v, 0.1)
        return np.asarray(now.q)

    return solve
