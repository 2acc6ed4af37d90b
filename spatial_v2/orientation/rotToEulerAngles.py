"""rotToEulerAngles: rotation matrices to angles about three body axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.angle import angle
from spatial_v2.arrays.checks import as_rotation
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import SpatialError
from spatial_v2.orientation.elementary import Rx, Ry, Rz

__all__ = ["EulerAngles", "as_sequence", "rotToEulerAngles"]


@shown_in_notebooks
class EulerAngles(NamedTuple):
    """The two triples of angles that give the same rotation.

    Parameters
    ----------
    a1 : array, shape (..., 3)
        First solution [rad].
    a2 : array, shape (..., 3)
        Second solution [rad].

    Examples
    --------
    >>> rotToEulerAngles(Rz(0.5)).a2 + 0
    array([0.5, 0. , 0. ])
    """

    a1: Array
    a2: Array


def rotToEulerAngles(R: Any, sequence: Sequence[int] = (3, 2, 1)) -> EulerAngles:
    """Both triples a with R = R_s1(a[0]) R_s2(a[1]) R_s3(a[2]) (MATLAB ``rotToEulerAngles``).

    At gimbal lock, where only a sum or difference of the outer angles is determined, the first
    angle is zero and the triple still gives R; MATLAB divides by zero.

    Parameters
    ----------
    R : array, shape (..., 3, 3)
        Rotation matrices, body to space.
    sequence : three of 1, 2, 3
        The axes, x = 1, y = 2, z = 3 as in MATLAB, each one turned with the body by those before;
        neighbours differ.

    Returns
    -------
    a1, a2 : array, shape (..., 3)
        Angles in (-pi, pi] [rad], in MATLAB's order. The middle angle is in [0, pi] in a2 if the
        first and third axis are the same; else it is in [-pi/2, pi/2] in a2 for the sequences 132,
        213 and 321, in a1 for 123, 231 and 312.

    Raises
    ------
    ArrayShapeError
        If `R` does not hold 3x3 rotation matrices.
    SpatialError
        If `sequence` is no sequence of axes.

    Notes
    -----
    The second axis is e_s1 x R e_s3, up to its sign, which tells the two solutions apart.

    Examples
    --------
    >>> a1, a2 = rotToEulerAngles(Rz(0.3) @ Ry(0.2) @ Rx(0.1), (3, 2, 1))
    >>> a2.round(12), a1.round(4)
    (array([0.3, 0.2, 0.1]), array([-2.8416,  2.9416, -3.0416]))
    """
    i, j, k = (axis - 1 for axis in as_sequence(sequence))
    R = as_rotation(R, "rotToEulerAngles: R")
    m, n = _CROSS[i, j], _CROSS[j, k]
    p, xp = R[..., k], namespace(R)
    found = []
    for sign in (-1, 1):
        first = angle(sign * p[..., j : j + 1], -sign * _along(p, m))
        Q = _TURNS[i](-first[..., 0]) @ R
        second = angle(_along(Q[..., k], n), Q[..., k, k : k + 1])
        third = angle(_along(Q[..., j, :], n), Q[..., j, j : j + 1])
        found.append(xp.concat([first, second, third], axis=-1))
    return EulerAngles(*found)


_TURNS = Rx, Ry, Rz
_CROSS = np.cross(np.eye(3)[:, None], np.eye(3)).astype(int)
"""e_i x e_j."""


def _along(p: Array, e: np.ndarray) -> Array:
    """The component (..., 1) of p along plus or minus a coordinate axis e."""
    axis = int(np.flatnonzero(e)[0])
    return int(e[axis]) * p[..., axis : axis + 1]


def as_sequence(sequence: Any) -> tuple[int, ...]:
    """Three axes 1, 2, 3, neighbours different."""
    axes = tuple(sequence) if np.ndim(sequence) == 1 else ()
    if len(axes) == 3 and all(x in (1, 2, 3) for x in axes) and axes[1] not in (axes[0], axes[2]):
        return tuple(map(int, axes))
    raise SpatialError(
        "sequence must be three of 1 (x), 2 (y), 3 (z), neighbours different, such as (3, 2, 1); "
        f"got {sequence!r}"
    )
