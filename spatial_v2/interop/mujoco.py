"""Conversion of models and states from and to MuJoCo."""

from __future__ import annotations

from typing import Any

from spatial_v2.couplings import CoupledModel
from spatial_v2.exceptions import ModelError
from spatial_v2.interop.coupled_states import CoupledStateMap
from spatial_v2.interop.states import Part, StateMap
from spatial_v2.io.impose import Couplings
from spatial_v2.io.mujoco_names import check_peer, mujoco_joints
from spatial_v2.io.mujoco_terms import BALL, FREE
from spatial_v2.io.mujoco_tree import mujoco_tree
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["from_mujoco", "mujoco_states"]


def from_mujoco(peer: Any, *, couplings: Couplings = "auto") -> Model:
    """Convert a compiled MuJoCo model.

    Parameters
    ----------
    peer : mujoco.MjModel
        The compiled model.
    couplings : {"auto", "imposed", "free"}, optional
        Treatment of joints that follow others in the file, and of loops. By default joints follow,
        and loops are closed: the result is a `CoupledModel` of the independent variables;
        ``.tree`` is the free tree. A warning names those of them that cannot be imposed, and the
        reason; with ``"imposed"`` that is an error. With ``"free"`` all joints move independently.
        A file without couplings gives a plain model.

    Returns
    -------
    Model
        The model, with one body for each joint: a MuJoCo body with several joints becomes a chain,
        whose bodies before the last are massless and are called ``<body>_1``, ``<body>_2``; bodies
        without joints are merged into the body that carries them. Slides and hinges move along or
        about the coordinate axis nearest to theirs; the body frame is rotated if the axis is
        oblique, and has its origin at the joint's anchor. Balls are 'S' and free joints 'Fb'.
        ``model.frames`` has the frames of all bodies and of the sites (called ``site:<name>`` if a
        body has the same name); ``model.limits`` has the ranges and force ranges of joints.
        ``model.armature``, ``damping`` and ``friction`` (MuJoCo's ``frictionloss``) include those
        of actuators that drive one hinge or slide, times the square of the gear ratio.
        ``model.stiffness`` and ``rest`` are the springs of hinges and slides. If option flags
        disable gravity, dampers, springs, dry friction or constraints, the model has none of them.
        Equality constraints ``connect`` and ``weld`` are stored in ``model.loops``, for
        `spatial_v2.loop_constraints`, and linear ones of type ``joint`` in ``model.mimic``.
        ``model.left_out`` lists what the model does not represent. Of a coupled model, these fields
        but ``limits`` and ``left_out`` are those of ``model.tree``.

    Raises
    ------
    ModelError
        If no joint moves, or a free joint has armature or dry friction.

    Warns
    -----
    LoaderWarning
        If springs of balls, tendons, other equality constraints, gravity compensation, fluids,
        plugins, flexible bodies or actuators with inertia on something else than a joint act on the
        motion: they are left out; or a coupling cannot be imposed.

    Notes
    -----
    A model does not include contacts, actuators and sensors. `mujoco_states` converts states.

    Examples
    --------
    >>> import mujoco  # doctest: +SKIP
    >>> model = from_mujoco(mujoco.MjModel.from_xml_path("arm.xml"))  # doctest: +SKIP
    """
    return mujoco_tree(peer, couplings=couplings)


def mujoco_states(model: Model, peer: Any) -> StateMap:
    """Make the conversion of states and forces between this library and MuJoCo.

    Parameters
    ----------
    model : Model
        Result of `from_mujoco`, or a model with joints of the same names and types. The motion of a
        coupled model is converted to that of all joints, and back to that of the independent ones.
    peer : mujoco.MjModel
        The MuJoCo model.

    Returns
    -------
    StateMap
        The conversion in both directions.

    Raises
    ------
    ModelError
        If a joint is missing in one of the models, or has different types.

    Notes
    -----
    In MuJoCo a free joint has ``qpos = [position, w x y z]`` and ``qvel = [velocity of the origin
    in base coordinates; angular velocity in body coordinates]``; in this library it has ``q = [w x
    y z, position]`` and ``qd = [omega; v]``, both in body coordinates. Hinges and slides are zero
    in this library at MuJoCo's reference position ``qpos0``. Balls are the same in both.

    Examples
    --------
    >>> states = mujoco_states(model, peer)              # doctest: +SKIP
    >>> data.qpos[:] = states.q_to(q)                    # doctest: +SKIP
    >>> data.qvel[:] = states.v_to(q, qd)                # doctest: +SKIP
    """
    check_model(model)
    check_peer(peer)
    if isinstance(model, CoupledModel):
        return CoupledStateMap(model, mujoco_states(model.tree, peer))
    place = {name: i for i, name in enumerate(model.joint_names)}
    parts = []
    for j, name in (joint for body in mujoco_joints(peer) for joint in body):
        kind = {FREE: "free_world", BALL: "ball"}.get(int(peer.jnt_type[j]), "line")
        i = place.pop(name, None)
        width = {"free_world": (7, 6), "ball": (4, 3), "line": (1, 1)}[kind]
        if i is None or (model.nq[i], model.nv[i]) != width:
            raise ModelError(
                f"model: want a joint {name!r} of the type that it has in MuJoCo; the joint is "
                "missing, or of another type"
            )
        start, to = int(peer.jnt_qposadr[j]), int(peer.jnt_dofadr[j])
        zero = float(peer.qpos0[start]) if kind == "line" else 0.0
        parts.append(Part(kind, model.qinds[i].start, model.vinds[i].start, start, to, zero))
    if place:
        raise ModelError(f"model: MuJoCo has no joint {next(iter(place))!r}")
    return StateMap(model, parts, int(peer.nq))
