"""Conversion of the state of a floating base to its six joints."""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.base_angles import angles_of, cross, solved, subspace_rate, vectors_alike
from spatial_v2.spatial import Vpt
from spatial_v2.three_d import rq

__all__ = ["FloatingBaseJoints", "FloatingBaseRates", "floating_base_joints"]


@shown_in_notebooks
class FloatingBaseRates(NamedTuple):
    """The six joints Px Py Pz Rx Ry Rz of a floating base and their velocities."""

    q: Array
    """Positions: three coordinates [m], three angles [rad]; shape (..., 6)."""
    qd: Array
    """Velocities, shape (..., 6)."""


@shown_in_notebooks
class FloatingBaseJoints(NamedTuple):
    """Positions, velocities and accelerations of the six joints of a floating base."""

    q: Array
    """Positions: three coordinates [m], three angles [rad]; shape (..., 6)."""
    qd: Array
    """Velocities, shape (..., 6)."""
    qdd: Array
    """Accelerations, shape (..., 6)."""


def floating_base_joints(x: Any, xd: Any = None) -> Any:
    """Convert the state of a floating base to positions and rates of its six joints.

    Parameters
    ----------
    x : array, shape (..., 13) or (..., 7)
        Quaternion and position of the base, then its spatial velocity in fixed coordinates.
    xd : array, shape (..., 13), optional
        The rate of x.

    Returns
    -------
    q : array, shape (..., 6)
        If x has 7 entries: positions of the joints Px Py Pz Rx Ry Rz of `floatbase`, the fifth in
        [-pi/2, pi/2].
    FloatingBaseRates
        If x has 13 entries: positions and velocities ``q, qd``.
    FloatingBaseJoints
        If xd is given: positions, velocities and accelerations ``q, qd, qdd``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    The inverse of `floating_base_state`. If the fifth position is +-pi/2, the axes of the fourth
    and the sixth joint coincide: q is one of many solutions, and qd and qdd are infinite or
    undefined.

    Examples
    --------
    >>> from spatial_v2 import floating_base_state
    >>> p = floating_base_state([1, 2, 3, 0.4, 0.5, 0.6])
    >>> floating_base_joints(p).round(12)
    array([1. , 2. , 3. , 0.4, 0.5, 0.6])
    """
    size = 13 if xd is not None else (13, 7)
    arrays = {"x": x} if xd is None else {"x": x, "xd": xd}
    x, *rates = vectors_alike(size, **arrays)
    xp = namespace(x)
    r, angles = x[..., 4:7], angles_of(rq(x[..., :4]))
    q = xp.concat([r, angles], axis=-1)
    if x.shape[-1] == 7:
        return q
    w, rd = x[..., 7:10], Vpt(x[..., 7:], r)
    turn = solved(angles, w)
    qd = xp.concat([rd, turn], axis=-1)
    if not rates:
        return FloatingBaseRates(q, qd)
    wd = rates[0][..., 7:10]
    rdd = rates[0][..., 10:] - cross(rd, w) - cross(r, wd)
    bend = solved(angles, wd - uncolumn(subspace_rate(angles, turn) @ column(turn)))
    return FloatingBaseJoints(q, qd, xp.concat([rdd, bend], axis=-1))
