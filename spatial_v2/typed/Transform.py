"""Plücker transforms between named frames."""

from __future__ import annotations

from typing import Any, overload

from spatial_v2.arrays import column, namespace, uncolumn
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import SpatialError
from spatial_v2.typed.Force import Force
from spatial_v2.typed.Inertia import Inertia
from spatial_v2.typed.Motion import Motion
from spatial_v2.typed.plain import Typed, frame_name, numbers
from spatial_v2.typed.vector import same

__all__ = ["Transform"]


class Transform(Typed):
    """A transform from coordinates of frame `of` to coordinates of frame `to`: ``X @ x``.

    x is a `Motion`, a `Force`, an `Inertia` or another `Transform`.

    Parameters
    ----------
    X : array, shape (..., 6, 6)
        Transform of motion vectors, from `plux`, `rotx` or `xlt`, for instance.
    to, of : str
        Names of the frames.

    Raises
    ------
    ArrayShapeError
        An X whose last axes are not (6, 6).

    Examples
    --------
    >>> from spatial_v2 import xlt
    >>> X = Transform(xlt([1, 0, 0]), "hand", "base")
    >>> X @ Motion([0, 0, 2, 0, 0, 0], "base")
    Motion in 'hand': [0. 0. 2.] rad/s, [0. 2. 0.] m/s
    >>> X @ Motion([0, 0, 2, 0, 0, 0], "hand")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: X @ x: frames differ: 'base' and 'hand'
    >>> X.inv() @ X
    Transform to 'base' of 'base'
    >>> X.T @ Force([0, 0, 0, 0, 1, 0], "hand")
    Force in 'base': [0. 0. 1.] N m, [0. 1. 0.] N
    """

    def __init__(self, X: Any, to: str, of: str) -> None:
        self.X = self.value = numbers(X, "Transform: X", 6, 6)
        self.to = frame_name(to, "Transform: to")
        self.of = frame_name(of, "Transform: of")

    def inv(self) -> Transform:
        """Return the inverse transform."""
        return Transform(motion_inverse(self.X), self.of, self.to)

    @property
    def T(self) -> Transpose:
        """The transpose, which transforms forces from coordinates of `to` to those of `of`."""
        return Transpose(self)

    @overload
    def __matmul__(self, x: Motion) -> Motion: ...
    @overload
    def __matmul__(self, x: Force) -> Force: ...
    @overload
    def __matmul__(self, x: Inertia) -> Inertia: ...
    @overload
    def __matmul__(self, x: Transform) -> Transform: ...

    def __matmul__(
        self, x: Motion | Force | Inertia | Transform
    ) -> Motion | Force | Inertia | Transform:
        if not isinstance(x, Motion | Force | Inertia | Transform):
            raise SpatialError(
                f"X @ x: want a Motion, Force, Inertia or Transform, got {type(x).__name__}"
            )
        same("frames", self.of, x.to if isinstance(x, Transform) else x.frame, "X @ x")
        if isinstance(x, Transform):
            return Transform(self.X @ x.X, self.to, x.of)
        if isinstance(x, Motion):
            return Motion(uncolumn(self.X @ column(x.value)), self.to, x.rate)
        back = motion_inverse(self.X)
        X_star = namespace(back).matrix_transpose(back)
        if isinstance(x, Force):
            return Force(uncolumn(X_star @ column(x.value)), self.to, x.rate)
        return Inertia(X_star @ x.value @ back, self.to)

    def __repr__(self) -> str:
        return f"Transform to {self.to!r} of {self.of!r}"


class Transpose(Typed):
    """The transpose of a `Transform` X: ``X.T @ f`` transforms forces in the opposite direction.

    It preserves power: ``f.dot(X @ v) == (X.T @ f).dot(v)``.

    Parameters
    ----------
    transform : Transform
        The transform X.
    """

    def __init__(self, transform: Transform) -> None:
        self.transform = transform
        self.value = namespace(transform.X).matrix_transpose(transform.X)

    @property
    def T(self) -> Transform:
        """The transform itself."""
        return self.transform

    @overload
    def __matmul__(self, x: Force) -> Force: ...
    @overload
    def __matmul__(self, x: Transpose) -> Transpose: ...

    def __matmul__(self, x: Force | Transpose) -> Force | Transpose:
        X = self.transform
        if isinstance(x, Transpose):
            return (x.transform @ X).T
        if not isinstance(x, Force):
            raise SpatialError(
                f"X.T @ x: want a Force or another transpose, got {type(x).__name__}; "
                "X.inv() @ x takes motions and inertias back"
            )
        same("frames", X.to, x.frame, "X.T @ f")
        return Force(uncolumn(self.value @ column(x.value)), X.of, x.rate)

    def __repr__(self) -> str:
        return f"Transpose of {self.transform!r}"
