"""rotToEulerAngles: conversion of rotation matrices to angles about three body axes."""

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
    >>> from spatial_v2 import Rx, Ry, Rz, rotToEulerAngles
    >>> rotToEulerAngles(Rz(0.5)).a2 + 0
    array([0.5, 0. , 0. ])
    """

    a1: Array
    a2: Array


def rotToEulerAngles(R: Any, sequence: Sequence[int] = (3, 2, 1)) -> EulerAngles:
    """Return both solutions of R = R_s1(a[0]) R_s2(a[1]) R_s3(a[2]) (MATLAB ``rotToEulerAngles``).

    At gimbal lock only the sum or difference of the first and third angle is determined; then the
    first angle is zero, and the angles still represent R. MATLAB divides by zero there.

    Parameters
    ----------
    R : array, shape (..., 3, 3)
        Rotation matrices, body to space.
    sequence : three of 1, 2, 3
        The rotation axes s1, s2, s3, with x = 1, y = 2, z = 3 as in MATLAB. They are fixed in the
        body and move with the preceding rotations. Consecutive axes must differ.

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
        If `sequence` is not a valid sequence of axes.

    Notes
    -----
    The second rotation axis is along e_s1 x R e_s3; its sign distinguishes the two solutions.

    Examples
    --------
    >>> from spatial_v2 import Rx, Ry, Rz
    >>> a1, a2 = rotToEulerAngles(Rz(0.3) @ Ry(0.2) @ Rx(0.1), (3, 2, 1))
    >>> a2.round(12), a1.round(4)
    (array([0.3, 0.2, 0.1]), array([-2.8416,  2.9416, -3.0416]))
    """
    i, j, k = (axis - 1 for axis in as_sequence(sequence))
    R = as_rotation(R, "rotToEulerAngles: R")
    m, n = _CROSS[i, j], _CROSS[j, k]
    p, xp = R[..., k], namespace(R)
    branches = []
    for sign in (-1, 1):
        first = angle(sign * p[..., j : j + 1], -sign * _along(p, m))
        Q = _TURNS[i](-first[..., 0]) @ R
        second = angle(_along(Q[..., k], n), Q[..., k, k : k + 1])
        third = angle(_along(Q[..., j, :], n), Q[..., j, j : j + 1])
        branches.append(xp.concat([first, second, third], axis=-1))
    return EulerAngles(*branches)


_TURNS = Rx, Ry, Rz
_CROSS = np.cross(np.eye(3)[:, None], np.eye(3)).astype(int)
"""Entry [i, j] is the cross product e_i x e_j of coordinate axes."""


def _along(p: Array, e: np.ndarray) -> Array:
    """Return the component (..., 1) of p along e, which is plus or minus a coordinate axis."""
    axis = int(np.flatnonzero(e)[0])
    return int(e[axis]) * p[..., axis : axis + 1]


def as_sequence(sequence: Any) -> tuple[int, ...]:
    """Check a sequence of three axes 1, 2 or 3, of which consecutive ones differ."""
    axes = tuple(sequence) if np.ndim(sequence) == 1 else ()
    if len(axes) == 3 and all(x in (1, 2, 3) for x in axes) and axes[1] not in (axes[0], axes[2]):
        return tuple(map(int, axes))
    raise SpatialError(
        "sequence must be three of 1 (x), 2 (y), 3 (z), neighbours different, such as (3, 2, 1); "
        f"got {sequence!r}"
    )
