"""Constraints between a frame of one body and a frame of another, in some or all directions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.constraints.ends import Body, check_span, frame_of
from spatial_v2.constraints.frame_error import LogError, SineError
from spatial_v2.constraints.frame_relation import FrameRelation
from spatial_v2.constraints.frame_rows import FrameRows
from spatial_v2.constraints.mixed_rows import MixedRows
from spatial_v2.constraints.motions import Motions, at_one
from spatial_v2.constraints.rows import RowsOfOne
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.spatial import transform_parts

__all__ = ["FrameConstraint"]

_PLANE = (2, 3, 4)

Axes: TypeAlias = Literal["body1", "body2", "mixed"]
"""Axes of the constraint rows: those of the frame on a body, or those of the base (mixed)."""
Error: TypeAlias = Literal["sine", "log6"]
"""Definition of the rotational position error: sine of the angle, or logarithm of the pose."""


@dataclass(frozen=True, eq=False)
class FrameConstraint:
    """Equal velocities of two frames in all or some directions: a weld, a loop joint, a foot.

    The velocity of the constraint rows is ``T^T X (v_2 - v_1)``, where v_1 and v_2 are the spatial
    velocities of the bodies, X transforms to the frame given by `axes`, and the columns of T are
    the directions given by `rows`. The multipliers lambda are the wrench [couple N m; force N] on
    body 2 along the columns of T; the opposite wrench acts on body 1.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body: its number, its name, the name of a frame of the model, or a `Frame`.
    frame2 : array_like, shape (6, 6), optional
        Transform from `body2` to frame 2; the identity by default. Shape (3, 3) for a planar model.
    body1 : int, str or Frame, optional
        The first body; the base by default.
    frame1 : array_like, shape (6, 6), optional
        Transform from `body1` to frame 1; the identity by default. If body 1 is the base, only the
        position error depends on it, and is undefined without it; see `placed`.
    rows : sequence of int, or array_like, shape (6, m), optional
        Indices of the constrained directions [angular; linear], or the matrix T whose columns span
        them; all six by default. For a planar model 0, 1, 2 are rotation, x and y, and T has shape
        (3, m).
    axes : {"body1", "body2", "mixed"}, optional
        Axes of the constraint rows: those of frame 1 or of frame 2, which rotate with the body. The
        default is ``"body2"`` if body 1 is the base, else ``"body1"``. ``"mixed"``: the axes of the
        base, with moments about the origins of the frames.
    error : {"sine", "log6"}, optional
        Definition of the position error; see the notes.

    Notes
    -----
    The acceleration of the rows is the time derivative of their velocity. In mixed axes the
    velocity is ``[omega_2 - omega_1; p2' - p1']``, with p1 and p2 the origins of the frames, and
    lambda is the couple and the force on body 2 at p2, along the axes of the base, as with
    Pinocchio's ``LOCAL_WORLD_ALIGNED``.

    Let R, p be the pose of one frame in coordinates of the frame given by `axes`. The position
    error [rad; m] is either ``[inv_skew(R); p]`` (``"sine"``), with the vector of the skew part
    of R, or ``log6(R, p)``, the twist that moves one frame to the other in one second, as in
    Pinocchio (``"log6"``). The first has the sine of the angle of rotation, which vanishes near pi,
    the second the angle itself. In mixed axes it is the error of ``"body1"`` in axes of the base.

    A hinge about z is a constraint without row 2.

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
        """Return the constraint resolved for a model; error messages call it `name`."""
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
        """Return the matrix T (6, m) of constrained directions, from the option `rows`."""
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
            hint = ". The directions are its columns: transpose it" if T.shape[-1] == d else ""
            raise ArrayShapeError(
                f"{name}.rows: want numbers of rows, or a matrix of shape ({d}, m), got shape "
                f"{tuple(T.shape)}{hint}"
            )
        check_span(f"{name}.rows", T)
        return every @ T

    def placed(self, model: Model, q: Array) -> FrameConstraint:
        """Return the constraint with frame 1 moved so that it holds at the configuration q."""
        of, pose = self.on(model, "constraint"), at_one(model, q).pose
        X = of.X2 @ pose(of.body2) @ motion_inverse(pose(of.body1))
        return replace(self, body1=of.body1, frame1=X[2:5, 2:5] if model.is_planar else X)


@dataclass(frozen=True, eq=False)
class FrameOnModel:
    """A frame constraint resolved for a model: numbers of the bodies, transforms to the frames,
    matrix T of constrained directions.
    """

    body1: int
    X1: Array
    body2: int
    X2: Array
    T: Array
    axes: Axes
    error: Error
    name: str
    has_place: bool
    """True if the pose of frame 1 is known, so that the position error is defined."""

    compiled = True
    """True: kernels can compute the constraint rows."""

    @property
    def m(self) -> int:
        """Number of constraint rows."""
        return int(self.T.shape[1])

    @property
    def turns(self) -> bool:
        """True if the constraint restricts rotations."""
        return bool(self.T[:3].any())

    @property
    def own(self) -> int:
        """Code of the axes of the rows: 0 for those of frame 1, 1 for frame 2, -1 for the base."""
        return {"body1": 0, "body2": 1, "mixed": -1}[self.axes]

    @property
    def directions(self) -> Array:
        """Directions of the rows (m, 6) in the axes that `own` names; in axes of the base, linear
        entries come first.
        """
        T = self.T.T
        return T if self.own >= 0 else namespace(T).concat([T[:, 3:], T[:, :3]], axis=1)

    @property
    def frames(self) -> tuple[Array, Array]:
        """Transforms (6, 6) from the bodies to frames 1 and 2."""
        return self.X1, self.X2

    @property
    def compiled_error(self) -> int:
        """Highest order of derivatives of the position error that kernels compute; -1 for none."""
        if self.error == "log6" or (self.own < 0 and self.turns):
            return -1
        return 1 if self.own >= 0 else 2

    def check_place(self) -> None:
        """Raise an exception if frame 1 on the base is not given, since the position error is then
        undefined.
        """
        if not self.has_place:
            raise ModelError(
                f"{self.name}: no frame1 is given, so there is no position error. Give the frame "
                "on the base, or call placed(model, q) to set it from a configuration"
            )

    def at(self, motions: Motions) -> RowsOfOne:
        """Return the constraint rows in a state."""
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
