"""Data derived from the tree and the joint types: sizes, indices, ancestry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from spatial_v2.joints.table import ROTATION, TRANSFORM, JointType, JointTypeLike, joint_type

__all__ = ["Layout"]


@dataclass(frozen=True)
class Layout:
    """Derived data of a model (MATLAB: `postProcessModel`); bodies and indices count from 0.

    Ancestors are computed when first used, because for a chain they are NB (NB + 1) / 2 numbers;
    the size of everything else is proportional to NB.

    Attributes
    ----------
    parent : int array, shape (NB,)
        Parent of each body.
    joints : tuple of JointType
        Entry of the joint table for each joint.
    nq, nv : tuple of int
        Numbers of position and velocity variables of each joint; `NQ` and `NV` are their sums.
    qinds, vinds : tuple of slice
        Indices of each joint's variables in q, and in qd, qdd and tau.
    body_of_v : int array, shape (NV,)
        Entry k is the body whose joint has velocity variable k.
    joint, par : arrays, shapes (NB, 6) and (NB, 2)
        The joints in the form that kernels read. A row of `joint` has kind, axis, index of the
        first position variable, index of the first velocity variable, nv, -1; a row of `par` has
        sign and pitch.
    """

    DERIVED: ClassVar = frozenset({
        "nq", "nv", "NQ", "NV", "qinds", "vinds", "body_of_v",
        "ancestors", "ancestor_vinds", "subtree_vinds", "successor_vinds",
    })  # fmt: skip
    """Derived fields that are attributes of a model, by MATLAB's names."""

    parent: np.ndarray
    joints: tuple[JointType, ...]
    nq: tuple[int, ...]
    nv: tuple[int, ...]
    NQ: int
    NV: int
    qinds: tuple[slice, ...]
    vinds: tuple[slice, ...]
    body_of_v: np.ndarray
    joint: np.ndarray
    par: np.ndarray

    @classmethod
    def of(cls, parent: np.ndarray, jtype: Sequence[JointTypeLike]) -> Layout:
        """Return the layout for a parent array and joint types that have been checked."""
        joints = tuple(joint_type(j) for j in jtype)
        nq, nv = tuple(j.nq for j in joints), tuple(j.nv for j in joints)
        qinds, vinds = _slices(nq), _slices(nv)
        layout = cls(
            parent=parent.copy(),
            joints=joints,
            nq=nq,
            nv=nv,
            NQ=sum(nq),
            NV=sum(nv),
            qinds=qinds,
            vinds=vinds,
            body_of_v=np.repeat(np.arange(len(joints)), nv),
            joint=np.array(
                [
                    (j.kind, j.axis, qs.start, vs.start, j.nv, -1)
                    for j, qs, vs in zip(joints, qinds, vinds, strict=True)
                ],
                dtype=np.int64,
            ),
            par=np.array([(j.sign, j.pitch) for j in joints], dtype=np.float64),
        )
        for x in (layout.parent, layout.body_of_v, layout.joint, layout.par):
            x.flags.writeable = False
        return layout

    def neutral(self) -> np.ndarray:
        """Return a new array q (NQ,) with every joint at its origin."""
        return np.concatenate([joint.group.neutral for joint in self.joints])

    @cached_property
    def matrices(self) -> tuple[int, ...]:
        """Numbers of the joints of type SO3 and SE3, whose position variables are matrices."""
        kinds = (joint.kind for joint in self.joints)
        return tuple(i for i, kind in enumerate(kinds) if kind in (ROTATION, TRANSFORM))

    @cached_property
    def ancestors(self) -> tuple[np.ndarray, ...]:
        """Entry i: the bodies from the root to body i, i included."""
        return self._paths(np.arange(n, n + 1) for n in range(len(self.parent)))

    @cached_property
    def ancestor_vinds(self) -> tuple[np.ndarray, ...]:
        """Entry i: the indices of the velocity variables of body i and its ancestors."""
        return self._paths(np.arange(s.start, s.stop) for s in self.vinds)

    @cached_property
    def subtree_vinds(self) -> tuple[np.ndarray, ...]:
        """Entry i: the indices of the velocity variables of the subtree of body i, depth first.

        Children come in the order of their numbers. The entries are slices of one array.
        """
        n, parent = len(self.parent), self.parent.tolist()
        size = list(self.nv)
        for i in reversed(range(n)):
            if parent[i] >= 0:
                size[parent[i]] += size[i]
        start, free = [0] * n, [0] * (n + 1)
        order = np.empty(self.NV, dtype=np.int64)
        for i, p in enumerate(parent):
            start[i], free[p] = free[p], free[p] + size[i]
            free[i] = start[i] + self.nv[i]
            order[start[i] : free[i]] = np.arange(self.vinds[i].start, self.vinds[i].stop)
        order.flags.writeable = False
        return tuple(order[s : s + k] for s, k in zip(start, size, strict=True))

    @cached_property
    def successor_vinds(self) -> tuple[np.ndarray, ...]:
        """Entry i: the indices of the velocity variables of the subtree of i without i itself."""
        return tuple(below[k:] for below, k in zip(self.subtree_vinds, self.nv, strict=True))

    def _paths(self, own: Iterable[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Concatenate, for each body, the arrays `own` of its ancestors and of the body itself."""
        paths: list[np.ndarray] = []
        for p, x in zip(self.parent.tolist(), own, strict=True):
            paths.append(np.concatenate([paths[p], x]) if p >= 0 else x)
            paths[-1].flags.writeable = False
        return tuple(paths)


def _slices(sizes: tuple[int, ...]) -> tuple[slice, ...]:
    ends = np.cumsum(sizes).tolist()
    return tuple(slice(end - n, end) for n, end in zip(sizes, ends, strict=True))
