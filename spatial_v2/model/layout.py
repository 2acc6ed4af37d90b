"""What follows from the tree and the joint types: sizes, indices, ancestry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_v2.joints.table import JointType, JointTypeLike, joint_type

__all__ = ["Layout"]


@dataclass(frozen=True)
class Layout:
    """Derived data of a model (MATLAB: `postProcessModel`); bodies and indices count from 0.

    Attributes
    ----------
    joints : tuple of JointType
        Row of the joint table for each joint.
    nq, nv : tuple of int
        Position and velocity variables of each joint; `NQ`, `NV` are their sums.
    qinds, vinds : tuple of slice
        Where each joint's variables stand in q, and in qd, qdd and tau.
    ancestors : tuple of int arrays
        Bodies from the root to body i, i included.
    ancestor_vinds, subtree_vinds, successor_vinds : tuple of int arrays
        Velocity indices of the ancestors of i (i included), of the subtree of i depth first, and of
        the subtree without i.
    body_of_v : int array, shape (NV,)
        The body that velocity variable k moves.
    joint, par : arrays, shapes (NB, 5) and (NB, 2)
        The joints as the kernels read them: kind, axis, first q, first v, nv; sign, pitch.
    """

    joints: tuple[JointType, ...]
    nq: tuple[int, ...]
    nv: tuple[int, ...]
    NQ: int
    NV: int
    qinds: tuple[slice, ...]
    vinds: tuple[slice, ...]
    ancestors: tuple[np.ndarray, ...]
    ancestor_vinds: tuple[np.ndarray, ...]
    subtree_vinds: tuple[np.ndarray, ...]
    successor_vinds: tuple[np.ndarray, ...]
    body_of_v: np.ndarray
    joint: np.ndarray
    par: np.ndarray

    @classmethod
    def of(cls, parent: np.ndarray, jtype: Sequence[JointTypeLike]) -> Layout:
        """The layout of a tree given by parent array and joint types, both already checked."""
        joints = tuple(joint_type(j) for j in jtype)
        nq, nv = tuple(j.nq for j in joints), tuple(j.nv for j in joints)
        qinds, vinds = _slices(nq), _slices(nv)
        own = [np.arange(s.start, s.stop) for s in vinds]
        n = len(joints)
        ancestors: list[np.ndarray] = []
        for i in range(n):
            above = ancestors[parent[i]] if parent[i] >= 0 else np.empty(0, dtype=np.int64)
            ancestors.append(np.append(above, i))
        successors: list[np.ndarray] = [np.empty(0, dtype=np.int64)] * n
        for i in reversed(range(n)):
            if parent[i] >= 0:
                p = parent[i]
                successors[p] = np.concatenate([own[i], successors[i], successors[p]])
        layout = cls(
            joints=joints,
            nq=nq,
            nv=nv,
            NQ=sum(nq),
            NV=sum(nv),
            qinds=qinds,
            vinds=vinds,
            ancestors=tuple(ancestors),
            ancestor_vinds=tuple(np.concatenate([own[k] for k in a]) for a in ancestors),
            subtree_vinds=tuple(
                np.concatenate([o, s]) for o, s in zip(own, successors, strict=True)
            ),
            successor_vinds=tuple(successors),
            body_of_v=np.repeat(np.arange(n), nv),
            joint=np.array(
                [
                    (j.kind, j.axis, qs.start, vs.start, j.nv)
                    for j, qs, vs in zip(joints, qinds, vinds, strict=True)
                ],
                dtype=np.int64,
            ),
            par=np.array([(j.sign, j.pitch) for j in joints], dtype=np.float64),
        )
        for field in ("ancestors", "ancestor_vinds", "subtree_vinds", "successor_vinds"):
            for x in getattr(layout, field):
                x.flags.writeable = False
        for x in (layout.body_of_v, layout.joint, layout.par):
            x.flags.writeable = False
        return layout


def _slices(sizes: tuple[int, ...]) -> tuple[slice, ...]:
    ends = np.cumsum(sizes).tolist()
    return tuple(slice(end - n, end) for n, end in zip(sizes, ends, strict=True))
