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
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.joints import jcalc
from spatial_v2.joints.table import PRISMATIC
from spatial_v2.model import Model
from spatial_v2.spatial import plnr, transform_parts, xlt

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
    """The longest arm of the points that close the loop about its joints [m], with which rotations
    and translations are compared. It does not depend on where the frames of bodies are.
    """
    size: float
    """The length, or more where coordinates are so long that their rounding errors count [m]."""
    row_scale: np.ndarray
    """Factors that make rows dimensionless, by which position errors count in sizes of the loop."""
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

    def at(self, q: np.ndarray) -> Loop:
        """Return the loop with its length and size at a configuration."""
        return replace(self, **_scales(self.model, self.constraints, self.subspaces, q))

    def names(self, tree: Model) -> list[str]:
        """Return the names of the joints."""
        return [tree.joint_names[i] for i in self.joints]


def loops_of(tree: Model, constraints: ConstraintSet, guess: np.ndarray) -> list[Loop]:
    """Return the clusters of loops that constraints close, in the order of their first joints, with
    lengths at a configuration of the tree.
    """
    clusters: list[tuple[set[int], list[int]]] = []
    for k, x in enumerate(constraints.relations):
        own, members = _joints_between(tree, x.body1, x.body2), [k]
        for joints, others in [c for c in clusters if c[0] & own]:
            own |= joints
            members = [*others, *members]
        clusters = [c for c in clusters if not c[0] & own] + [(own, members)]
    clusters.sort(key=lambda c: min(c[0]))
    return [
        _cut_out(tree, constraints, sorted(own), sorted(of)).at(
            np.concatenate([guess[tree.qinds[i]] for i in sorted(own)])
        )
        for own, of in clusters
    ]


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
    near = -transform_parts(X[0])[1]  # coordinates about the first joint: a loop may be far away
    moved = plnr(0, near) if tree.is_planar else xlt(near)
    X[[k for k, i in enumerate(parent) if i < 0]] @= moved
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
    own = [_moved(constraints, k, place, base, near) for k in members]
    one = np.ones(0)
    return Loop(tuple(joints), model, ConstraintSet(model, own), 1.0, 1.0, one, one)


FAR = 50.0
"""Coordinates have rounding errors that count beyond this many lengths of a loop."""


def _scales(
    model: Model, constraints: ConstraintSet, subspaces: np.ndarray, q: np.ndarray
) -> dict[str, Any]:
    """Return lengths and scales of a loop at a configuration."""
    X0 = np.asarray(forward_kinematics(model, q).X0)
    S = np.linalg.solve(X0[model.body_of_v], subspaces[..., None])[..., 0].T
    angular = 1 if model.is_planar else 3
    turns = np.abs(subspaces[:, :angular]).max(axis=-1) > 0
    arms, far = [0.0], [np.abs(transform_parts(X0)[1]).max()]
    for x in constraints.relations:
        for body, frame in zip((x.body1, x.body2), x.frames, strict=True):
            if body >= 0:
                X = (frame[2:5, 2:5] if model.is_planar else frame) @ X0[body]
                moves = np.isin(model.body_of_v, [body, *model.ancestors[body]])
                arms += [*np.linalg.norm((X @ S)[angular:, turns & moves], axis=0)]
                far.append(np.abs(transform_parts(X)[1]).max())
    length = max(arms) or max(far) or 1.0
    size = max(length, max(far) / FAR)
    metres = np.concatenate([_in_metres(x) for x in constraints.relations])
    twist = np.array([1.0] * 3 + [length] * 3)
    columns = np.concatenate(
        [
            twist[: x.nv] if x.nv > 1 else twist[[3 if x.kind == PRISMATIC else 0]]
            for x in model.layout.joints
        ]
    )
    rows = np.where(metres, 1 / size, length / size)
    return {"length": length, "size": size, "row_scale": rows, "column_scale": columns}


def _in_metres(relation: Any) -> np.ndarray:
    """Return for each row if its velocity is in metres per second."""
    T = np.asarray(getattr(relation, "T", np.ones((6, relation.m))))
    return np.asarray(T[3:].any(axis=0))


def _moved(
    constraints: ConstraintSet, k: int, place: dict[int, int], base: int, near: np.ndarray
) -> Constraint:
    """Return a constraint between bodies of the cut-out model, whose base is displaced by -near."""
    x: Any = constraints.relations[k]
    x.check_place()
    given, planar = constraints.constraints[k], len(near) == 2
    one, two = (-1 if b == base else place[b] for b in (x.body1, x.body2))
    if isinstance(given, FrameConstraint):
        moved, T = plnr(0, near) if planar else xlt(near), x.T[2:5] if planar else x.T
        X1, X2 = ((X[2:5, 2:5] if planar else X) @ (moved if b < 0 else np.eye(len(moved)))
                  for X, b in ((x.X1, one), (x.X2, two)))  # fmt: skip
        axes = _axes(constraints, k, T[:-2] if planar else T[:3], T[-2:] if planar else T[3:])
        return FrameConstraint(two, X2, one, X1, rows=T, axes=axes, error="log6")
    shift = np.append(near, [0.0] * planar)
    p1, p2 = (p + shift * (b < 0) for p, b in ((x.point1, one), (x.point2, two)))
    if isinstance(given, DistanceConstraint):
        return replace(given, body1=one, point1=p1, body2=two, point2=p2)
    if given.directions is not None and base >= 0:
        raise ModelError(
            f"constraints[{k}].directions: directions along axes of the base close no loop between "
            "bodies that move together; use a FrameConstraint with rows in axes of a body"
        )
    assert isinstance(given, PointConstraint)
    return replace(given, body1=one, point1=p1, body2=two, point2=p2)


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
