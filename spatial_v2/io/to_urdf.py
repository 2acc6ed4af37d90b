"""Writing models as URDF files."""

from __future__ import annotations

import math
import os

import numpy as np

from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.coupled_model import refuse
from spatial_v2.exceptions import ModelError
from spatial_v2.files.part_file import PartFile
from spatial_v2.io.robot_data import UNLIMITED, JointLimits
from spatial_v2.io.urdf_loops import origin_text, row_text, urdf_loops
from spatial_v2.io.xml_text import quoted
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.state import check_model, check_real
from spatial_v2.spatial.mcI import inertia_parts

__all__ = ["to_urdf"]


def to_urdf(model: Model, path: str | os.PathLike[str] | None = None) -> str:
    """Write a model as a URDF file.

    Parameters
    ----------
    model : Model
        A spatial model with revolute, prismatic and floating joints. If the base carries a single
        body, on a joint 'Fb' with identity transform, this body is the root link, to be read with
        ``floating_base=True``; otherwise the root link is the base. Joints of a coupled model that
        follow one other joint are written with ``mimic`` elements. Welds, hinges, sliders and
        planes of ``model.loops`` are written as ``loop`` elements of URDF+, which other programs
        skip.
    path : path, optional
        The file; it is written completely or not at all.

    Returns
    -------
    str
        The text of the file.

    Raises
    ------
    ModelError
        If URDF cannot represent the model: other joints, rotors, armature, springs, planar models,
        loops of other kinds, gravity other than [0, 0, -9.81], numbers that are not real, names
        used twice; or if a joint follows one that the model does not have, such as a fixed one, or
        several.
    OSError
        If the file cannot be written.

    Notes
    -----
    Each body becomes a link, and each frame of ``model.frames`` a link on a fixed joint. The link
    frame of a body is the frame that has the body's name, if that frame is only rotated, as in
    models of `load_urdf`; so oblique axes are written as they were read. A joint about an axis is
    ``revolute`` if its position has a limit; otherwise it is ``continuous``, and Pinocchio uses its
    cosine and sine as variables. A missing limit beside others is written as 1e99, which
    `load_urdf` reads as infinite. `load_urdf` numbers bodies depth first, by the names of joints.
    Damping and friction are written as ``dynamics`` elements, which ``load_urdf(path,
    dynamics=True)`` reads. Drawings and contact points are not written.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> print(to_urdf(autoTree(1).replace(name="arm")))
    <?xml version="1.0"?>
    <robot name="arm">
      <link name="base"/>
      <link name="body0">
        <inertial>
          <origin xyz="0.5 0.0 0.0" rpy="0 0 0"/>
          <mass value="1.0"/>
          <inertia ixx="0.0025" iyy="0.084583..." izz="0.084583..." ixy="0.0" ixz="0.0" iyz="0.0"/>
        </inertial>
      </link>
      <joint name="joint0" type="continuous">
        <parent link="base"/>
        <child link="body0"/>
        <origin xyz="0.0 0.0 0.0" rpy="0.0 0.0 0.0"/>
        <axis xyz="0.0 0.0 1.0"/>
      </joint>
    </robot>
    """
    check_model(model)
    independent: tuple[str, ...] = ()
    if isinstance(model, CoupledModel):
        tree = model.tree
        if model.is_linear:
            model = tree.replace(mimic=model.coupling.followers(tree))
        elif tree.loops:
            independent = model.joint_names
            model = tree.replace(mimic=getattr(model.coupling, "mimic", None) or tree.mimic)
        else:
            refuse("mimic joints or loops", "to_urdf")
    _check(model)
    links, root, frames = _links(model)
    lines = ['<?xml version="1.0"?>', f"<robot name={quoted(model.name or 'robot')}>"]
    if root:
        lines.append(f"  <link name={quoted(root)}/>")
    for i, (name, X) in enumerate(links):
        lines += _link(name, model.I[i], X)
    floats = not root
    for i, (name, X) in enumerate(links):
        if i or not floats:
            p = int(model.parent[i])
            above, Xp = (root, np.eye(6)) if p < 0 else links[p]
            mark = model.joint_names[i] in independent if independent else None
            X_joint = X @ model.Xtree[i] @ np.linalg.inv(Xp)
            lines += _joint(model, i, above, name, X_joint, X, mark)
    for name, (body, X) in frames.items():
        above, Xp = (root, np.eye(6)) if body < 0 else links[body]
        lines += [f"  <link name={quoted(name)}/>"]
        lines += _element(f"{name}_fixed", "fixed", above, name, X @ np.linalg.inv(Xp), [])
    lines += urdf_loops(model, links, root)
    lines.append("</robot>")
    text = "\n".join(lines)
    if path is not None:
        with PartFile(path) as part:
            part.file.write((text + "\n").encode())
            part.finish()
    return text


def _check(model: Model) -> None:
    check_real(model, "a URDF file")
    if model.is_planar or model.has_rotors:
        what = "planar models" if model.is_planar else "rotors"
        raise ModelError(f"model: URDF cannot represent {what}")
    for i, row in enumerate(model.layout.joints):
        if row.pitch or row.code[0] not in "RPF":
            raise ModelError(
                f"jtype[{i}]: URDF has no joint like {row.code!r} (joint "
                f"{model.joint_names[i]!r}); want revolute, prismatic and floating joints"
            )
    for name in ("armature", "stiffness"):
        if getattr(model, name) is not None:
            raise ModelError(f"{name}: URDF cannot represent it; write model.replace({name}=None)")
    for name in ("damping", "friction"):
        x = getattr(model, name)
        for i, row in enumerate(model.layout.joints):
            if x is not None and row.nv > 1 and x[model.vinds[i]].any():
                raise ModelError(
                    f"{name}: URDF can represent it only for joints with one degree of freedom"
                )
    for name, coupling in (model.mimic or {}).items():
        if coupling.joint not in model.joint_names:
            raise ModelError(
                f"mimic[{name!r}]: it follows {coupling.joint!r}, which is no joint of the model; "
                "write model.replace(mimic=None)"
            )
    if not np.array_equal(model.gravity, [0, 0, -9.81]):
        raise ModelError(
            f"gravity: URDF cannot represent {model.gravity.tolist()}: programs that read it "
            "assume [0, 0, -9.81]; write model.replace(gravity=None)"
        )


