"""Plücker transforms between named frames."""

from __future__ import annotations

from typing import Any, overload

from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.typed.Force import Force
from spatial_v2.typed.Inertia import Inertia
from spatial_v2.typed.Motion import Motion
from spatial_v2.typed.vector import same

__all__ = ["Transform"]


class Transform:
    """From coordinates of one frame to those of another: ``X @ x``, whatever x is.

    Parameters
    ----------
    X : array, shape (..., 6, 6)
        Motion transform, as `plux`, `rotx` and `xlt` make it.
    to, of : str
        Names of the frames: it takes coordinates of frame `of`, and gives coordinates of `to`.

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
    """

    __array_ufunc__ = None

    def __init__(self, X: Any, to: str, of: str) -> None:
        self.X: Array = as_numbers(X, "Transform: X")
        if self.X.shape[-2:] != (6, 6):
            raise ArrayShapeError(f"Transform: X: want shape (..., 6, 6), got {self.X.shape}")
        self.to, self.of = to, of

    def inv(self) -> Transform:
        """The way back."""
        return Transform(motion_inverse(self.X), self.of, self.to)

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
                f"X @ x: want a Motion, Force, Inertia or Transform, got a {type(x).__name__}"
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
