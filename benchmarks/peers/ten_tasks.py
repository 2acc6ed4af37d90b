"""The tasks of ``benchmarks/ten_tasks.py`` with the library that has each of them built in.

A function has the name of the task, and the library in `LIBRARIES`. The argument is the URDF file
of a Panda; results are those that the example returns for the same task.
"""

from __future__ import annotations

import numpy as np

__all__ = ["LIBRARIES"]

LIBRARIES = {
    "edit": "Pinocchio",
    "impedance": "Pinocchio",
    "payload": "Pinocchio",
    "reach": "Robotics Toolbox",
    "profile": "Robotics Toolbox",
    "tasks": "Pink",
    "servo": "mink",
    "landing": "MuJoCo",
    "regulator": "Drake",
    "balance": "TSID",
}
"""Name of a task -> the library."""


def edit(urdf: str) -> np.ndarray:
    """Gravity forces of a Panda whose fingers are held and whose hand has a load."""
    import pinocchio as pin

    robot = pin.buildModelFromUrdf(urdf)
    fingers = [robot.getJointId(f"panda_finger_joint{k}") for k in (1, 2)]
    q = pin.neutral(robot)
    for i in fingers:
        q[robot.joints[i].idx_q] = 0.02
    arm = pin.buildReducedModel(robot, fingers, q)
    hand = arm.frames[arm.getFrameId("panda_hand")]
    load = pin.Inertia(1.5, np.array([0, 0, 0.1]), 0.004 * np.eye(3))
    arm.appendBodyToJoint(hand.parentJoint, load, hand.placement)
    q = pin.neutral(arm)
    q[arm.joints[arm.getJointId("panda_joint4")].idx_q] = -1.5
    q[arm.joints[arm.getJointId("panda_joint6")].idx_q] = 1.5
    return pin.computeGeneralizedGravity(arm, arm.createData(), q)


def impedance(urdf: str) -> np.ndarray:
    """Joint forces of a spring that pulls the hand to a pose."""
    import pinocchio as pin

    arm = pin.buildModelFromUrdf(urdf)
    q = np.array([0.1, -0.5, 0.3, -1.5, 0.4, 1.5, 0.2, 0.02, 0.02])
    K = np.array([500.0, 500, 500, 20, 20, 20])
    data, hand = arm.createData(), arm.getFrameId("panda_hand")
    pin.computeJointJacobians(arm, data, q)
    T = pin.updateFramePlacement(arm, data, hand)
    goal = T * pin.exp6(np.array([0, 0.05, 0, 0, 0, 0.2]))
    error = pin.log6(T.actInv(goal)).vector
    J = pin.getFrameJacobian(arm, data, hand, pin.LOCAL)
    return J.T @ (K * error) + pin.computeGeneralizedGravity(arm, data, q)


def payload(urdf: str) -> np.ndarray:
    """Mass and centre of mass of a load on the last link, from joint forces."""
    import pinocchio as pin

    arm, rng = pin.buildModelFromUrdf(urdf), np.random.default_rng(0)
    load = pin.Inertia(0.8, np.array([0.02, 0, 0.1]), 0.002 * np.eye(3))
    loaded = arm.copy()
    loaded.appendBodyToJoint(7, load, pin.SE3.Identity())
    samples = rng.normal(size=(100, 3, 9))
    data = loaded.createData()
    tau = [pin.rnea(loaded, data, *x).copy() for x in samples]
    data = arm.createData()
    more = np.concatenate([y - pin.rnea(arm, data, *x) for x, y in zip(samples, tau, strict=True)])
    rows = [pin.computeJointTorqueRegressor(arm, data, *x)[:, 60:70].copy() for x in samples]
    found = np.linalg.lstsq(np.concatenate(rows), more, rcond=None)[0]
    inertia = pin.Inertia.FromDynamicParameters(found)
    return np.array([inertia.mass, *inertia.lever])


def reach(urdf: str) -> np.ndarray:
    """Error of the flange of a Puma whose pose was given."""
    import roboticstoolbox as rtb

    arm = rtb.models.DH.Puma560()
    T = arm.fkine([0.1, -0.5, 0.3, 0.2, 0.4, 0.6])
    found = arm.ikine_LM(T, q0=np.zeros(6))
    return np.abs(arm.fkine(found.q).A - T.A).max(keepdims=True)


def profile(urdf: str) -> np.ndarray:
    """Shape of the joint forces along a quintic motion of a Puma."""
    import roboticstoolbox as rtb

    arm = rtb.models.DH.Puma560()
    t = np.linspace(0, 2, 101)
    course = rtb.jtraj(np.zeros(6), np.full(6, 0.5), t)
    tau = arm.rne(course.q, course.qd, course.qdd)
    return np.array(tau.shape)


def tasks(urdf: str) -> np.ndarray:
    """Configuration of the hand at a place while the posture stays near."""
    import pink
    import pinocchio as pin

    arm = pin.buildModelFromUrdf(urdf)
    q = np.array([0.1, -0.5, 0.3, -1.5, 0.4, 1.5, 0.2, 0.02, 0.02])
    now = pink.Configuration(arm, arm.createData(), q)
    hand = pink.tasks.FrameTask("panda_hand", position_cost=1.0, orientation_cost=1.0)
    T = now.get_transform_frame_to_world("panda_hand")
    hand.set_target(T * pin.SE3(np.eye(3), np.array([0.05, 0, 0.1])))
    posture = pink.tasks.PostureTask(cost=1e-4)
    posture.set_target(q)
    for _ in range(200):
        velocity = pink.solve_ik(now, [hand, posture], 0.1, solver="daqp")
        now.integrate_inplace(velocity, 0.1)
    return now.get_transform_frame_to_world("panda_hand").translation


