"""Conversion of models and states from and to Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.couplings import CoupledModel
from spatial_v2.exceptions import ModelError
from spatial_v2.interop.coupled_states import CoupledStateMap
from spatial_v2.interop.pinocchio_parts import (
    Atom,
    atoms,
    check_peer,
    check_plane,
    inertia,
    inertia_matrix,
    joint_model,
    pin,
    placement,
    transform,
)
from spatial_v2.interop.states import Part, StateMap
from spatial_v2.io.left_out import base_mass, state_left_out
from spatial_v2.io.robot_data import JointLimits
from spatial_v2.io.tree_builder import TreeBuilder, join
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.state import check_model, check_real

__all__ = ["from_pinocchio", "pinocchio_states", "to_pinocchio"]

_DATA = {
    "damping": ("damping",),
    "friction": ("lowerDryFrictionLimit", "upperDryFrictionLimit"),
    "rotors": ("rotorInertia",),
}
"""Fields that a Pinocchio model stores but its dynamics ignore."""


def from_pinocchio(peer: Any) -> Model:
    """Convert a Pinocchio model.

    Parameters
    ----------
    peer : pinocchio.Model
        The Pinocchio model.

    Returns
    -------
    Model
        The model, with one body for each joint with one degree of freedom, spherical joint or free
        flyer, in Pinocchio's order. Other joints with several degrees of freedom (planar,
        translation, universal, spherical by angles, composite) become chains, whose joints before
        the last are called ``<joint>_1``, ``<joint>_2``. Body frames are rotated if an axis is
        oblique, as in `load_urdf`, which returns an equal model for the same URDF file.
        ``model.frames`` has Pinocchio's frames (the body's frame if several have the same name),
        ``model.limits`` its joint limits, ``model.armature`` its armature; gravity is copied too.
        Damping, friction and rotors, which Pinocchio's dynamics ignore, are left out, and
        ``model.left_out`` lists them.

    Raises
    ------
    ModelError
        If there is a mimic or an ellipsoid joint, or gravity has an angular part.

    Examples
    --------
    >>> import pinocchio as pin  # doctest: +SKIP
    >>> model = from_pinocchio(pin.buildModelFromUrdf("arm.urdf"))  # doctest: +SKIP
    """
    check_peer(peer)
    if peer.gravity.angular.any():
        raise ModelError(
            "peer: want gravity without angular part, which models here cannot represent"
        )
    tree, limits = TreeBuilder(), {}
    joints, bodies = [Frame(-1, np.eye(6))], _body_names(peer)
    for j, parts in enumerate(_atoms(peer), 1):
        end_of_joint = join(joints[peer.parents[j]], transform(peer.jointPlacements[j]))
        end_of_joint = _add_joint(tree, end_of_joint, parts, peer.names[j], bodies[j])
        tree.add_inertia(end_of_joint, inertia_matrix(peer.inertias[j]))
        joints.append(end_of_joint)
        limits[peer.names[j]] = _limits(peer, j)
    if not tree.parent:
        raise ModelError("peer: want a model with at least one joint, got one without joints")
    for frame in sorted(peer.frames, key=lambda f: f.type != pin.FrameType.BODY):
        place = join(joints[frame.parentJoint], transform(frame.placement))
        tree.frames.setdefault(frame.name, place)
    model = tree.model(name=peer.name, limits=limits, gravity=np.array(peer.gravity.linear))
    if peer.armature.any():
        model.armature = pinocchio_states(model, peer).diagonal_from("armature", peer.armature)
    rest = _left_out(peer) + base_mass([peer.inertias[0].mass])
    return state_left_out(model, "peer", [], rest)


def _left_out(peer: Any) -> list[str]:
    """Return the names of fields that Pinocchio stores but does not use in its dynamics."""
    return [name for name, fields in _DATA.items() if any(np.any(getattr(peer, f)) for f in fields)]


def _atoms(peer: Any) -> list[list[Atom]]:
    neutral, joints = pin.neutral(peer), list(peer.joints)[1:]
    return [atoms(j, name, neutral) for j, name in zip(joints, list(peer.names)[1:], strict=True)]


def _is_mimic(joint: Any) -> bool:
    return bool(joint.shortname() == "JointModelMimic")


def _names(parts: list[Atom], name: str) -> list[str]:
    n = sum(atom.n for atom in parts)
    return [f"{name}_{k}" for k in range(1, n)] + [name]


def _add_joint(tree: TreeBuilder, frame: Frame, parts: list[Atom], joint: str, body: str) -> Frame:
    names = iter(zip(_names(parts, joint), _names(parts, body), strict=True))
    for atom in parts:
        frame = join(frame, atom.X)
        if atom.code:
            frame = tree.add(frame, atom.code, *next(names))
        for kind, axis, pitch in atom.axes:
            frame = tree.add_axis(frame, kind, axis, *next(names), pitch)
    return frame


def _body_names(peer: Any) -> list[str]:
    """Return the name of the first body on each joint, or the joint's name if it has none."""
    names = list(peer.names)
    for frame in reversed(peer.frames):
        if frame.type == pin.FrameType.BODY:
            names[frame.parentJoint] = frame.name
    return names


