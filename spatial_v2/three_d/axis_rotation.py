"""Coordinate rotation about a coordinate axis, the common formula of rx, ry, rz, rotx, ..."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.three_d.skew import cross_matrix

__all__ = ["axis_rotation"]


@cache
def _parts(axis: int, copies: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a a^T, 1 - a a^T and -skew(a) for an axis a, repeated along the block diagonal."""
    a = np.eye(3)[axis]
    parts = np.outer(a, a), np.eye(3) - np.outer(a, a), -cross_matrix(a)
    fixed, cos, sin = (np.kron(np.eye(copies), part).astype(np.int8) for part in parts)
    return fixed, cos, sin


def axis_rotation(theta: Any, axis: int, copies: int = 1, name: str = "theta") -> Array:
    """Return E = a a^T + cos(theta) (1 - a a^T) - sin(theta) skew(a), in `copies` diagonal blocks.

    a is the unit vector of coordinate axis number `axis`.

    Examples
    --------
    >>> import numpy as np
    >>> axis_rotation(np.pi / 2, 2).round(3)
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    theta = as_numbers(theta, name)[..., None, None]
    fixed, cos, sin = (constant(part, theta) for part in _parts(axis, copies))
    xp = namespace(theta)
    return xp.cos(theta) * cos + xp.sin(theta) * sin + fixed