def servo(urdf: str) -> np.ndarray:
    """Place of the hand that followed a moving target within limits of velocities."""
    import mink
    import mujoco

    robot = mujoco.MjModel.from_xml_path(urdf)
    now = mink.Configuration(robot, np.array([0.1, -0.5, 0.3, -1.5, 0.4, 1.5, 0.2, 0.02, 0.02]))
    hand = mink.FrameTask("panda_hand", "body", position_cost=1.0, orientation_cost=1.0)
    start = now.get_transform_frame_to_world("panda_hand", "body")
    names = [robot.joint(k).name for k in range(robot.njnt)]
    limits = [mink.ConfigurationLimit(robot), mink.VelocityLimit(robot, dict.fromkeys(names, 2.0))]
    for k in range(1, 101):
        move = mink.SE3.from_translation(np.array([0, 0.001 * k, 0]))
        hand.set_target(move @ start)
        velocity = mink.solve_ik(now, [hand], 0.01, solver="daqp", limits=limits)
        now.integrate_inplace(velocity, 0.01)
    return now.get_transform_frame_to_world("panda_hand", "body").translation()


def landing(urdf: str) -> np.ndarray:
    """Height of a box that fell onto the ground and came to rest."""
    import mujoco

    model = mujoco.MjModel.from_xml_string("""<mujoco> <worldbody>
      <geom type="plane" size="1 1 1" friction="0.8"/>
      <body pos="0 0 0.3" quat="0.97 0.2 0.1 0"> <freejoint/>
        <geom type="box" size=".1 .1 .1" mass="1" friction="0.8"/> </body>
    </worldbody> </mujoco>""")
    data = mujoco.MjData(model)
    while data.time < 2:
        mujoco.mj_step(model, data)
    return data.qpos[2:3]


def regulator(urdf: str) -> np.ndarray:
    """Gains that hold an acrobot upright by its second joint."""
    from pydrake.examples import AcrobotPlant
    from pydrake.systems.controllers import LinearQuadraticRegulator

    acrobot = AcrobotPlant()
    state = acrobot.CreateDefaultContext()
    acrobot.get_input_port(0).FixValue(state, [0.0])
    state.SetContinuousState([np.pi, 0, 0, 0])
    cost = np.diag([10.0, 10, 1, 1]), np.eye(1)
    return -LinearQuadraticRegulator(acrobot, state, *cost).D()


def balance(urdf: str) -> np.ndarray:
    """Joint and contact forces of a humanoid on two feet: the weight that the feet bear."""
    import pinocchio as pin
    import tsid

    robot = tsid.RobotWrapper(urdf, [""], pin.JointModelFreeFlyer(), False)
    model = robot.model()
    q, v = pin.neutral(model), np.zeros(robot.nv)
    for side in ("left", "right"):
        for k, x in ((3, -0.4), (4, 0.8), (5, -0.4)):
            q[model.joints[model.getJointId(f"leg_{side}_{k}_joint")].idx_q] = x
    qp = tsid.InverseDynamicsFormulationAccForce("qp", robot, False)
    qp.computeProblemData(0.0, q, v)
    corners = np.array([[x, y, 0] for x in (-0.1, 0.1) for y in (-0.05, 0.05)]).T
    up, feet = np.array([0.0, 0, 1]), []
    for side in ("left", "right"):
        sole = f"{side}_sole_link"
        foot = tsid.Contact6d(f"{side}_foot", robot, sole, corners, up, 0.5, 1.0, 1000.0)
        foot.setKp(64 * np.ones(6))
        foot.setKd(16 * np.ones(6))
        foot.setReference(robot.framePosition(qp.data(), model.getFrameId(sole)))
        qp.addRigidContact(foot, 1e-5)
        feet.append(foot)  # the problem refers to it
    com = tsid.TaskComEquality("com", robot)
    com.setKp(64 * np.ones(3))
    com.setKd(16 * np.ones(3))
    com.setReference(tsid.TrajectoryEuclidianConstant("place", robot.com(qp.data())).computeNext())
    qp.addMotionTask(com, 100.0, 1, 0.0)
    posture = tsid.TaskJointPosture("posture", robot)
    posture.setKp(64 * np.ones(robot.nv - 6))
    posture.setKd(16 * np.ones(robot.nv - 6))
    posture.setReference(tsid.TrajectoryEuclidianConstant("rest", q[7:]).computeNext())
    qp.addMotionTask(posture, 1.0, 1, 0.0)
    solver = tsid.SolverHQuadProgFast("solver")
    solver.resize(qp.nVar, qp.nEq, qp.nIn)
    problem = qp.computeProblemData(0.0, q, v)
    solution = solver.solve(problem)
    forces = qp.getContactForces(solution)
    return np.array([forces.reshape(-1, 3)[:, 2].sum()])