def _links(model: Model) -> tuple[list[tuple[str, np.ndarray]], str, dict[str, Frame]]:
    """Return names and frames of the bodies' links, the root link's name, and the other frames.

    The root link's name is empty if the root link is a body.
    """
    frames = {name: Frame(*f) for name, f in (model.frames or {}).items()}
    links = []
    for i, name in enumerate(model.body_names):
        frame = frames.get(name)
        if frame is None or (frame.body == i and not np.asarray(frame.X)[3:, :3].any()):
            frames.pop(name, None)
            links.append((name, np.eye(6) if frame is None else np.asarray(frame.X)))
        else:
            links.append((f"{name}_link", np.eye(6)))
    floats = model.layout.joints[0].code == "Fb" and (model.parent == -1).sum() == 1
    root = ""
    if not (floats and np.array_equal(model.Xtree[0], np.eye(6))):
        still = [n for n, f in frames.items() if f.body < 0 and np.array_equal(f.X, np.eye(6))]
        root = still[0] if still else "base"
        frames.pop(root, None)
    else:
        frames = {name: f for name, f in frames.items() if f.body >= 0}
    names = [root, *frames, *(name for name, _ in links)]
    twice = (
        [name for name in names if names.count(name) > 1] if len(set(names)) < len(names) else []
    )
    if twice:
        raise ModelError(f"model: {twice[0]!r} is the name of more than one link; rename a body")
    return links, root, frames


def _link(name: str, I: np.ndarray, X: np.ndarray) -> list[str]:
    if not I.any():
        return [f"  <link name={quoted(name)}/>"]
    back = np.linalg.inv(X)
    J = back.T @ I @ back
    m, c, I_C = inertia_parts(J) if J[5, 5] else (0.0, np.zeros(3), J[:3, :3])
    I_C = np.asarray(I_C)
    moments = (("ixx", 0, 0), ("iyy", 1, 1), ("izz", 2, 2), ("ixy", 0, 1), ("ixz", 0, 2),
               ("iyz", 1, 2))  # fmt: skip
    inertia = " ".join(f'{n}="{float(I_C[j, k])!r}"' for n, j, k in moments)
    return [
        f"  <link name={quoted(name)}>",
        "    <inertial>",
        f'      <origin xyz="{row_text(c)}" rpy="0 0 0"/>',
        f'      <mass value="{float(m)!r}"/>',
        f"      <inertia {inertia}/>",
        "    </inertial>",
        "  </link>",
    ]


def _joint(
    model: Model,
    i: int,
    parent: str,
    child: str,
    X: np.ndarray,
    X_link: np.ndarray,
    independent: bool | None,
) -> list[str]:
    name, row = model.joint_names[i], model.layout.joints[i]
    if row.code == "Fb":
        return _element(name, "floating", parent, child, X, [], independent)
    limits: JointLimits = (model.limits or {}).get(name, JointLimits())
    bounded = math.isfinite(limits.lower) or math.isfinite(limits.upper)
    kind = "prismatic" if row.code[0] == "P" else "revolute" if bounded else "continuous"
    axis = X_link[:3, :3] @ (row.sign * np.eye(3)[row.axis])
    inside = [f'<axis xyz="{row_text(axis)}"/>']
    numbers = [float(np.clip(x, -UNLIMITED, UNLIMITED)) for x in limits]
    if kind != "continuous":
        words = zip(JointLimits._fields, numbers, strict=True)
        inside.append("<limit " + " ".join(f'{n}="{x!r}"' for n, x in words) + "/>")
    elif math.isfinite(limits.velocity) or math.isfinite(limits.effort):
        inside.append(f'<limit velocity="{numbers[2]!r}" effort="{numbers[3]!r}"/>')
    first = model.vinds[i].start
    dynamics = ((n, getattr(model, n)) for n in ("damping", "friction"))
    terms = [f'{n}="{float(x[first])!r}"' for n, x in dynamics if x is not None and x[first]]
    if terms:
        inside.append(f"<dynamics {' '.join(terms)}/>")
    mimic = (model.mimic or {}).get(name)
    if mimic is not None:
        leader, a, b = quoted(mimic.joint), float(mimic.multiplier), float(mimic.offset)
        inside.append(f'<mimic joint={leader} multiplier="{a!r}" offset="{b!r}"/>')
    return _element(name, kind, parent, child, X, inside, independent)


def _element(
    name: str,
    kind: str,
    parent: str,
    child: str,
    X: np.ndarray,
    inside: list[str],
    independent: bool | None = None,
) -> list[str]:
    mark = "" if independent is None else f' independent="{str(independent).lower()}"'
    return [
        f'  <joint name={quoted(name)} type="{kind}"{mark}>',
        f"    <parent link={quoted(parent)}/>",
        f"    <child link={quoted(child)}/>",
        f"    {origin_text(X)}",
        *(f"    {line}" for line in inside),
        "  </joint>",
    ]
