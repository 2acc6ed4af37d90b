"""Ten tasks of the first week with a robot, each in lines of code, beside the library that has it
built in.

Run from the root of the repository: ``python -m benchmarks.ten_tasks``. A task is a function; its
lines are those of the formatted source without imports, comments and docstring, here and in
``benchmarks/peers/ten_tasks.py``. Where the other library is installed, the results of both are
compared.
"""

from __future__ import annotations

import ast
import inspect
import tempfile
import textwrap
import warnings
import xml.etree.ElementTree as xml
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks import study
from benchmarks.peers import ten_tasks as peers
from spatial_v2 import (
    ID,
    CentreOfMassTask,
    EnerMo,
    FrameJacobian,
    Ground,
    Model,
    PoseTask,
    PostureTask,
    attach,
    configurationAddition,
    differential_inverse_kinematics,
    exp6,
    forward_kinematics,
    gravity_forces,
    identify_payload,
    inverse_kinematics,
    inverse_kinematics_of_tasks,
    linearize,
    load_model,
    lock,
    lqr,
    mcI,
    neutral,
    point_contact,
    pose_error,
    puma560,
    quintic_motion,
    simulate,
    transform_to_pose,
    whole_body_problem,
    xlt,
)
from spatial_v2.io import example_robots

__all__ = ["TASKS", "lines", "measure", "robot_files"]


def edit(urdf: str) -> np.ndarray:
    """Gravity forces of a Panda whose fingers are held and whose hand has a load."""
    held = {"panda_finger_joint1": 0.02, "panda_finger_joint2": 0.02}
    arm = lock(load_model(urdf, couplings="free"), held)
    arm = attach(arm, "panda_hand", mcI(1.5, [0, 0, 0.1], 0.004 * np.eye(3)))
    q = neutral(arm, {"panda_joint4": -1.5, "panda_joint6": 1.5})
    return gravity_forces(arm, q)


def impedance(urdf: str) -> np.ndarray:
    """Joint forces of a spring that pulls the hand to a pose."""
    arm = load_model(urdf, couplings="free")
    q = np.array([0.1, -0.5, 0.3, -1.5, 0.4, 1.5, 0.2, 0.02, 0.02])
    K = np.array([20.0, 20, 20, 500, 500, 500])
    T = transform_to_pose(forward_kinematics(arm, q, frame="panda_hand").X0)
    error = pose_error(T, T @ exp6([0, 0, 0.2, 0, 0.05, 0]), axes="body")
    J = FrameJacobian(arm, q, "panda_hand", "body")
    return J.T @ (K * error) + gravity_forces(arm, q)


def payload(urdf: str) -> np.ndarray:
    """Mass and centre of mass of a load on the last link, from joint forces."""
    arm, rng = load_model(urdf, couplings="free"), np.random.default_rng(0)
    loaded = attach(arm, "panda_link7", mcI(0.8, [0.02, 0, 0.1], 0.002 * np.eye(3)))
    q, qd, qdd = rng.normal(size=(3, 100, 9))
    found = identify_payload(arm, "panda_link7", q, qd, qdd, ID(loaded, q, qd, qdd))
    return np.array([found.mass, *found.center])


def reach(urdf: str) -> np.ndarray:
    """Error of the flange of a Puma whose pose was given."""
    arm = puma560()
    T = forward_kinematics(arm, [0.1, -0.5, 0.3, 0.2, 0.4, 0.6], frame="flange").X0
    found = inverse_kinematics(arm, "flange", T, np.zeros(6))
    return np.abs(forward_kinematics(arm, found.q, frame="flange").X0 - T).max(keepdims=True)


def profile(urdf: str) -> np.ndarray:
    """Shape of the joint forces along a quintic motion of a Puma."""
    course = quintic_motion(np.zeros(6), np.full(6, 0.5), 2.0)
    tau = ID(puma560(), *course(np.linspace(0, 2, 101)))
    return np.array(tau.shape)


def tasks(urdf: str) -> np.ndarray:
    """Configuration of the hand at a place while the posture stays near."""
    arm = load_model(urdf, couplings="free")
    q = np.array([0.1, -0.5, 0.3, -1.5, 0.4, 1.5, 0.2, 0.02, 0.02])
    T = transform_to_pose(forward_kinematics(arm, q, frame="panda_hand").X0)
    T[:3, 3] += T[:3, :3] @ [0.05, 0, 0.1]
    wanted = [PoseTask("panda_hand", T), PostureTask(q, weight=1e-4)]
    found = inverse_kinematics_of_tasks(arm, wanted, q)
    return forward_kinematics(arm, found.q, frame="panda_hand").p


def servo(urdf: str) -> np.ndarray:
    """Place of the hand that followed a moving target within limits of velocities."""
    arm = load_model(urdf, couplings="free")
    q = np.array([0.1, -0.5, 0.3, -1.5, 0.4, 1.5, 0.2, 0.02, 0.02])
    T = transform_to_pose(forward_kinematics(arm, q, frame="panda_hand").X0)
    for _ in range(100):
        T[1, 3] += 0.001
        qd = differential_inverse_kinematics(arm, [PoseTask("panda_hand", T)], q, 0.01, rate=1e3)
        q = configurationAddition(arm, q, 0.01 * qd)
    return forward_kinematics(arm, q, frame="panda_hand").p


