"""Robots from SDF files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal

import numpy as np

from spatial_v2.io.sdf_xml import SdfJoint, SdfPose, SdfRobot, read_sdf
from spatial_v2.io.tree_builder import TreeBuilder, join
from spatial_v2.io.wording import listed
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame

__all__ = ["load_sdf"]


def load_sdf(
    path: str | os.PathLike[str], floating_base: bool = False, *, dynamics: bool = False
) -> Model:
    """Read a robot from an SDF file, with one model, alone or in a world.

    Parameters
    ----------
    path : path
        The file, of SDFormat 1.4 or later; what it includes from elsewhere is not fetched.
    floating_base : bool, optional
        Of a model of which no joint has the world as parent: whether its root link floats by a
        joint 'Fb' named ``root_joint``, or stands still where its pose says.
    dynamics : bool, optional
        Whether to read the dynamics elements of axes into ``model.damping`` and ``model.friction``,
        where they are not all zero.

    Returns
    -------
    Model
        One body for each joint that moves, depth first, the joints of a link in alphabetical order,
        as by `load_urdf`; fixed joints merge links; axes become coordinate axes in the same way.
        Springs of joints are left out.
        Ball joints are 'S', screws 'H', and a universal joint (or ``revolute2``) is two revolute
        ones, the first called ``<joint>_1``. ``model.frames`` has the links, the frames of
        joints and the frames of the file, with ``::`` between
        the names of models within models; ``model.limits`` and ``model.mimic`` as of `load_urdf`.
        Base coordinates are those of the world, and gravity is that of the world if it gives one.

    Raises
    ------
    ModelFileError
        A bad file; the message names file and element.

    Notes
    -----
    A pose is relative to the frame that ``relative_to`` names, else that of a link to its model,
    that of a joint to its child, that of a frame to what it is attached to. An axis is given in the
    frame that ``expressed_in`` names, else in that of its joint. Masses and moments of inertia that
    the file leaves out are one, as SDFormat has it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "arm.sdf")
    ...     _ = file.write_text('''<sdf version="1.10"><model name="arm">
    ...       <link name="upper"> <pose>0 0 1 0 0 0</pose> </link>
    ...       <joint name="shoulder" type="revolute"> <parent>world</parent> <child>upper</child>
    ...         <axis> <xyz>0 -1 0</xyz> </axis> </joint>
    ...     </model></sdf>''')
    ...     load_sdf(file)
    Model 'arm': 1 bodies, NQ = 1, NV = 1, gravity [0, 0, -9.81]
    base
    `- 0  Ry-  upper
    """
    robot = read_sdf(path)
    X = {name: _absolute(robot, name, ()) for name in robot.poses}
    link = {name: _link(robot, name, ()) for name in robot.poses}
    root, joints = _depth_first(robot, link)
    tree = TreeBuilder()
    frames = {"world": Frame(-1, np.eye(6))}
    if root:
        frames[root] = Frame(-1, X[root])
        if floating_base:
            frames[root] = tree.add(Frame(-1, np.eye(6)), "Fb", "root_joint", root)
    elif floating_base:
        raise robot.element.error("floating_base: a joint connects this model with the world")
    X["world"] = np.eye(6)
    link["world"] = "world"
    for joint in joints:
        parent, child = link[joint.parent], link[joint.child]
        at = join(frames[parent], X[joint.name] @ np.linalg.inv(X[parent]))
        at = _add_joint(tree, robot, X, at, joint, child)
        frames[child] = join(at, X[child] @ np.linalg.inv(X[joint.name]))
    if not tree.parent:
        raise robot.element.error("no joint moves, so there is nothing to compute")
    for name, I in robot.inertias.items():
        tree.add_inertia(frames[name], I)
    tree.frames |= {name: frame for name, frame in frames.items() if name != "world"}
    for name in robot.poses:
        if name not in tree.frames and not name.endswith("__model__"):
            place = join(frames[link[name]], X[name] @ np.linalg.inv(X[link[name]]))
            tree.frames[name] = place
    axes = {
        joint.name + (f"_{n}" if n < len(joint.axes) else ""): axis
        for joint in joints
        for n, axis in enumerate(joint.axes, 1)
    }
    limits = {name: axis.limits for name, axis in axes.items()}
    mimic = {name: axis.mimic for name, axis in axes.items() if axis.mimic}
    _check_mimic(robot)
    model = tree.model(name=robot.name, limits=limits, mimic=mimic, gravity=robot.gravity)
    for field in ("damping", "friction") if dynamics else ():
        x = np.zeros(model.NV)
        for i, name in enumerate(model.joint_names):
            if name in axes and model.nv[i] == 1:
                x[model.vinds[i]] = getattr(axes[name], field)
        if x.any():
            setattr(model, field, x)
    return model


def _check_mimic(robot: SdfRobot) -> None:
    """Every joint that follows another one follows one that is there, and not itself in the end."""
    leader = {j.name: a.mimic.joint for j in robot.joints.values() for a in j.axes if a.mimic}
    for name in leader:
        way = [name]
        while (ahead := leader.get(way[-1])) is not None:
            element = robot.joints[way[-1]].element
            if ahead not in robot.joints:
                raise element.error(f"it follows {ahead!r}, which is no joint of this model")
            if ahead in way:
                raise element.error(f"the joints {listed([*way, ahead])} follow one another")
            way.append(ahead)


def _absolute(robot: SdfRobot, name: str, way: tuple[str, ...]) -> np.ndarray:
    """The transform from the world to a frame."""
    X = np.eye(6)
    for pose in _chain(robot, name, way, "relative_to"):
        X = X @ pose.X
    return X


def _link(robot: SdfRobot, name: str, way: tuple[str, ...]) -> str:
    """The link that a frame is fixed in, or the world."""
    for pose in _chain(robot, name, way, "attached_to"):
        name = pose.attached_to
    return name


def _chain(
    robot: SdfRobot, name: str, way: tuple[str, ...], by: Literal["relative_to", "attached_to"]
) -> Iterator[SdfPose]:
    """The frames from one to the world, or to the link that it is fixed in."""
    seen = dict.fromkeys(way)
    last = robot.poses[way[-1]].element if way else robot.element
    while name != "world" and not (by == "attached_to" and name in robot.inertias):
        pose = robot.poses.get(name, robot.poses.get(f"{name}::__model__"))
        if name in seen:
            raise last.error(f"the frames {listed(list(seen))} refer to one another in a circle")
        if pose is None:
            raise last.error(f"{name!r} is an unknown frame")
        yield pose
        seen[name] = None
        name, last = getattr(pose, by), pose.element


def _depth_first(robot: SdfRobot, link: dict[str, str]) -> tuple[str, list[SdfJoint]]:
    """The root link, empty if that is the world, and the joints, parents first."""
    below: dict[str, list[SdfJoint]] = {name: [] for name in [*robot.inertias, "world"]}
    above: dict[str, str] = {}
    for joint in sorted(robot.joints.values(), key=lambda j: j.name.encode(), reverse=True):
        for end in (joint.parent, joint.child):
            if end != "world":
                link[end] = _link(robot, end, (joint.name,))
        parent = "world" if joint.parent == "world" else link[joint.parent]
        child = link[joint.child]
        if child in above:
            raise joint.element.error(
                f"link {child!r} has two parents, by the joints {joint.name!r} and "
                f"{above[child]!r}; a model is a tree"
            )
        above[child] = joint.name
        below[parent].append(joint)
    roots = [name for name in robot.inertias if name not in above]
    start = ["world"] if below["world"] else []
    if len(roots) + len(start) != 1:
        where = listed([*start, *roots])
        raise robot.element.error(f"want one root of all links, got {where or 'none: a cycle'}")
    order: list[SdfJoint] = []
    stack = list(below[(start or roots)[0]])
    while stack:
        order.append(stack.pop())
        stack += below[link[order[-1].child]]
    if len(order) < len(robot.joints):
        rest = sorted(robot.joints.keys() - {joint.name for joint in order})
        raise robot.element.error(f"the joints {listed(rest)} form a cycle, not a tree")
    return "".join(roots), order


def _add_joint(
    tree: TreeBuilder,
    robot: SdfRobot,
    X: dict[str, np.ndarray],
    at: Frame,
    joint: SdfJoint,
    body: str,
) -> Frame:
    """The joint's frame beyond the joint."""
    if joint.type == "fixed":
        return at
    if joint.type == "ball":
        return tree.add(at, "S", joint.name, body)
    axes = []
    for axis in joint.axes:
        if axis.expressed_in not in X:
            X[axis.expressed_in] = _absolute(robot, axis.expressed_in, (joint.name,))
        axes.append(X[joint.name][:3, :3] @ X[axis.expressed_in][:3, :3].T @ axis.xyz)
    if joint.type == "screw":
        return tree.add_axis(at, "H", axes[0], joint.name, body, joint.pitch)
    kind = "P" if joint.type == "prismatic" else "R"
    return tree.add_chain(at, [(kind, a) for a in axes], joint.name, body)
