"""Models and states of MuJoCo."""

from __future__ import annotations

from typing import Any

from spatial_v2.exceptions import ModelError
from spatial_v2.interop.states import Part, StateMap
from spatial_v2.io.mujoco_names import mujoco_joints
from spatial_v2.io.mujoco_terms import BALL, FREE
from spatial_v2.io.mujoco_tree import mujoco_tree
from spatial_v2.model import Model

__all__ = ["from_mujoco", "mujoco_states"]


def from_mujoco(peer: Any) -> Model:
    """The model of a compiled MuJoCo model.

    Parameters
    ----------
    peer : mujoco.MjModel
        The compiled model.

    Returns
    -------
    Model
        One body for each joint: a MuJoCo body with several joints is a chain, whose bodies before
        the last are massless and are called ``<body>_1``, ``<body>_2``; bodies without joints are
        merged into what carries them. Slides and hinges move along or about the coordinate axis
        next to theirs, in a body frame that is turned where the axis is oblique and has its origin
        in the joint's anchor; balls are 'S' and free joints 'Fb'. ``model.frames`` has the frame
        of every body, and those of the sites (``site:<name>`` where a body has that name);
        ``model.limits`` the ranges and force ranges of joints; ``model.armature``, ``damping`` and
        ``friction`` (its ``frictionloss``) what it has of these, with those of actuators that drive
        one hinge or slide behind the squares of their gears. Flags of the options count: where
        they disable gravity, dampers, dry friction or constraints the model has none of it.
        Equality constraints ``connect`` and ``weld`` are data in ``model.loops``, for
        `spatial_v2.loop_constraints`, and ``joint`` along a straight line in ``model.mimic``.
        ``model.left_out`` names what the model does not hold.

    Raises
    ------
    ModelError
        No joint moves, or a free joint has armature or dry friction.

    Warns
    -----
    LoaderWarning
        Springs, tendons, equality constraints, compensation of gravity, fluids, plugins, flexible
        bodies or actuators with inertia on something else than a joint are there, which act on the
        motion: they are left out, or kept as data.

    Notes
    -----
    Contacts, actuators and sensors are no part of a model. `mujoco_states` maps states.

    Examples
    --------
    >>> import mujoco  # doctest: +SKIP
    >>> model = from_mujoco(mujoco.MjModel.from_xml_path("arm.xml"))  # doctest: +SKIP
    """
    return mujoco_tree(peer)


def mujoco_states(model: Model, peer: Any) -> StateMap:
    """Conversion of states and forces to those of MuJoCo, and back.

    Parameters
    ----------
    model : Model
        Result of `from_mujoco`, or a model with joints of the same names and types.
    peer : mujoco.MjModel
        The MuJoCo model.

    Returns
    -------
    StateMap
        The map.

    Raises
    ------
    ModelError
        A joint that the other has not, or has of another kind.

    Notes
    -----
    A free joint has ``qpos = [position, w x y z]`` and ``qvel = [velocity of the origin in base
    coordinates; angular velocity in coordinates of the body]``; here they are ``[w x y z,
    position]`` and ``[omega; v]``, both in coordinates of the body. Hinges and slides are zero here
    where they have their reference position (``qpos0``) there. Balls agree.

    Examples
    --------
    >>> states = mujoco_states(model, peer)              # doctest: +SKIP
    >>> data.qpos[:] = states.q_to(q)                    # doctest: +SKIP
    >>> data.qvel[:] = states.v_to(q, qd)                # doctest: +SKIP
    """
    place = {name: i for i, name in enumerate(model.joint_names)}
    parts = []
    for j, name in (joint for body in mujoco_joints(peer) for joint in body):
        kind = {FREE: "free_world", BALL: "ball"}.get(int(peer.jnt_type[j]), "line")
        i = place.pop(name, None)
        width = {"free_world": (7, 6), "ball": (4, 3), "line": (1, 1)}[kind]
        if i is None or (model.nq[i], model.nv[i]) != width:
            raise ModelError(f"model: joint {name!r} of MuJoCo is missing, or of another kind")
        at, to = int(peer.jnt_qposadr[j]), int(peer.jnt_dofadr[j])
        zero = float(peer.qpos0[at]) if kind == "line" else 0.0
        parts.append(Part(kind, model.qinds[i].start, model.vinds[i].start, at, to, zero))
    if place:
        raise ModelError(f"model: MuJoCo has no joint {next(iter(place))!r}")
    return StateMap(model, parts, int(peer.nq))