def landing(urdf: str) -> np.ndarray:
    """Height of a box that fell onto the ground and came to rest."""
    box = Model(
        parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[mcI(1, [0, 0, 0], np.eye(3) / 150)]
    )
    corners = [[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    box.gc = {"point": corners, "body": 0}
    q = np.array([0.97, 0.2, 0.1, 0, 0, 0, 0.3])
    q[:4] /= np.linalg.norm(q[:4])
    motion = simulate(box, (q, np.zeros(6)), [0, 2], contact=Ground(K=1e5, D=1e4, mu=0.8))
    return motion.q[-1, 6:]


def regulator(urdf: str) -> np.ndarray:
    """Gains that hold an acrobot upright by its second joint."""
    upper, lower = mcI(1, [0, 0, -0.5], 0.083 * np.eye(3)), mcI(1, [0, 0, -1], 0.33 * np.eye(3))
    X = [np.eye(6), xlt([0, 0, -1])]
    acrobot = Model(parent=[-1, 0], jtype=["Ry", "Ry"], Xtree=X, I=[upper, lower], damping=0.1)
    A, B = linearize(acrobot, [np.pi, 0], np.zeros(2), np.zeros(2))
    return lqr(A, B[:, 1:], np.diag([10.0, 10, 1, 1]), np.eye(1)).K


def balance(urdf: str) -> np.ndarray:
    """Joint and contact forces of a humanoid on two feet: the weight that the feet bear."""
    import osqp

    robot = load_model(urdf, floating_base=True, couplings="free")
    bent = {(side, k): x for side in ("left", "right") for k, x in ((3, -0.4), (4, 0.8), (5, -0.4))}
    q = neutral(robot, {f"leg_{side}_{k}_joint": x for (side, k), x in bent.items()})
    qd = np.zeros(robot.NV)
    corners = [[x, y, 0] for x in (-0.1, 0.1) for y in (-0.05, 0.05)]
    feet = [point_contact(f"{x}_sole_link", r) for x in ("left", "right") for r in corners]
    wanted = [CentreOfMassTask(EnerMo(robot, q, qd).cm, weight=10), PostureTask(q)]
    problem = whole_body_problem(robot, q, qd, wanted, feet, rate=8.0, friction=0.5)
    solver = osqp.OSQP()
    matrices = sparse.csc_matrix(np.triu(problem.P)), problem.c, sparse.csc_matrix(problem.A)
    solver.setup(*matrices, problem.lower, problem.upper, verbose=False, max_iter=20000)
    x = solver.solve(raise_error=True).x
    return problem.contact_forces(x)[:, 2].sum(keepdims=True)


TASKS: dict[str, tuple[Callable[[str], np.ndarray], float]] = {
    "edit": (edit, 1e-9),
    "impedance": (impedance, 1e-9),
    "payload": (payload, 1e-9),
    "reach": (reach, 1e-3),
    "profile": (profile, 0.0),
    "tasks": (tasks, 1e-6),
    "servo": (servo, 1e-5),
    "landing": (landing, 2e-3),
    "regulator": (regulator, 1e-6),
    "balance": (balance, 0.01),
}
"""The tasks by name, and the largest difference of the results of both libraries."""


def lines(function: Callable[..., Any]) -> int:
    """Count the lines of a function without its head, docstring, imports and comments."""
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    kept = [x for x in tree.body[1:] if not isinstance(x, ast.Import | ast.ImportFrom)]
    return sum((x.end_lineno or x.lineno) - x.lineno + 1 for x in kept)


def robot_files(folder: Path) -> dict[str, str]:
    """Return the URDF file for each task: a Panda without meshes, or Talos."""
    robots = example_robots()
    tree = xml.parse(robots["panda"]).getroot()
    for link in tree.iter("link"):
        for part in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(part)
    options = xml.SubElement(tree, "mujoco")
    xml.SubElement(options, "compiler", fusestatic="false", discardvisual="true")
    panda = folder / "panda.urdf"
    panda.write_text(xml.tostring(tree, encoding="unicode"), encoding="utf-8")
    return {name: str(robots["talos"] if name == "balance" else panda) for name in TASKS}


def measure(args: Any, libraries: ModuleType = peers) -> Iterator[study.Row]:
    """Yield a row for each task: lines of both libraries, and the difference of their results."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        files = robot_files(Path(folder))
        for name, (ours, _) in TASKS.items():
            theirs = getattr(libraries, name)
            row: study.Row = {"task": name, "library": libraries.LIBRARIES[name]}
            row |= {"lines": lines(ours), "theirs": lines(theirs)}
            try:
                difference = float(np.abs(ours(files[name]) - theirs(files[name])).max())
            except ImportError:
                difference = None
            yield row | {"difference": difference}


def main() -> None:
    study.table("ten_tasks", study.options(__doc__, robots=["panda", "talos"]), measure)


if __name__ == "__main__":
    main()