def _limits(peer: Any, j: int) -> JointLimits:
    joint = peer.joints[j]
    if joint.nv != 1:
        return JointLimits()
    q, v = joint.idx_q, joint.idx_v
    lower, upper = -np.inf, np.inf
    if joint.nq == 1:
        lower, upper = peer.lowerPositionLimit[q], peer.upperPositionLimit[q]
    bounds = (lower, upper, peer.velocityLimit[v], peer.effortLimit[v])
    return JointLimits(*(float(x) for x in bounds))


def to_pinocchio(model: Model) -> Any:
    """Convert a model to a Pinocchio model with the same joints and names.

    Parameters
    ----------
    model : Model
        A spatial model without rotors and without joints 'SO3' and 'SE3'.

    Returns
    -------
    pinocchio.Model
        The Pinocchio model, with the frames of ``model.frames``, a frame for each body, and the
        limits of joints with one degree of freedom. Its dynamics include armature; they ignore
        damping and friction, which are stored as data.

    Raises
    ------
    ModelError
        If the model is planar, has rotors, springs, numbers that are not real, or a joint type
        that Pinocchio lacks.

    Notes
    -----
    Body i becomes joint i + 1. Pinocchio's ``crba``, and functions that use it, need depth-first
    numbering, which `load_urdf` and the other functions that read robot files produce; ``rnea`` and
    ``aba`` do not.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> to_pinocchio(autoTree(3)).nv
    3
    """
    check_model(model)
    check_real(model, "Pinocchio")
    if model.is_planar or model.has_rotors:
        what = "planar models" if model.is_planar else "rotors that are bodies"
        raise ModelError(f"model: Pinocchio has no {what}")
    if model.stiffness is not None:
        raise ModelError("stiffness: Pinocchio has no springs; write model.replace(stiffness=None)")
    peer = pin.Model()
    peer.name = model.name
    peer.gravity.linear = np.asarray(model.gravity)
    for i, row in enumerate(model.layout.joints):
        place, joint = placement(model.Xtree[i]), joint_model(row)
        j = peer.addJoint(int(model.parent[i]) + 1, joint, place, model.joint_names[i])
        peer.appendBodyToJoint(j, inertia(model.I[i]), pin.SE3.Identity())
        peer.addJointFrame(j)
        peer.addBodyFrame(model.body_names[i], j, pin.SE3.Identity(), j)
        _set_limits(model, i, peer)
    for name, (body, X) in (model.frames or {}).items():
        if name not in model.body_names:
            frame = pin.Frame(name, int(body) + 1, placement(X), pin.FrameType.OP_FRAME)
            peer.addFrame(frame)
    if model.has_joint_terms:
        _set_joint_terms(model, peer)
    return peer


def _set_joint_terms(model: Model, peer: Any) -> None:
    states = pinocchio_states(model, peer)
    if model.armature is not None:
        peer.armature = states.diagonal_to("armature", model.armature)
    if model.damping is not None:
        peer.damping = states.diagonal_to("damping", model.damping)
    if model.friction is not None:
        dry = states.diagonal_to("friction", model.friction)
        peer.lowerDryFrictionLimit, peer.upperDryFrictionLimit = -dry, dry


