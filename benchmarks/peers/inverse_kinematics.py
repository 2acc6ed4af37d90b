"""Inverse kinematics by other libraries: the loops that their documentation has, and single steps
of control loops.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["Solver", "Step", "peers", "steps_of_peers"]

Solver = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of a pose (4, 4) and an initial configuration that returns a configuration."""
Step = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of a pose (4, 4) of the hand and a configuration that returns joint velocities."""
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
    """Velocities of a quadratic program with limits, as in a control loop of 0.1 s."""
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


def _mujoco(urdf: str, held: dict[str, float]):  # type: ignore[no-untyped-def]
    """Read a robot without its meshes, and with held joints fixed."""
    import xml.etree.ElementTree as xml

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
    return mujoco.MjModel.from_xml_string(xml.tostring(tree, encoding="unicode"))


def _mink(urdf: str, frame: str, held: dict[str, float]) -> Solver:
    """Velocities of a quadratic program with limits, for the robot as MuJoCo reads it."""
    import mink

    model = _mujoco(urdf, held)
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


def steps_of_peers(
    urdf: str, hand: str, elbow: str, held: dict[str, float], q: np.ndarray, step: float
) -> dict[str, tuple[Step, Step]]:
    """Return for each library that can be imported the step of a loop with limits of positions and
    velocities: for a pose of the hand alone, and with a place of the elbow and the posture q.
    """
    found = {}
    for name, make in (("Pink", _pink_steps), ("mink", _mink_steps)):
        try:
            one, three = (make(urdf, hand, elbow, held, q, step, x) for x in (False, True))
        except ImportError:
            continue
        found[name] = one, three
    return found


def _pink_steps(
    urdf: str, hand: str, elbow: str, held: dict[str, float], q: np.ndarray, step: float, more: bool
) -> Step:
    import pink
    import pinocchio as pin
    from pink.tasks import FrameTask, PostureTask

    model = _reduced(urdf, held)
    now = pink.Configuration(model, model.createData(), q)
    tasks = [FrameTask(hand, position_cost=1.0, orientation_cost=1.0)]
    if more:
        tasks += [FrameTask(elbow, position_cost=0.1, orientation_cost=0.0), PostureTask(cost=1e-3)]
        for task in tasks[1:]:
            task.set_target_from_configuration(now)

    def velocities(T: np.ndarray, q: np.ndarray) -> np.ndarray:
        tasks[0].set_target(pin.SE3(T[:3, :3], T[:3, 3]))
        now.update(q)
        return np.asarray(pink.solve_ik(now, tasks, step, solver="daqp", damping=1e-6))

    return velocities


def _mink_steps(
    urdf: str, hand: str, elbow: str, held: dict[str, float], q: np.ndarray, step: float, more: bool
) -> Step:
    import mink
    import mujoco

    model = _mujoco(urdf, held)
    names = (mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, k) for k in range(model.njnt))
    limits = [
        mink.ConfigurationLimit(model),
        mink.VelocityLimit(model, dict.fromkeys(names, 2.0)),
    ]
    now = mink.Configuration(model, q)
    tasks = [mink.FrameTask(hand, "body", position_cost=1.0, orientation_cost=1.0)]
    if more:
        tasks += [
            mink.FrameTask(elbow, "body", position_cost=0.1, orientation_cost=0.0),
            mink.PostureTask(model, cost=1e-3),
        ]
        for task in tasks[1:]:
            task.set_target_from_configuration(now)

    def velocities(T: np.ndarray, q: np.ndarray) -> np.ndarray:
        tasks[0].set_target(mink.SE3.from_matrix(T))
        now.update(q)
        return np.asarray(
            mink.solve_ik(now, tasks, step, solver="daqp", damping=1e-6, limits=limits)
        )

    return velocities
