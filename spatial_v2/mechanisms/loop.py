"""Closed loops of a tree, each cut out of it as a small model of its own.

A loop is formed by the joints between the two ends of a constraint and their nearest common
ancestor. Loops that share joints are a cluster. Rows, their choice and the matrix G of a cluster
are computed in a model of its joints alone, whose base is that ancestor, so that they do not depend
on where the robot is.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spatial_v2.constraints import (
    ConstraintSet,
    DistanceConstraint,
    FrameConstraint,
    PointConstraint,
)
from spatial_v2.constraints.ConstraintSet import Constraint
from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.joints import jcalc
from spatial_v2.joints.table import PRISMATIC
from spatial_v2.model import Model
from spatial_v2.spatial import transform_parts

__all__ = ["Loop", "loops_of"]


@dataclass(frozen=True, eq=False)
class Loop:
    """Joints of a cluster of loops, as a model of their own with the constraints that close it."""

    joints: tuple[int, ...]
    """Numbers of the joints in the tree."""
    model: Model
    """The joints in this order, without masses; its base is the nearest common ancestor."""
    constraints: ConstraintSet
    length: float
    """A length of the loop, with which rotations and translations are compared [m]."""
    row_scale: np.ndarray
    """Factors that make rows of metres dimensionless."""
    column_scale: np.ndarray
    """Factors that make columns of metres dimensionless."""

    @functools.cached_property
    def subspaces(self) -> np.ndarray:
        """Motion subspaces in coordinates of the bodies, a row for each velocity variable."""
        joints = zip(self.model.jtype, self.model.layout.joints, strict=True)
        return np.concatenate([jcalc(x, np.array(j.group.neutral))[1].T for x, j in joints])

    def scaled(self, J: np.ndarray) -> np.ndarray:
        """Return the Jacobian of the rows without units."""
        return np.asarray(self.row_scale[:, None] * J * self.column_scale)

    def names(self, tree: Model) -> list[str]:
        """Return the names of the joints."""
        return [tree.joint_names[i] for i in self.joints]


def loops_of(tree: Model, constraints: ConstraintSet) -> list[Loop]:
    """Return the clusters of loops that constraints close, in the order of their first joints."""
    clusters: list[tuple[set[int], list[int]]] = []
    for k, x in enumerate(constraints.relations):
        own, members = _joints_between(tree, x.body1, x.body2), [k]
        for joints, others in [c for c in clusters if c[0] & own]:
            own |= joints
            members = [*others, *members]
        clusters = [c for c in clusters if not c[0] & own] + [(own, members)]
    clusters.sort(key=lambda c: min(c[0]))
    return [_cut_out(tree, constraints, sorted(own), sorted(of)) for own, of in clusters]


def _joints_between(tree: Model, one: int, two: int) -> set[int]:
    """Return the joints between two bodies and their nearest common ancestor."""

    def path(body: int) -> set[int]:
        return set() if body < 0 else {body} | {int(i) for i in tree.ancestors[body]}

    return path(one) ^ path(two)


def _cut_out(
    tree: Model, constraints: ConstraintSet, joints: Sequence[int], members: Sequence[int]
) -> Loop:
    place = {int(i): k for k, i in enumerate(joints)}
    base = int(tree.parent[joints[0]])
    parent = [place.get(int(tree.parent[i]), -1) for i in joints]
    X, size = tree.Xtree[list(joints)], tree.Xtree.shape[-1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        model = Model(
            parent=parent,
            jtype=[tree.jtype[i] for i in joints],
            Xtree=X,
            I=np.zeros((len(joints), size, size)),
            gravity=np.zeros(np.shape(tree.gravity)),
            joint_names=[tree.joint_names[i] for i in joints],
        )
    own = [_moved(constraints, k, place, base, tree.is_planar) for k in members]
    held = ConstraintSet(model, own)
    offsets = [np.linalg.norm(transform_parts(X)[1], axis=-1).sum()]
    offsets += [np.linalg.norm(transform_parts(f)[1]) for x in held.relations for f in x.frames]
    length = float(sum(offsets)) or 1.0
    metres = [_in_metres(x) for x in held.relations]
    rows = np.where(np.concatenate(metres), 1 / length, 1.0)
    twist = np.array([1.0] * 3 + [length] * 3)
    columns = np.concatenate(
        [
            twist[: x.nv] if x.nv > 1 else twist[[3 if x.kind == PRISMATIC else 0]]
            for x in model.layout.joints
        ]
    )
    return Loop(tuple(joints), model, held, length, rows, columns)


def _in_metres(relation: Any) -> np.ndarray:
    """Return for each row if its velocity is in metres per second."""
    T = np.asarray(getattr(relation, "T", np.ones((6, relation.m))))
    return np.asarray(T[3:].any(axis=0))


def _moved(
    constraints: ConstraintSet, k: int, place: dict[int, int], base: int, planar: bool
) -> Constraint:
    """Return a constraint between bodies of the cut-out model."""
    x: Any = constraints.relations[k]
    x.check_place()
    given = constraints.constraints[k]
    one, two = (-1 if b == base else place[b] for b in (x.body1, x.body2))
    if isinstance(given, FrameConstraint):
        X1, X2, T = x.X1, x.X2, x.T
        if planar:
            X1, X2, T = X1[2:5, 2:5], X2[2:5, 2:5], T[2:5]
        axes = _axes(constraints, k, T[:-2] if planar else T[:3], T[-2:] if planar else T[3:])
        return FrameConstraint(two, X2, one, X1, rows=T, axes=axes, error="log6")
    if isinstance(given, DistanceConstraint):
        return replace(given, body1=one, point1=x.point1, body2=two, point2=x.point2)
    if given.directions is not None and base >= 0:
        raise ModelError(
            f"constraints[{k}].directions: directions along axes of the base close no loop between "
            "bodies that move together; use a FrameConstraint with rows in axes of a body"
        )
    assert isinstance(given, PointConstraint)
    return replace(given, body1=one, point1=x.point1, body2=two, point2=x.point2)


def _axes(constraints: ConstraintSet, k: int, *blocks: np.ndarray) -> Any:
    """Return the axes of the rows of a frame constraint, in a body.

    Rows in axes of the base are those of a body if each of its blocks, turning and translation, is
    constrained entirely or not at all.
    """
    x: Any = constraints.relations[k]
    if x.axes != "mixed":
        return x.axes
    if any(np.linalg.matrix_rank(T) not in (0, len(T)) for T in blocks):
        raise ModelError(
            f"constraints[{k}].axes: rows in axes of the base that are some of the rotations or "
            "translations close no loop, as they depend on where it is; write axes='body1'"
        )
    return "body1"