def _set_limits(model: Model, i: int, peer: Any) -> None:
    limits = (model.limits or {}).get(model.joint_names[i])
    if limits is not None and model.nv[i] == 1:
        joint = peer.joints[i + 1]
        fields = ("lowerPositionLimit", "upperPositionLimit", "velocityLimit", "effortLimit")
        for field, value in zip(fields, limits, strict=True):
            x = getattr(peer, field).copy()
            x[joint.idx_q if "Position" in field else joint.idx_v] = value
            setattr(peer, field, x)


def pinocchio_states(model: Model, peer: Any) -> StateMap:
    """Make the conversion of states and forces between this library and Pinocchio.

    Parameters
    ----------
    model : Model
        Result of `from_pinocchio` or `load_urdf` for the same robot, or the argument of
        `to_pinocchio`; joints are paired by their names. Variables of a coupled model are those of
        a peer with mimic joints, or its motion is converted to that of all joints of the peer.
    peer : pinocchio.Model
        The Pinocchio model.

    Returns
    -------
    StateMap
        The conversion in both directions.

    Raises
    ------
    ModelError
        If a joint is missing in one of the models or has different types, or if a planar joint
        moves in different planes: Pinocchio's URDF reader always uses the x-y plane of the joint's
        frame, whatever axis the file gives.

    Notes
    -----
    ============  ======================================  ==========================================
    quantity      here                                    Pinocchio
    ============  ======================================  ==========================================
    floating q    [w x y z, position]                     [position, x y z w]
    floating v    [omega; v], body coordinates            [v; omega], body coordinates
    spherical q   [w x y z]                               [x y z w]
    unbounded q   angle                                   [cos, sin]
    planar q, v   displacements, angle; their rates       [x, y, cos, sin]; body coordinates
    body frame    turned so that S is a unit column       frame of the child link, any axis
    ============  ======================================  ==========================================

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2 import ID
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(3).replace(jtype=["Fb", "Rx", "S"])
    >>> peer = to_pinocchio(model)
    >>> states = pinocchio_states(model, peer)
    >>> q, qd = np.r_[1.0, np.zeros(6), 0.1, 1, 2, 3, 4], np.ones(10)
    >>> a = states.a_to(q, qd, 0 * qd)
    >>> tau = pin.rnea(peer, peer.createData(), states.q_to(q), states.v_to(q, qd), a)
    >>> np.allclose(states.tau_from(q, tau), ID(model, q, qd, 0 * qd))
    True
    """
    check_model(model)
    check_peer(peer)
    coupled, mimic = isinstance(model, CoupledModel), [_is_mimic(joint) for joint in peer.joints]
    if isinstance(model, CoupledModel) and not any(mimic):
        return CoupledStateMap(model, pinocchio_states(model.tree, peer))
    place = {name: i for i, name in enumerate(model.joint_names)}
    parts, neutral = [], pin.neutral(peer)
    for joint, name, follows in list(zip(peer.joints, peer.names, mimic, strict=True))[1:]:
        if coupled and follows:
            continue
        own = atoms(joint, name, neutral)
        names = _names(own, name)
        start, to = joint.idx_q, joint.idx_v
        for atom in own:
            ours = [place.pop(names.pop(0), -1) for _ in range(atom.n)]
            if -1 in ours or not _alike(model, atom, ours):
                raise ModelError(
                    f"model: want a joint {name!r} of the type that it has in Pinocchio; the joint "
                    "is missing, or of another type"
                )
            if atom.kind == "plane":
                check_plane(model, ours, peer, joint.id, to - joint.idx_v)
            i = ours[0]
            q, v = model.qinds[i], model.vinds[i]
            parts.append(Part(atom.kind, q.start, v.start, start, to))
            start, to = start + parts[-1].widths[1], to + parts[-1].widths[2]
    if place:
        raise ModelError(f"model: Pinocchio has no joint {next(iter(place))!r}")
    return StateMap(model, parts, peer.nq)


def _alike(model: Model, atom: Atom, ours: list[int]) -> bool:
    """Return whether the joints `ours` of the model are consecutive and match the atom's types."""
    codes = [model.layout.joints[i].code for i in ours]
    if atom.code:
        return codes == [atom.code]
    chain = [ours[0] + k for k in range(len(ours))]
    return ours == chain and [code[0] for code in codes] == [kind for kind, _, _ in atom.axes]
