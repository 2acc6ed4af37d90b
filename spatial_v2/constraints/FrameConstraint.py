"""Constraints between a frame of one body and a frame of another, in some or all directions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.constraints.ends import Body, check_span, frame_of
from spatial_v2.constraints.frame_error import FrameError, LogError, SineError
from spatial_v2.constraints.frame_relation import FrameRelation
from spatial_v2.constraints.mixed_rows import MixedRows
from spatial_v2.constraints.motions import Motions, at_rest
from spatial_v2.constraints.rows import RowsOfOne, behind
from spatial_v2.constraints.vectors import applied, squared_reach
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.spatial import transform_parts

__all__ = ["FrameConstraint"]

_PLANE = (2, 3, 4)

Axes: TypeAlias = Literal["body1", "body2", "mixed"]
"""The axes of rows: of the frame of a body, or of the base, about the frames' origins."""
Error: TypeAlias = Literal["sine", "log6"]
"""Kind of position error of a frame."""


@dataclass(frozen=True, eq=False)
class FrameConstraint:
    """Two frames move alike, or do so in some directions: a weld, a loop joint, a flat foot.

    The velocity of the rows is ``T^T X (v_2 - v_1)``, X the transform to the frame whose axes they
    have. Their multiplier lambda is the wrench [couple N m; force N] on body 2 along the columns
    of T; body 1 feels the opposite.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body: its number, its name, the name of a frame of the model, or a `Frame`.
    frame2 : array_like, shape (6, 6), optional
        Transform from `body2` to its frame; the identity by default. Of a planar model (3, 3).
    body1 : int, str or Frame, optional
        The first body; the base by default.
    frame1 : array_like, shape (6, 6), optional
        Transform from `body1` to its frame; the identity by default. On the base it matters for the
        position error alone, which is not defined without it; see `placed`.
    rows : sequence of int, or array_like, shape (6, m), optional
        Indices of the directions [angular; linear] that are held, or the matrix T whose columns
        span them; all by default. For a planar model 0, 1, 2 are the turn, x and y, and T is (3,
        m).
    axes : {"body1", "body2", "mixed"}, optional
        The body whose frame the rows have the axes of, and turn with: body 2 where body 1 is the
        base, else body 1. ``"mixed"``: the base's axes, about the origins of the frames.
    error : {"sine", "log6"}, optional
        Definition of the position error.

    Notes
    -----
    The acceleration of the rows is the rate of their velocity. In mixed axes that is ``[omega_2 -
    omega_1; p2' - p1']``, and lambda the couple and the force on body 2 at its frame's origin,
    along the base's axes, as of Pinocchio's ``LOCAL_WORLD_ALIGNED``.

    With the pose R, p of the other frame as the one with the axes sees it, the position error
    [rad; m] is ``[1/2 (R - R^T)^v; p]``, in which a turn has its sine, hence none near pi, or
    ``log6(R, p)``, in which it has its angle: the twist that brings one frame to the other in one
    second, Pinocchio's. In mixed axes it is that in the axes of body 1, turned. A hinge about z
    leaves out row 2.

    Examples
    --------
    >>> from spatial_v2 import autoTree, constraint_jacobian, xlt
    >>> flat = FrameConstraint(1, xlt([1.0, 0.0, 0.0]), rows=[2, 4])
    >>> constraint_jacobian(autoTree(2), [0.0, 0.0], [flat])
    array([[1., 1.],
           [2., 1.]])
    """

    body2: Body
    frame2: Any = None
    body1: Body = -1
    frame1: Any = None
    rows: Any = None
    axes: Axes | None = None
    error: Error = "sine"

    def on(self, model: Model, name: str) -> FrameOnModel:
        """The constraint of a model; `name` is what messages call it."""
        if self.axes is not None and self.axes not in get_args(Axes):
            raise ModelError(f"{name}.axes: want 'body1', 'body2' or 'mixed', got {self.axes!r}")
        if self.error not in get_args(Error):
            raise ModelError(f"{name}.error: want 'sine' or 'log6', got {self.error!r}")
        i, X1 = frame_of(model, f"{name}.body1", self.body1, self.frame1)
        j, X2 = frame_of(model, f"{name}.body2", self.body2, self.frame2)
        if i == j:
            where = "the base" if i < 0 else f"body {i}"
            raise ModelError(f"{name}: both frames are on {where}: the rows are zero")
        own = self.axes or ("body2" if i < 0 else "body1")
        somewhere = i >= 0 or self.frame1 is not None or isinstance(self.body1, str | Frame)
        T = self._directions(model, name)
        return FrameOnModel(i, X1, j, X2, T, own, self.error, name, somewhere)

    def _directions(self, model: Model, name: str) -> Array:
        """T, of shape (6, m)."""
        every = np.eye(6)[:, list(_PLANE)] if model.is_planar else np.eye(6)
        if self.rows is None:
            return every
        T, d = as_numbers(self.rows, f"{name}.rows"), every.shape[1]
        if T.ndim == 1:
            chosen = np.asarray(self.rows)
            if chosen.dtype.kind not in "iu" or not np.isin(chosen, np.arange(d)).all():
                raise ModelError(
                    f"{name}.rows: want numbers from 0 to {d - 1}, or a matrix ({d}, m), got "
                    f"{self.rows!r}"
                )
            T = np.eye(d)[:, chosen]
        if T.ndim != 2 or T.shape[0] != d or not 1 <= T.shape[1] <= d:
            hint = "; its columns are the directions: transpose it" if T.shape[-1] == d else ""
            raise ArrayShapeError(
                f"{name}.rows: want numbers of rows or shape ({d}, m), got {tuple(T.shape)}{hint}"
            )
        check_span(f"{name}.rows", T)
        return every @ T

    def placed(self, model: Model, q: Array) -> FrameConstraint:
        """The constraint with frame 1 moved to frame 2 at a configuration q (NQ,)."""
        of, pose = self.on(model, "constraint"), Motions(model, *at_rest(model, q)).pose
        X = of.X2 @ pose(of.body2) @ motion_inverse(pose(of.body1))
        return replace(self, body1=of.body1, frame1=X[2:5, 2:5] if model.is_planar else X)


