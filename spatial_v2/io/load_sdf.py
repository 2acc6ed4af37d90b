"""Reading robots from SDF files."""

from __future__ import annotations

import os

import numpy as np

from spatial_v2.files.wording import listed
from spatial_v2.io.impose import Couplings, Ties, check_couplings
from spatial_v2.io.impossible import warn_of_impossible
from spatial_v2.io.left_out import base_mass, held_by, state_left_out
from spatial_v2.io.robot_data import Mimic
from spatial_v2.io.sdf_frames import absolute, axes_of, link_of
from spatial_v2.io.sdf_left_out import sdf_left_out
from spatial_v2.io.sdf_tree import depth_first, loop_of
from spatial_v2.io.sdf_xml import SdfAxis, SdfJoint, SdfMimic, SdfRobot, read_sdf
from spatial_v2.io.tree_builder import TreeBuilder, join
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame

__all__ = ["load_sdf"]


def load_sdf(
    path: str | os.PathLike[str],
    floating_base: bool = False,
    *,
    dynamics: bool = False,
    couplings: Couplings = "auto",
) -> Model:
    """Read a robot from an SDF file that contains one model, possibly inside a world.

    Parameters
    ----------
    path : path
        The file, of SDFormat 1.3 or later; a model with ``include`` elements is an error.
    floating_base : bool, optional
        Used if no joint has the world as parent. If True, the root link floats by a joint 'Fb'
        named ``root_joint``; otherwise it is fixed at its pose.
    dynamics : bool, optional
        If True, read the dynamics elements of axes into ``model.damping``, ``friction``,
        ``stiffness`` and ``rest``, unless all are zero.
    couplings : {"auto", "imposed", "free"}, optional
        Treatment of joints that follow others in the file, and of loops. By default joints follow,
        and loops are closed: the result is a `CoupledModel` of the independent variables;
        ``.tree`` is the free tree. A warning names those of them that cannot be imposed, and the
        reason; with ``"imposed"`` that is an error. With ``"free"`` all joints move independently.
        A file without couplings gives a plain model.

    Returns
    -------
    Model
        The model, with one body for each joint that moves, numbered depth first, the joints of a
        link in alphabetical order; fixed joints merge links, and axes become coordinate axes, all
        as in `load_urdf`. Ball joints are 'S', screws 'H', and a universal joint (or ``revolute2``)
        becomes two revolute joints, the first called ``<joint>_1``. ``model.frames`` has the
        frames of links and joints and the frames of the file; names in nested models are joined by
        ``::``. ``model.limits`` and ``model.mimic`` are as in `load_urdf`. Base coordinates are
        those of the world; gravity is that of the world, or zero if all links have
        ``<gravity>false</gravity>``. If a link is the child of several joints, they close loops:
        the first one in the file is in the tree, and ``model.loops`` has the others, which
        `loop_constraints` converts to constraints. ``model.left_out`` lists the elements that are
        not read. Frames and loops of a coupled model are those of ``model.tree``.

    Raises
    ------
    ModelFileError
        If the file is invalid, or something in it cannot be represented and would change the
        motion, such as gravity on some links only or ``<inertial auto="true">``; the message names
        file and element.

    Warns
    -----
    InertiaWarning
        If links have an inertia that no distribution of positive mass has; it is read as given.
    LoaderWarning
        If elements that act on the motion are left out, such as springs of joints without
        `dynamics`, or a coupling cannot be imposed.

    Notes
    -----
    A pose is relative to the frame that ``relative_to`` names. Without it, the pose of a link is
    relative to its model, that of a joint to its child link, that of a frame to the frame it is
    attached to. An axis is given in the frame that ``expressed_in`` names, without it in the
    joint's frame, or up to SDFormat 1.4 in the model's frame. Missing masses and moments of inertia
    are one, as SDFormat specifies.

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
    check_couplings(couplings)
    robot = read_sdf(path)
    warn_of_impossible(robot.root.file, robot.moments)
    X = {name: absolute(robot, name, ()) for name in robot.poses}
    link = {name: link_of(robot, name, ()) for name in robot.poses}
    root, joints, closing = depth_first(robot, link)
    tree = TreeBuilder({*robot.joints}, {*robot.inertias})
    frames = {"world": Frame(-1, np.eye(6))}
    if root:
        frames[root] = Frame(-1, X[root])
        if floating_base:
            frames[root] = tree.add(Frame(-1, np.eye(6)), "Fb", "root_joint", root)
    elif floating_base:
        raise robot.element.error(
            "floating_base: a joint connects this model with the world; load it without "
            "floating_base"
        )
    X["world"] = np.eye(6)
    link["world"] = "world"
    axes: dict[str, SdfAxis] = {}
    variables: dict[str, list[str]] = {}
    for joint in joints:
        parent, child = link[joint.parent], link[joint.child]
        before = len(tree.parent)
        frame = join(frames[parent], X[joint.name] @ np.linalg.inv(X[parent]))
        frame = _add_joint(tree, robot, X, frame, joint, child)
        variables[joint.name] = tree.joint_names[before:]
        axes |= zip(variables[joint.name], joint.axes, strict=False)
        frames[child] = join(frame, X[child] @ np.linalg.inv(X[joint.name]))
    if not tree.parent:
        raise robot.element.error("no joint moves, so there is nothing to compute")
    for name, I in robot.inertias.items():
        tree.add_inertia(frames[name], I)
    tree.frames |= {name: frame for name, frame in frames.items() if name != "world"}
    for name in robot.poses:
        if name not in tree.frames and not name.endswith("__model__"):
            place = join(frames[link[name]], X[name] @ np.linalg.inv(X[link[name]]))
            tree.frames[name] = place
    loops = {joint.name: loop_of(robot, X, link, joint) for joint in closing}
    if any("world" in (loop.frame1, loop.frame2) for loop in loops.values()):
        tree.frames["world"] = frames["world"]
    limits = {name: axis.limits for name, axis in axes.items()}
    _check_mimic(robot)
    mimic = {
        name: _coupling(axis.mimic, variables.get(axis.mimic.joint))
        for name, axis in axes.items()
        if axis.mimic
    }
    gravity = np.zeros(3) if _is_weightless(robot, frames) else robot.gravity
    model = tree.model(
        name=robot.name, limits=limits, mimic=mimic, gravity=gravity, loops=loops or None
    )
    for field in ("damping", "friction", "stiffness", "rest") if dynamics else ():
        x = np.zeros(model.NV)
        for i, name in enumerate(model.joint_names):
            if name in axes and model.nv[i] == 1:
                x[model.vinds[i]] = getattr(axes[name], field)
        if x.any():
            setattr(model, field, x)
    coupled, acting, rest = sdf_left_out(robot.root, dynamics)
    coupled += [
        f"joint {name!r}, which closes a loop (data in model.loops, for loop_constraints)"
        for name in loops
    ]
    acting += [
        f"mimic of joint {joint.name!r}, which closes a loop"
        for joint in closing
        if any(axis.mimic for axis in joint.axes)
    ]
    rest += base_mass(I[5, 5] for name, I in robot.inertias.items() if frames[name].body < 0)
    fixed = [name for name, joint in robot.joints.items() if joint.type == "fixed"]
    rest += held_by(model, fixed) if couplings != "free" else []
    return state_left_out(
        model, robot.root.file, acting, rest, couplings=couplings, coupled=coupled,
        ties=Ties(fixed=fixed),
    )  # fmt: skip


def _is_weightless(robot: SdfRobot, frames: dict[str, Frame]) -> bool:
    """Return whether gravity acts on no moving link; raise an error if it acts on some only."""
    heavy = {name for name, I in robot.inertias.items() if I[5, 5] and frames[name].body >= 0}
    without = sorted(heavy & robot.weightless)
    if without and len(without) < len(heavy):
        raise robot.element.error(
            f"gravity acts on some links and not on others ({listed(without)}), which a model "
            "cannot represent; give all links <gravity>true</gravity>, or all false"
        )
    return bool(without)


def _check_mimic(robot: SdfRobot) -> None:
    """Check that mimic joints follow axes of existing joints, without cycles."""
    leader = {
        (j.name, k): a.mimic for j in robot.joints.values() for k, a in enumerate(j.axes) if a.mimic
    }
    for follower in leader:
        way = [follower]
        while (mimic := leader.get(way[-1])) is not None:
            joint, ahead = robot.joints[way[-1][0]], (mimic.joint, mimic.axis)
            if mimic.joint not in robot.joints:
                problem = f"it follows {mimic.joint!r}, which is not a joint of this model"
                raise joint.element.error(problem)
            if mimic.axis and len(robot.joints[mimic.joint].axes) < 2:
                problem = f"it follows axis2 of {mimic.joint!r}, which has one axis or none"
                raise joint.element.error(problem)
            if ahead in way:
                names = listed([name for name, _ in (*way, ahead)])
                raise joint.element.error(f"the mimic joints {names} form a cycle")
            way.append(ahead)


def _coupling(mimic: SdfMimic, variables: list[str] | None) -> Mimic:
    """Return a coupling that names the joint of the model which has the axis of the leader."""
    name = variables[mimic.axis] if variables else mimic.joint
    return Mimic(name, mimic.multiplier, mimic.offset)


def _add_joint(
    tree: TreeBuilder,
    robot: SdfRobot,
    X: dict[str, np.ndarray],
    frame: Frame,
    joint: SdfJoint,
    body: str,
) -> Frame:
    """Add a joint of an SDF file to the tree; return its frame on the child's side."""
    if joint.type == "fixed":
        return frame
    if joint.type == "ball":
        return tree.add(frame, "S", joint.name, body)
    axes = axes_of(robot, X, joint)
    if joint.type == "screw":
        return tree.add_axis(frame, "H", axes[0], joint.name, body, joint.pitch)
    kind = "P" if joint.type == "prismatic" else "R"
    return tree.add_chain(frame, [(kind, a) for a in axes], joint.name, body)
