"""Writing models as MJCF files, the format of MuJoCo."""

from __future__ import annotations

import math
import os
import warnings

import numpy as np

from spatial_v2.exceptions import LoaderWarning
from spatial_v2.files.part_file import PartFile
from spatial_v2.files.wording import listed
from spatial_v2.io.mjcf_bodies import MjcfBody, base_sites, body_elements, in_order, mjcf_bodies
from spatial_v2.io.mjcf_joints import empty_limits, is_free
from spatial_v2.io.robot_data import JointLimits
from spatial_v2.io.urdf_loops import row_text
from spatial_v2.io.xml_text import quoted
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.spatial import transform_parts
from spatial_v2.three_d import rq

__all__ = ["to_mjcf"]

UNBOUNDED = JointLimits()


def to_mjcf(
    model: Model, path: str | os.PathLike[str] | None = None, *, motors: bool = False
) -> str:
    """Write a model as an MJCF file, for MuJoCo.

    Parameters
    ----------
    model : Model
        The model, of any kind; of a coupled one, joints that follow one other are written as
        ``equality`` constraints of joints, points and hinges that close loops as ``connect``, and
        welds as ``weld``.
    path : path, optional
        The file; it is written completely or not at all.
    motors : bool, optional
        If True, the independent joints with one variable have actuators ``motor``, called after
        them, with the effort limits as their range.

    Returns
    -------
    str
        The text of the file.

    Raises
    ------
    ModelError
        If MJCF cannot represent the model: floating joints on other bodies than the base; joint
        terms with different numbers for the variables of one joint, or of floating joints, except
        uniform damping; inertias of no distribution of positive mass; other loops; joints that
        follow several, a function, or one that the model does not have; numbers that are not real;
        bodies with one name.
    OSError
        If the file cannot be written.

    Warns
    -----
    LoaderWarning
        If bodies have less than the least mass or moment that MuJoCo takes, 1e-15, which is written
        in place of it; if limits of joints, of no range or no effort, are left out.

    Notes
    -----
    `load_mjcf` reads the file as the same equations of motion. The order of joints is that of the
    bodies, depth first. A body without mass that carries one body becomes a further joint of that
    body, without its own name and frame. Frames are sites. Joints 'SO3' and 'SE3' become ``ball``
    and ``free``. The position of a floating joint is in base coordinates in the file, and contains
    ``Xtree``. A helical joint is a hinge and a slide that follows it, called ``<joint>_slide``; a
    rotor is a body on a joint ``<joint>_rotor``, which follows; planar models become models in
    space. Loops have sites at their ends, a keyframe ``closed``, in which they are closed, and a
    tuple ``independent`` of the independent joints, both of which `load_mjcf` uses. MuJoCo closes
    loops, and couples joints, by stiff springs and dampers. Moments of inertia that violate the
    triangle inequality in the digits of a file are reduced to it. Contacts, drawings, limits of
    velocity, and limits of joints with several variables are not written.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> print(to_mjcf(autoTree(1).replace(name="arm", damping=0.1)))
    <mujoco model="arm">
      <compiler angle="radian"/>
      <option gravity="0.0 0.0 -9.81"/>
      <worldbody>
        <body name="body0">
          <inertial pos="0.5 0.0 0.0" mass="1.0" diaginertia="0.0025 0.084583... 0.084583..."/>
          <joint name="joint0" type="hinge" axis="0.0 0.0 1.0" damping="0.1"/>
        </body>
      </worldbody>
    </mujoco>
    """
    from spatial_v2.io.mjcf_equality import curve_elements, loop_elements
    from spatial_v2.io.mjcf_parts import mjcf_parts

    check_model(model)
    parts = mjcf_parts(model)
    tree = parts.tree
    loops, ends = loop_elements(tree, parts.loops, model.is_planar)
    bodies = mjcf_bodies(tree, ends)
    if lost := empty_limits(tree):
        text = "to_mjcf: MJCF has no limits without a range or an effort, which are left out"
        warnings.warn(f"{text}: {listed(lost)}", LoaderWarning, stacklevel=2)
    equal = [*curve_elements(tree, parts.curves), *loops]
    lines = [
        f"<mujoco model={quoted(model.name or 'robot')}>",
        '  <compiler angle="radian"/>',
        f'  <option gravity="{row_text(tree.gravity)}"/>',
        "  <worldbody>",
        *base_sites(tree, ends),
        *body_elements(tree, bodies),
        "  </worldbody>",
        *_section("equality", equal),
    ]
    if motors:
        lines += _section("actuator", _motors(model, tree))
    if parts.start is not None:
        qpos = row_text(_positions(tree, bodies, parts.start))
        lines += _section("keyframe", [f'<key name="closed" qpos="{qpos}"/>'])
        names = [f'  <element objtype="joint" objname={quoted(x)}/>' for x in parts.independent]
        lines += _section("custom", ['<tuple name="independent">', *names, "</tuple>"])
    text = "\n".join([*lines, "</mujoco>"])
    if path is not None:
        with PartFile(path) as part:
            part.file.write((text + "\n").encode())
            part.finish()
    return text


def _section(name: str, lines: list[str]) -> list[str]:
    return [f"  <{name}>", *(f"    {x}" for x in lines), f"  </{name}>"] if lines else []


def _motors(model: Model, tree: Model) -> list[str]:
    """Return a motor for each independent joint with one variable."""
    lines = []
    for name in model.joint_names:
        if name not in tree.joint_names or tree.nv[tree.joint(name)] > 1:
            continue
        effort = (model.limits or {}).get(name, UNBOUNDED).effort
        limit = row_text([-effort, effort])
        bound = f' ctrllimited="true" ctrlrange="{limit}"' if 0 < effort < math.inf else ""
        lines.append(f"<motor name={quoted(name)} joint={quoted(name)}{bound}/>")
    return lines


def _positions(tree: Model, bodies: list[MjcfBody | None], q: np.ndarray) -> list[float]:
    """Return the position variables of the file at a configuration of the tree."""
    x: list[float] = []
    for i in (i for body, _ in in_order(bodies) for i in body.members):
        joint, own = tree.layout.joints[i], q[tree.qinds[i]]
        if joint.nv == 1:
            x += [joint.pitch * own[0]] * (joint.pitch != 0) + [own[0]]
            continue
        X = np.asarray(joint.X_J(own))
        E, r = transform_parts(X @ tree.Xtree[i] if is_free(joint) else X)
        x += [*(r if is_free(joint) else ()), *np.asarray(rq(E))]
    return x
