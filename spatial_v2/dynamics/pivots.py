"""Pivots of the joint-space inertia matrix, and the size below which they have no correct digit.

The pivot of a joint variable is what is left of the inertia that the joint carries when the joints
beyond it may move freely. It is a difference of terms as large as that inertia, and is rounded
accordingly. `least_pivots` measures the inertia as the kernels do, in `engine.parts.pivots`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays import objects as symbols
from spatial_v2.arrays.linear import pivots
from spatial_v2.arrays.namespaces import real_part
from spatial_v2.dynamics.moved_bodies import MovedBody
from spatial_v2.engine.parts.pivot_share import SHARE

__all__ = ["carried", "least_pivots", "regular", "regular_inertia"]


def carried(bodies: Sequence[MovedBody], Xup: Mapping[int, Array]) -> list[tuple[Array, Array]]:
    """Return the mass and the second moment of mass that each body carries, itself included.

    Parameters
    ----------
    bodies : sequence of MovedBody
        Links, then rotors.
    Xup : mapping of array, shape (..., 6, 6) or (..., 3, 3)
        Transforms of the bodies from their parents.

    Returns
    -------
    list of tuple of array, shape (...)
        For each body the mass, and the sum of ``m r^2`` about the body's origin, half the trace of
        the rotational inertia.
    """
    T, n = namespace(*Xup.values()).matrix_transpose, bodies[0].I.shape[-1]
    turn, half = (3, 0.5) if n == 6 else (1, 1.0)
    IC = [constant(body.I, Xup[b]) for b, body in enumerate(bodies)]
    for b, body in reversed(list(enumerate(bodies))):
        if body.parent >= 0:
            IC[body.parent] = IC[body.parent] + T(Xup[b]) @ IC[b] @ Xup[b]
    return [(I[..., -1, -1], half * sum(I[..., k, k] for k in range(turn))) for I in IC]


def least_pivots(
    bodies: Sequence[MovedBody], Xup: Mapping[int, Array], S: Mapping[int, Array]
) -> list[Array]:
    """Return for each body (..., n) the sizes up to which the pivots of its joint are rounding
    errors.

    For a motion ``s = [w; v]`` that is the share `SHARE` of ``R |w|^2 + m |v|^2``, with the mass m
    and its second moment R of `carried`. A change of units changes it as the pivot. For symbols,
    which are not compared, it is zero.
    """
    if namespace(*Xup.values()) is symbols:
        return [0.0] * len(bodies)
    least = []
    for b, (mass, moment) in enumerate(carried(bodies, Xup)):
        squares = constant(S[b] * S[b], mass)
        turns = 3 if squares.shape[-2] == 6 else 1
        xp = namespace(squares)
        turning, sliding = (
            xp.sum(x, axis=-2) for x in (squares[..., :turns, :], squares[..., turns:, :])
        )
        least.append(SHARE * (moment[..., None] * turning + mass[..., None] * sliding))
    return least


def regular(D: Array, least: Array) -> Array:
    """Return D (..., n, n), or NaN where one of its pivots is not larger than its entry of `least`.

    Real parts decide. Symbols, and numbers with other digits than doubles, stay as they are.

    Examples
    --------
    >>> D = np.array([[[1.0, 2.0], [2.0, 4.0]], [[1.0, 0.0], [0.0, 4.0]]])
    >>> regular(D, np.full(2, 1e-15)).tolist()
    [[[nan, nan], [nan, nan]], [[1.0, 0.0], [0.0, 4.0]]]
    """
    xp = namespace(D)
    if xp is symbols:
        return D
    with np.errstate(all="ignore"):
        sizes = real_part(pivots(D))
    right = xp.all(xp.abs(sizes) > xp.abs(real_part(least)), axis=-1)
    one = xp.ones_like(real_part(D[..., 0, 0]))
    return D * xp.where(right, one, np.nan * one)[..., None, None]


def regular_inertia(H: Array, least: Array) -> Array:
    """Return a joint-space inertia matrix H (..., n, n), or NaN where one of its pivots is not
    larger than its entry of `least` (..., n).

    Pivots are those of the articulated-body algorithm, from the last variable to the first.
    """
    if namespace(H) is symbols:
        return H
    flip = namespace(H).flip
    return flip(regular(flip(H, axis=(-2, -1)), flip(least, axis=-1)), axis=(-2, -1))
