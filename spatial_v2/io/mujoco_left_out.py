"""Parts of a compiled MuJoCo model that a model of this library does not represent."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.io.mujoco_starts import closed_keys, mujoco_independent
from spatial_v2.io.mujoco_terms import is_disabled, moves_one_joint, of_one_variable

__all__ = ["mujoco_acting", "mujoco_rest"]

_REST = {
    "nu": "actuators",
    "nsensor": "sensors",
    "ncam": "cameras",
    "nlight": "lights",
    "nkey": "keyframes",
    "ngeom": "drawings of geoms",
    "nskin": "skins",
    "nmocap": "mocap bodies",
    "nnumeric": "numeric",
    "ntext": "text",
    "ntuple": "tuple",
    "nuserdata": "userdata",
}
"""Fields of a `mujoco.MjModel` that count elements, with the names of these elements."""


def mujoco_acting(peer: Any) -> list[str]:
    """Name the left-out parts that act on the motion, except equality constraints."""
    spring = not is_disabled(peer, "SPRING", "PASSIVE")
    damper = not is_disabled(peer, "DAMPER", "PASSIVE")
    gravity = not is_disabled(peer, "GRAVITY") and np.any(peer.opt.gravity)
    apart = [a for a in range(len(peer.actuator_trntype)) if moves_one_joint(peer, a) is None]
    balls = np.flatnonzero(~of_one_variable(peer)).tolist()
    parts = {
        "springs of balls and free joints": spring and _any(peer, "jnt_stiffness", balls),
        "springs that are not linear": spring and _any(peer, "jnt_stiffnesspoly"),
        "damping that is not linear": damper
        and (_any(peer, "dof_dampingpoly") or _any(peer, "actuator_dampingpoly")),
        "armature of actuators that drive no single joint": _any(peer, "actuator_armature", apart),
        "damping of actuators that drive no single joint": damper
        and _any(peer, "actuator_damping", apart),
        "compensation of gravity": gravity and _any(peer, "body_gravcomp"),
        "tendons": peer.ntendon,
        "flexible bodies": peer.nflex,
        "plugins": peer.nplugin,
        "a fluid": peer.opt.density or peer.opt.viscosity,
    }
    return [name for name, there in parts.items() if there]


def mujoco_rest(peer: Any) -> list[str]:
    """Name the left-out parts that do not act on the motion by themselves, such as contacts."""
    meet = peer.npair or np.any((peer.geom_contype != 0) | (peer.geom_conaffinity != 0))
    contacts = meet and not is_disabled(peer, "CONTACT", "CONSTRAINT")
    read = {"nkey": len(closed_keys(peer)), "ntuple": bool(mujoco_independent(peer))}
    left_out = [
        name for count, name in _REST.items() if getattr(peer, count, 0) > read.get(count, 0)
    ]
    return ["contacts"] * bool(contacts) + left_out


def _any(peer: Any, field: str, rows: list[int] | None = None) -> bool:
    """Return whether a field has nonzero entries; False if this version of MuJoCo lacks it."""
    x = np.asarray(getattr(peer, field, 0.0))
    return bool(np.any(x if rows is None or x.ndim == 0 else x[rows]))
