"""Reading robots from URDF files."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from spatial_v2.exceptions import InertiaWarning
from spatial_v2.io.impose import Couplings, Ties, check_couplings
from spatial_v2.io.impossible import warn_of_impossible
from spatial_v2.io.left_out import base_mass, held_by, state_left_out
from spatial_v2.io.robot_data import Frame, Mimic
from spatial_v2.io.tree_builder import rigid_body_inertias
from spatial_v2.io.urdf_left_out import urdf_left_out
from spatial_v2.io.urdf_mechanics import (
    frame_transforms,
    joint_motions,
    link_inertias,
)
from spatial_v2.io.urdf_plus import Gears, read_gears, read_independent, read_loops
from spatial_v2.io.urdf_tree import check_mimic, depth_first
from spatial_v2.io.urdf_visuals import urdf_appearance
from spatial_v2.io.urdf_xml import UrdfJoint, UrdfRobot, read_urdf
from spatial_v2.io.urdf_yaml import read_closures
from spatial_v2.model import Model
from spatial_v2.spatial import plux

__all__ = ["load_urdf"]


def load_urdf(
    path: str | os.PathLike[str],
    *positional: Any,
    floating_base: bool = False,
    mimic: bool = True,
    dynamics: bool = False,
    xacro_args: Mapping[str, object] | None = None,
    couplings: Couplings = "auto",
    loops: str | os.PathLike[str] | None = None,
) -> Model:
    """Read a robot from a URDF file.

    MATLAB: ``model = URDF_to_spatialv2_model(file)``, without its limits on joints and axes.

    Parameters
    ----------
    path : path
        The URDF file, or a ``.xacro`` file if the package xacro is installed, which expands it (and
        evaluates the expressions in it: read only files that you trust).
    *positional : none
        Not accepted: give further arguments by name. MATLAB's second argument differs.
    floating_base : bool, optional
        If False, the root link is the fixed base: its inertia has no effect, and its mass is not
        counted by `EnerMo`. If True, the root link is body 0, on a joint 'Fb' named ``root_joint``.
    mimic : bool, optional
        If True, joints follow others by their mimic elements; pass False for a file in which these
        are wrong.
    dynamics : bool, optional
        If True, read the dynamics elements into ``model.damping`` and ``model.friction``, unless
        all are zero; by default joints have no friction, as in Pinocchio.
    xacro_args : mapping, optional
        Values of the arguments (``xacro:arg``) of a ``.xacro`` file, by name: ``{"prefix": "l_"}``.
    couplings : {"auto", "imposed", "free"}, optional
        Treatment of joints that follow others in the file, and of loops. By default joints follow,
        and loops are closed: the result is a `CoupledModel` of the independent variables;
        ``.tree`` is the free tree. A warning names those of them that cannot be imposed, and the
        reason; with ``"imposed"`` that is an error. With ``"free"`` all joints move independently.
        A file without couplings gives a plain model.
    loops : path, optional
        A YAML file that closes loops, as in the collection example-parallel-robots, where it is
        ``robot.yaml`` beside ``robot.urdf``. Reading it needs PyYAML.

    Returns
    -------
    Model
        The model, with one body for each joint that moves, named after its child link. Bodies are
        numbered depth first, the joints below a link in alphabetical order, as in Pinocchio.

        ``model.frames[link]`` is `Frame(body, X)` for every link of the file: the body to which it
        is fixed and the motion transform (6, 6) from body to link coordinates.
        ``model.limits[joint]`` is `JointLimits(lower, upper, velocity, effort)`, infinite if the
        file gives no limit. ``model.mimic[joint]`` is `Mimic(joint, multiplier, offset)`.
        ``model.loops`` has the loops, which `loop_constraints` converts to constraints.
        ``model.left_out`` lists the elements and attributes that the model does not represent.
        Frames, `Mimic` and loops of a coupled model are those of ``model.tree``, and its limits
        are those of the independent variables.

    Raises
    ------
    TypeError
        If there is a second positional argument.
    ModelFileError
        If the file is invalid; the message names file, element and attribute.

    Warns
    -----
    InertiaWarning
        If links have an inertia that no distribution of positive mass has; it is read as given. One
        warning lists all these links.
    LoaderWarning
        If parts that act on the motion are left out, such as constraints, or attributes that are
        misspelt; a coupling cannot be imposed; elements of xacro are left out; a visual cannot be
        read; or a mass has no inertia and is read as a point at the origin of its inertial element.

    Notes
    -----
    *Axes.* A joint moves about or along a coordinate axis of its body: the signed axis closest to
    the axis in the file ('Rx', 'Ry-', ...). If the axis in the file is a coordinate axis, the body
    frame is the link frame. If it is oblique, the body frame is rotated relative to the link frame
    by the smallest rotation that maps one axis to the other, and ``frames[child].X`` rotates back.

    *Fixed joints* merge the child link into the body that carries its parent link.

    *Revolute and continuous* joints both have one angle as their variable. *Floating*
    joints are 'Fb'. A *planar* joint is a chain of two prismatic joints and a revolute one, named
    ``<joint>_1``, ``<joint>_2``, ``<joint>``, on two massless bodies: it moves along the two
    coordinate axes that follow the rotation axis in the cyclic order x y z, then turns.

    *Mimic* joints follow others by ``multiplier * position + offset`` of the other joint, which may
    follow a third.

    *URDF+.* An element ``loop`` is a joint that closes a loop; joints with ``independent="false"``
    are then dependent. An element ``coupling`` couples the joints between its two links.

    *YAML.* A joint becomes spherical, fixed, or a universal joint, a chain of two revolute joints
    called ``<joint>_1`` and ``<joint>``, if the file in `loops` says so.

    *Visuals* become `Model.appearance`: boxes, cylinders, spheres, and the names of mesh files,
    which `showmotion` reads. Packages are searched in the folders above the file and in
    ROS_PACKAGE_PATH.

    *Transforms.* With R = Rz(yaw) Ry(pitch) Rx(roll), a frame at `xyz` has X = plux(R.T, xyz) and
    an inertia there is X.T mcI(m, 0, I_C) X in the parent frame.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "arm.urdf")
    ...     _ = file.write_text('''<robot name="arm">
    ...       <link name="base"/>
    ...       <link name="upper">
    ...         <inertial> <origin xyz="0.2 0 0"/> <mass value="2"/>
    ...           <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/> </inertial>
    ...       </link>
    ...       <joint name="shoulder" type="continuous">
    ...         <parent link="base"/> <child link="upper"/> <axis xyz="0 -1 0"/> </joint>
    ...     </robot>''')
    ...     load_urdf(file)
    Model 'arm': 1 bodies, NQ = 1, NV = 1, gravity [0, 0, -9.81]
    base
    `- 0  Ry-  upper
    """
    if positional:
        raise TypeError(
            f"load_urdf: got {positional[0]!r} as second argument; say load_urdf(path, "
            "floating_base=True) for a robot that floats. MATLAB's second argument, "
            "addRandomInertia, is not supported"
        )
    check_couplings(couplings)
    robot = read_urdf(path, xacro_args)
    closed, independent = read_loops(robot), read_independent(robot)
    if loops is not None:
        robot, more, independent = read_closures(loops, robot)
        closed |= more
    root, joints = depth_first(robot)
    moving = [joint for joint in joints if joint.type != "fixed"]
    motions = _motions(moving)
    tree: dict[str, list[Any]] = {f: [] for f in ("parent", "jtype", "Xtree", "joint", "body")}
    frames = {root: Frame(-1, np.eye(6))}

    def add_body(parent: int, jtype: str, Xtree: np.ndarray, joint: str, body: str) -> int:
        for field, value in zip(tree, (parent, jtype, Xtree, joint, body), strict=True):
            tree[field].append(value)
        return len(tree["parent"]) - 1

    if floating_base:
        frames[root] = Frame(add_body(-1, "Fb", np.eye(6), "root_joint", root), np.eye(6))
    for joint, X_joint in zip(joints, frame_transforms([j.origin for j in joints]), strict=True):
        body, X = frames[joint.parent]
        X = X_joint @ X
        if joint.name in motions:
            codes, turn, back = motions[joint.name]
            X = turn @ X
            for n, code in enumerate(codes[:-1], 1):
                name = f"{joint.name}_{n}"
                body, X = add_body(body, code, X, name, name), np.eye(6)
            body, X = add_body(body, codes[-1], X, joint.name, joint.child), back
        frames[joint.child] = Frame(body, X)
    if not tree["parent"]:
        raise robot.element.error(
            "no joint moves, so there is nothing to compute with a fixed base; "
            "read it with floating_base=True"
        )
    _check_names(robot, tree)
    if mimic:
        check_mimic(robot)
    follow = {joint.name: joint.mimic for joint in moving if mimic and joint.mimic}
    gears = read_gears(robot, follow, strict=couplings == "imposed")
    moments = {name: x.I_C for name, x in robot.inertials.items()}
    warn_of_impossible(robot.element.file, moments)
    appearance = urdf_appearance(robot, frames, len(tree["parent"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        model = Model(
            parent=tree["parent"],
            jtype=tree["jtype"],
            Xtree=tree["Xtree"],
            I=_body_inertias(robot, frames, len(tree["parent"])),
            name=robot.name,
            joint_names=tree["joint"],
            body_names=tree["body"],
            limits={joint.name: joint.limits for joint in moving},
            mimic=follow,
            loops=closed or None,
            frames=frames,
            appearance=appearance,
        )
    if dynamics:
        _take_dynamics(model, robot)
    fixed = [name for name, joint in robot.joints.items() if joint.type == "fixed"]
    ties = _ties(model, independent, gears)._replace(
        refused=_refused(robot, follow, gears), fixed=fixed
    )
    stored = gears is not None and ties.matrix is None
    coupled, acting, rest = urdf_left_out(robot, mimic, dynamics, stored)
    if loops is not None:
        coupled += [f"loops of {os.fspath(loops)} (data in model.loops)"]
    rest += base_mass(x.mass for name, x in robot.inertials.items() if frames[name].body < 0)
    rest += held_by(model, fixed) if couplings != "free" else []
    return state_left_out(
        model, robot.element.file, acting, rest, couplings=couplings, coupled=coupled, ties=ties
    )


def _ties(model: Model, independent: tuple[str, ...], gears: Gears | None) -> Ties:
    """Put the couplings of URDF+ into ``model.mimic`` or, where joints follow several, a matrix."""
    names = tuple(name for name in independent if name in model.joint_names)
    if gears is None:
        return Ties(names)
    one = gears.mimic()
    if one is not None:
        model.mimic = one
        return Ties(names)
    rows = [model.vinds[model.joint(name)].start for name in gears.joints]
    own = [model.vinds[model.joint(name)].start for name in gears.independent]
    driven = [v for v in rows if v not in own]
    G, c = np.eye(model.NV), np.zeros(model.NV)
    G[np.ix_(rows, own)], c[rows] = gears.matrix, gears.offset
    return Ties(names, np.delete(G, driven, axis=1), c)


def _refused(robot: UrdfRobot, follow: Mapping[str, Mimic], gears: Gears | None) -> dict[str, str]:
    """Return the reasons why joints cannot follow others, by their names, as `Ties` has them."""
    refused = {
        name: f"joint {end!r} is {robot.joints[end].type}; joints with one variable follow others"
        for name, x in follow.items()
        for end in (name, x.joint)
        if gears is None and robot.joints[end].type in ("planar", "floating")
    }
    if gears is None and robot.element.all("coupling"):
        refused[""] = 'they do not determine the joints marked independent="false"'
    return refused


def _take_dynamics(model: Model, robot: UrdfRobot) -> None:
    """Read damping and friction of one-variable joints, and of the rotation of planar joints."""
    for field in ("damping", "friction"):
        x = np.zeros(model.NV)
        for i, name in enumerate(model.joint_names):
            if name in robot.joints and model.nv[i] == 1:
                x[model.vinds[i]] = getattr(robot.joints[name], field)
        if x.any():
            setattr(model, field, x)


def _motions(moving: list[UrdfJoint]) -> dict[str, tuple[list[str], np.ndarray, np.ndarray]]:
    """Return, for each joint, codes and the transforms from link to body frame and back."""
    codes, E = joint_motions(moving)
    still = np.zeros((len(moving), 3))
    turn, back = plux(E, still), plux(np.swapaxes(E, 1, 2), still)
    return {j.name: (codes[n], turn[n], back[n]) for n, j in enumerate(moving)}


def _body_inertias(robot: UrdfRobot, frames: dict[str, Frame], n: int) -> np.ndarray:
    """Compute the inertias of the n bodies, sums over the links that are fixed to each body."""
    inertials = robot.inertials
    I_link = link_inertias(list(inertials.values()))
    body = np.array([frames[name].body for name in inertials], dtype=np.int64)
    X = np.reshape([frames[name].X for name in inertials], (-1, 6, 6))
    I = np.zeros((n + 1, 6, 6))
    np.add.at(I, body, np.swapaxes(X, 1, 2) @ I_link @ X)
    return rigid_body_inertias(I[:n])


def _check_names(robot: UrdfRobot, tree: dict[str, list[Any]]) -> None:
    """Check that generated names of joints and bodies do not occur in the file."""
    for kind, names, elements in (
        ("joint", tree["joint"], robot.joints),
        ("body", tree["body"], robot.links),
    ):
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise elements[twice[0]].element.error(
                f"two {kind} names {twice[0]!r}: a floating base is the joint 'root_joint', and a "
                "planar joint 'j' is made of the joints and bodies 'j_1', 'j_2' and 'j'; rename it"
            )
