"""Armature, damping, dry friction and springs of a compiled MuJoCo model, subject to its option
flags.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError

__all__ = [
    "BALL",
    "FREE",
    "HINGE",
    "SLIDE",
    "is_disabled",
    "joint_terms",
    "moves_one_joint",
    "of_one_variable",
]

FREE, BALL, SLIDE, HINGE = range(4)
"""Kinds of joints, as `mjtJoint` numbers them."""

_JOINT, _JOINT_IN_PARENT = 0, 1
"""Transmissions of actuators, as `mjtTrn` numbers them."""


def is_disabled(peer: Any, *flags: str) -> bool:
    """Return whether the model's options disable one of the named features.

    Names are those of ``mjtDisableBit`` without the prefix ``mjDSBL_``; names that this version of
    MuJoCo lacks are ignored.
    """
    bits = importlib.import_module("mujoco").mjtDisableBit
    names = [f"mjDSBL_{flag}" for flag in flags]
    off = sum({int(getattr(bits, name)) for name in names if hasattr(bits, name)})
    return bool(int(peer.opt.disableflags) & off)


def moves_one_joint(peer: Any, actuator: int) -> int | None:
    """Return the velocity variable of the hinge or slide that an actuator drives, or None."""
    if int(peer.actuator_trntype[actuator]) not in (_JOINT, _JOINT_IN_PARENT):
        return None
    j = int(peer.actuator_trnid[actuator][0])
    return int(peer.jnt_dofadr[j]) if peer.jnt_type[j] in (SLIDE, HINGE) else None


def joint_terms(peer: Any) -> dict[str, np.ndarray]:
    """Return the nonzero ones of armature, damping, dry friction and springs, in this library's
    order.
    """
    theirs = {
        "armature": _with_actuators(peer, "armature"),
        "damping": _with_actuators(peer, "damping"),
        "friction": np.array(peer.dof_frictionloss),
        **_springs(peer),
    }
    if is_disabled(peer, "DAMPER", "PASSIVE"):
        theirs["damping"][:] = 0
    if is_disabled(peer, "FRICTIONLOSS", "CONSTRAINT"):
        theirs["friction"][:] = 0
    if is_disabled(peer, "SPRING", "PASSIVE") or not theirs["stiffness"].any():
        theirs["stiffness"][:] = theirs["rest"][:] = 0
    order = np.arange(peer.nv)
    free = peer.jnt_dofadr[peer.jnt_type == FREE]
    for first in free:
        order[first : first + 6] = [*range(first + 3, first + 6), *range(first, first + 3)]
    terms = {}
    for name, x in theirs.items():
        if name != "damping" or any(np.ptp(x[first : first + 3]) for first in free):
            for first in free:
                if x[first : first + 3].any():
                    raise ModelError(
                        f"{name} of a free joint of MuJoCo acts along axes of the base, that of a "
                        "joint Fb along axes of the body: set it to zero, or use a <freejoint/>, "
                        "which has none"
                    )
        if x.any():
            terms[name] = x[order]
    return terms


def of_one_variable(peer: Any) -> np.ndarray:
    """Return a mask of the joints that are hinges and slides."""
    return np.isin(peer.jnt_type, (SLIDE, HINGE))


def _springs(peer: Any) -> dict[str, np.ndarray]:
    """Return stiffness and rest (nv,) of the hinges and slides; q is zero at `qpos0`."""
    stiffness, rest, line = np.zeros(peer.nv), np.zeros(peer.nv), of_one_variable(peer)
    v, place = peer.jnt_dofadr[line], peer.jnt_qposadr[line]
    stiffness[v] = peer.jnt_stiffness[line]
    rest[v] = np.where(stiffness[v] != 0, (peer.qpos_spring - peer.qpos0)[place], 0.0)
    return {"stiffness": stiffness, "rest": rest}


def _with_actuators(peer: Any, name: str) -> np.ndarray:
    """Add to a joint term that of the actuators, times the squares of their gear ratios."""
    x = np.array(getattr(peer, f"dof_{name}"))
    for a, value in enumerate(getattr(peer, f"actuator_{name}", ())):
        v = moves_one_joint(peer, a)
        if v is not None:
            x[v] += value * peer.actuator_gear[a][0] ** 2
    return x
