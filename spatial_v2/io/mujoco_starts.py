"""Closed configurations and independent joints of the loops of an MJCF file."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from spatial_v2.io.mujoco_terms import FREE, of_one_variable

__all__ = ["closed_keys", "mujoco_independent", "mujoco_starts"]

INDEPENDENT = "independent"
"""Name of the tuple that lists the independent joints, as `to_mjcf` writes it."""
CLOSED = "closed"
"""Name of the keyframe in which loops are closed."""


def mujoco_independent(peer: Any) -> tuple[str, ...]:
    """Return the names in the tuple ``independent`` of a file; none if it has no such tuple."""
    joint = int(importlib.import_module("mujoco").mjtObj.mjOBJ_JOINT)
    for t in range(peer.ntuple):
        if peer.tuple(t).name != INDEPENDENT:
            continue
        part = slice(int(peer.tuple_adr[t]), int(peer.tuple_adr[t] + peer.tuple_size[t]))
        pairs = zip(peer.tuple_objtype[part], peer.tuple_objid[part], strict=True)
        return tuple(str(peer.joint(int(i)).name) for kind, i in pairs if kind == joint)
    return ()


def closed_keys(peer: Any) -> list[int]:
    """Return the number of the keyframe ``closed``, if there is one."""
    return [k for k in range(peer.nkey) if peer.key(k).name == CLOSED]


def mujoco_starts(peer: Any) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the tree's q at the keyframe ``closed`` of a file, and at all others."""
    own = closed_keys(peer)
    rest = [k for k in range(peer.nkey) if k not in own]
    first, others = ([tree_positions(peer, peer.key_qpos[k]) for k in x] for x in (own, rest))
    return first, others


def tree_positions(peer: Any, qpos: np.ndarray) -> np.ndarray:
    """Return q of the tree for MuJoCo's position variables: hinges and slides are zero at `qpos0`,
    and free joints begin with the orientation.
    """
    line = of_one_variable(peer)
    q = np.array(qpos, dtype=float)
    entries = peer.jnt_qposadr[line]
    q[entries] -= peer.qpos0[entries]
    for k in peer.jnt_qposadr[peer.jnt_type == FREE]:
        q[k : k + 7] = [*qpos[k + 3 : k + 7], *qpos[k : k + 3]]
    return q
