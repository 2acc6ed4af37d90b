"""Robots from URDF files."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from spatial_v2.exceptions import InertiaWarning
from spatial_v2.io.robot_data import Frame
from spatial_v2.io.urdf_mechanics import frame_transform, joint_motion, link_inertia
from spatial_v2.io.urdf_tree import depth_first
from spatial_v2.io.urdf_xml import UrdfRobot, read_urdf
from spatial_v2.model import Model
from spatial_v2.spatial import plux

__all__ = ["load_urdf"]


def load_urdf(
    path: str | os.PathLike[str], floating_base: bool = False, *, mimic: bool = True
) -> Model:
    """Read a robot from a URDF file.

    MATLAB: ``model = URDF_to_spatialv2_model(file)``, without its limits on joints and axes.

    Parameters
    ----------
    path : path
        The URDF file; xacro files are to be expanded first.
    floating_base : bool, optional
        False: the root link is the fixed base (its inertia plays no part). True: the root link is
        body 0, free in space by a joint 'Fb' named ``root_joint``.
    mimic : bool, optional
        Whether to read the mimic elements; False for a file that gets them wrong.

    Returns
    -------
    Model
        One body for each joint that moves, named by its child link. The bodies are numbered depth
        first, the joints below a link in alphabetical order, as Pinocchio does.

        ``model.frames[link]`` is `Frame(body, X)` for every link of the file: the body it is fixed
        in and the motion transform (6, 6) from body to link coordinates.
        ``model.limits[joint]`` is `JointLimits(lower, upper, velocity, effort)`, infinite where the
        file says nothing. ``model.mimic[joint]`` is `Mimic(joint, multiplier, offset)`.

    Raises
    ------
    ModelFileError
        A bad file; the message names file, element and attribute.

    Warns
    -----
    InertiaWarning
        A link has an inertia that no distribution of positive mass has; it is kept as given.

    Notes
    -----
    *Axes.* A joint moves about or along a coordinate axis of its body: the one closest to the axis
    in the file, in its sense ('Rx', 'Ry-', ...). When the axis in the file is a coordinate axis the
    body frame is the link frame. When it is oblique the body frame is turned against the link frame
    by the smallest rotation that maps one axis into the other, and ``frames[child].X`` turns back.

    *Fixed joints* merge the child link into the body that carries its parent link.

    *Revolute and continuous* joints are alike and have one angle as their variable. *Floating*
    joints are 'Fb'. A *planar* joint is a chain of two prismatic joints and a revolute one, named
    ``<joint>_1``, ``<joint>_2``, ``<joint>``, on two massless bodies: it moves along the two
    coordinate axes that follow the rotation axis in the cyclic order x y z, then turns.

    *Mimic* joints are joints like others: the coupling is kept as data and not imposed.

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
    robot = read_urdf(path)
    root, joints = depth_first(robot)
    tree: dict[str, list[Any]] = {f: [] for f in ("parent", "jtype", "Xtree", "joint", "body")}
    frames = {root: Frame(-1, np.eye(6))}

    def add_body(parent: int, jtype: str, Xtree: np.ndarray, joint: str, body: str) -> int:
        for field, value in zip(tree, (parent, jtype, Xtree, joint, body), strict=True):
            tree[field].append(value)
        return len(tree["parent"]) - 1

    if floating_base:
        frames[root] = Frame(add_body(-1, "Fb", np.eye(6), "root_joint", root), np.eye(6))
    for joint in joints:
        body, X = frames[joint.parent]
        X = frame_transform(joint.origin) @ X
        if joint.type != "fixed":
            codes, E = joint_motion(joint)
            X = plux(E, np.zeros(3)) @ X
            for n, code in enumerate(codes[:-1], 1):
                name = f"{joint.name}_{n}"
                body, X = add_body(body, code, X, name, name), np.eye(6)
            body = add_body(body, codes[-1], X, joint.name, joint.child)
            X = plux(E.T, np.zeros(3))
        frames[joint.child] = Frame(body, X)
    if not tree["parent"]:
        raise robot.element.error(
            "no joint moves, so there is nothing to compute with a fixed base; "
            "read it with floating_base=True"
        )
    I = np.zeros((len(tree["parent"]), 6, 6))
    for name, (body, X) in frames.items():
        inertial = robot.links[name].inertial
        if inertial is not None:
            I_link = link_inertia(inertial)
            if body >= 0:
                I[body] += X.T @ I_link @ X
    moving = [joint for joint in joints if joint.type != "fixed"]
    if mimic:
        _check_mimic(robot)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(
            parent=tree["parent"],
            jtype=tree["jtype"],
            Xtree=tree["Xtree"],
            I=I,
            name=robot.name,
            joint_names=tree["joint"],
            body_names=tree["body"],
            limits={joint.name: joint.limits for joint in moving},
            mimic={joint.name: joint.mimic for joint in moving if mimic and joint.mimic},
            frames=frames,
        )


def _check_mimic(robot: UrdfRobot) -> None:
    for joint in robot.joints.values():
        leader = joint.mimic.joint if joint.mimic else None
        if leader is not None and (leader not in robot.joints or leader == joint.name):
            raise joint.element.need("mimic").error(
                f"attribute joint={leader!r} names no other joint of this robot; "
                "load_urdf(path, mimic=False) reads it without its mimic elements"
            )