@dataclass(frozen=True, eq=False)
class FrameOnModel:
    """A frame constraint of a model: bodies by number, transforms from them, directions T."""

    body1: int
    X1: Array
    body2: int
    X2: Array
    T: Array
    axes: Axes
    error: Error
    name: str
    has_place: bool
    """True if the place of frame 1 on the base is known."""

    compiled = True
    """Kernels know its rows."""

    @property
    def m(self) -> int:
        """Number of rows."""
        return int(self.T.shape[1])

    @property
    def turns(self) -> bool:
        """True if turns are held."""
        return bool(self.T[:3].any())

    @property
    def own(self) -> int:
        """The end, 0 or 1, whose axes the rows have, or -1 for those of the base."""
        return {"body1": 0, "body2": 1, "mixed": -1}[self.axes]

    @property
    def directions(self) -> Array:
        """Rows (m, 6) in the axes of that end; along the base's the linear entries come first."""
        T = self.T.T
        return T if self.own >= 0 else namespace(T).concat([T[:, 3:], T[:, :3]], axis=1)

    @property
    def frames(self) -> tuple[Array, Array]:
        """Transforms to the frames."""
        return self.X1, self.X2

    @property
    def compiled_error(self) -> int:
        """The order of the derivatives of the position error that kernels have, -1 for none."""
        if self.error == "log6" or (self.own < 0 and self.turns):
            return -1
        return 1 if self.own >= 0 else 2

    def check_place(self) -> None:
        """Raise an error unless the position error is defined."""
        if not self.has_place:
            raise ModelError(
                f"{self.name}: no frame1 on the base, hence no position error; say where the "
                "ground's frame is, or let placed(model, q) take it from a configuration"
            )

    def at(self, motions: Motions) -> RowsOfOne:
        """The rows in a state."""
        ends = (self.body1, self.X1), (self.body2, self.X2)
        own = max(self.own, 0)
        relation = FrameRelation(motions, self.body1, self.body2, *ends[own])
        poses = [constant(X, motions.S) @ motions.pose(b) for b, X in ends]
        (E, r), (E2, r2) = map(transform_parts, poses[::-1] if own else poses)
        R = E @ namespace(E).matrix_transpose(E2)
        kind = SineError if self.error == "sine" else LogError
        error = kind(R, E @ column(r2 - r), -1.0 if own else 1.0)
        if self.own < 0:
            return MixedRows(ends, self.T.T, motions, relation, error)
        return FrameRows(self.T.T, relation, error)


class FrameRows:
    """The rows of a frame constraint in a state: ``T^T`` times a `FrameRelation`."""

    def __init__(self, rows: Array, relation: FrameRelation, error: FrameError) -> None:
        self.T, self.relation, self.error = constant(rows, relation.G), relation, error

    def get(self, name: str) -> Array:
        """Velocity ``w``, ``alpha``, ``G`` or a derivative of theirs; see `FrameRelation`."""
        n = behind(name)
        return applied(self.T, self.relation.in_C(getattr(self.relation, name), n), n)

    def G_qq(self, weight: Array) -> Array:
        """Sum over the rows of weight (..., m) times the second derivative of G."""
        T = namespace(self.T).matrix_transpose
        return self.relation.G_qq(uncolumn(T(self.T) @ column(weight)))

    @property
    def reach(self) -> np.ndarray:
        """Squared lengths (..., m) that the rows could have at most; see `Rows.sizes`."""
        one, two = self.relation.one, self.relation.two
        Y = self.T @ self.relation.Y
        return np.asarray(squared_reach(Y, one.S) + squared_reach(Y, two.S))

    @property
    def e(self) -> Array:
        """The position error, one column."""
        return self.T @ self.error.e

    @property
    def e_q(self) -> Array:
        """Its derivatives along q."""
        return self.T @ self.error.e_q(self.relation.in_C(self.relation.G))

    @property
    def e_qq(self) -> Array:
        """Its second derivatives along q."""
        r = self.relation
        return applied(self.T, self.error.e_qq(r.in_C(r.G), r.in_C(r.G_q, 2)), 2)
