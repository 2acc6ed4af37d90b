"""A frame of a body that stays, in some directions, where a frame of another body is."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from spatial_v2.arrays import Array, as_array, column, constant, namespace, uncolumn
from spatial_v2.constraints.ends import Body, check_span, frame_of
from spatial_v2.constraints.frame_relation import FrameRelation
from spatial_v2.constraints.motions import Motions, at_rest
from spatial_v2.constraints.rows import behind
from spatial_v2.constraints.vectors import ang, applied, cross, first, lin, second
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model import Model
from spatial_v2.spatial import transform_parts

__all__ = ["FrameConstraint"]

_PLANE = (2, 3, 4)


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
        Transform from `body1` to its frame.
    rows : sequence of int, or array_like, shape (6, m), optional
        Which of the directions [angular; linear] are held, or the matrix T whose columns span them;
        all by default. Of a planar model 0, 1, 2 are the turn, x and y, and T is (3, m).
    axes : {"body1", "body2"}, optional
        The body whose frame the rows have the axes of, and turn with: body 2 where body 1 is the
        base, else body 1.

    Notes
    -----
    The acceleration of the rows is the rate of their velocity. As position error [rad; m] serves
    ``[1/2 (R - R^T)^v; p]``, the pose R, p of the other frame as the one with the axes sees it: a
    turn has its sine, hence none near pi. A hinge about z leaves out row 2.

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
    axes: Literal["body1", "body2"] | None = None

    def on(self, model: Model, name: str) -> FrameOnModel:
        """The constraint of a model; `name` is what messages call it."""
        if self.axes not in (None, "body1", "body2"):
            raise ModelError(f"{name}.axes: want 'body1' or 'body2', got {self.axes!r}")
        i, X1 = frame_of(model, f"{name}.body1", self.body1, self.frame1)
        j, X2 = frame_of(model, f"{name}.body2", self.body2, self.frame2)
        if i == j:
            where = "the base" if i < 0 else f"body {i}"
            raise ModelError(f"{name}: both frames are on {where}: the rows are zero")
        own = self.axes or ("body2" if i < 0 else "body1")
        return FrameOnModel(i, X1, j, X2, self._directions(model, name), own == "body1")

    def _directions(self, model: Model, name: str) -> Array:
        """T, of shape (6, m)."""
        every = np.eye(6)[:, list(_PLANE)] if model.is_planar else np.eye(6)
        if self.rows is None:
            return every
        T, d = as_array(self.rows), every.shape[1]
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
        """The same with frame 1 where frame 2 is at a configuration q (NQ,): no position error."""
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
    axes_of_one: bool

    @property
    def m(self) -> int:
        """Number of rows."""
        return int(self.T.shape[1])

    @property
    def turns(self) -> bool:
        """Whether turns are held."""
        return bool(self.T[:3].any())

    @property
    def own(self) -> int:
        """The end, 0 or 1, whose axes the rows have."""
        return 0 if self.axes_of_one else 1

    @property
    def directions(self) -> Array:
        """Rows (m, 6) in the axes of that end."""
        return self.T.T

    @property
    def frames(self) -> tuple[Array, Array]:
        """Transforms to the frames."""
        return self.X1, self.X2

    def check_place(self) -> None:
        """The position error is always defined."""

    def at(self, motions: Motions) -> FrameRows:
        """The rows in a state."""
        return FrameRows(self, motions)


class FrameRows:
    """The rows of a frame constraint in a state: ``T^T`` times a `FrameRelation`."""

    def __init__(self, of: FrameOnModel, motions: Motions) -> None:
        self.of, self.motions = of, motions
        self.T = constant(of.T.T, motions.S)
        c, X = (of.body1, of.X1) if of.axes_of_one else (of.body2, of.X2)
        self.relation = FrameRelation(motions, of.body1, of.body2, c, X)

    def get(self, name: str) -> Array:
        """Velocity ``w``, ``alpha``, ``G`` or a derivative of theirs; see `FrameRelation`."""
        n = behind(name)
        return applied(self.T, self.relation.in_C(getattr(self.relation, name), n), n)

    def G_qq(self, weight: Array) -> Array:
        """Sum over the rows of weight (..., m) times the second derivative of G."""
        T = namespace(self.T).matrix_transpose
        return self.relation.G_qq(uncolumn(T(self.T) @ column(weight)))

    @functools.cached_property
    def _pose(self) -> tuple[Array, Array, Array]:
        """R, p of the other frame as the one with the axes sees it, and v with ``2 e = [v; ...]``.

        Seen from frame 2 both are those of frame 1, and e is minus what they give.
        """
        pose, xp = self.motions.pose, namespace(self.motions.S)
        ends = [constant(X, self.motions.S) @ pose(b) for b, X in
                ((self.of.body1, self.of.X1), (self.of.body2, self.of.X2))]  # fmt: skip
        (E, r), (E2, r2) = map(transform_parts, ends if self.of.axes_of_one else ends[::-1])
        R = E @ xp.matrix_transpose(E2)
        v = xp.concat([R[..., [2], [1]] - R[..., [1], [2]], R[..., [0], [2]] - R[..., [2], [0]],
                       R[..., [1], [0]] - R[..., [0], [1]]], axis=-1)  # fmt: skip
        return R, E @ column(r2 - r), column(v)

    @property
    def e(self) -> Array:
        """``T^T [1/2 (R - R^T)^v; p]``, one column."""
        _, p, v = self._pose
        e = namespace(p).concat([0.5 * v, p], axis=-2)
        return self.T @ (e if self.of.axes_of_one else -e)

    @property
    def e_q(self) -> Array:
        """Its derivatives along q: ``M g_l``."""
        return self.T @ self._M(self.relation.in_C(self.relation.G), 1)

    def _M(self, g: Array, n: int) -> Array:
        """``[(tr(R) - R) g_ang / 2; g_lin - p x g_ang]``."""
        R, p, _ = self._pose
        trace = (R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2])[(..., *[None] * (n + 1))]
        top = 0.5 * (trace * ang(g, n) - applied(R, ang(g, n), n))
        return namespace(g).concat([top, lin(g, p if n == 1 else first(p), n)], axis=-1 - n)

    @property
    def e_qq(self) -> Array:
        """Its second derivatives along q: those of M times g_l, and M times those of g_l."""
        g = self.relation.in_C(self.relation.G)
        R, p, v = self._pose
        G_q = self.relation.in_C(self.relation.G_q, 2)
        s = 1.0 if self.of.axes_of_one else -1.0
        w, g_w = s * second(ang(g)), first(ang(g))
        trace = -namespace(g).sum(w * first(v), axis=-3, keepdims=True)
        moved = cross(w, first(p), 2) + s * second(g[..., 3:, :])
        top = 0.5 * (trace * g_w - cross(w, first(R @ ang(g)), 2))
        rate = namespace(g).concat([top, -cross(moved, g_w, 2)], axis=-3)
        return applied(self.T, rate + self._M(G_q, 2), 2)
