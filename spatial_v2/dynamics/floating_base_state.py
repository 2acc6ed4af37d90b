"""Conversion of the six joints of a floating base to its state."""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.base_angles import cross, subspace, subspace_rate, vectors_alike
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.three_d import quaternion_rate_reference, rq, rx, ry, rz

__all__ = ["FloatingBaseState", "floating_base_state"]


@shown_in_notebooks
class FloatingBaseState(NamedTuple):
    """State of a floating base and its rate."""

    x: Array
    """Quaternion, position and spatial velocity in fixed coordinates, shape (..., 13)."""
    xd: Array
    """Rate of `x`, shape (..., 13)."""


def floating_base_state(q: Any, qd: Any = None, qdd: Any = None) -> Any:
    """Convert positions and rates of the six joints of a floating base to the state of the base.

    Parameters
    ----------
    q, qd, qdd : array, shape (..., 6)
        Positions, velocities and accelerations of the joints Px Py Pz Rx Ry Rz of `floatbase`;
        qdd requires qd.

    Returns
    -------
    p : array, shape (..., 7)
        For q alone: unit quaternion [w, x, y, z] of the base's orientation, position of its origin.
    x : array, shape (..., 13)
        For q and qd: p, then the spatial velocity in fixed coordinates; the state of `FDfb`.
    FloatingBaseState
        For q, qd and qdd: x and its rate, ``x, xd``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape, or `qdd` without `qd`.

    Notes
    -----
    ``E = rz(q6) ry(q5) rx(q4)``, ``omega = S [qd4 qd5 qd6]``. The angular velocity omega is along
    fixed axes. The linear part of the spatial velocity is the velocity of the body-fixed point at
    the fixed origin, ``rd + r x omega``.

    Examples
    --------
    >>> floating_base_state([1, 2, 3, 0, 0, 0], [0, 0, 0, 0, 0, 1])
    array([ 1.,  0.,  0.,  0.,  1.,  2.,  3.,  0.,  0.,  1.,  2., -1.,  0.])
    """
    if qd is None and qdd is not None:
        raise ArrayShapeError("fbkin: qdd is given without qd; give both")
    vectors = {n: x for n, x in (("q", q), ("qd", qd), ("qdd", qdd)) if x is not None}
    q, *rates = vectors_alike(6, **vectors)
    xp = namespace(q)
    r, angles = q[..., :3], q[..., 3:]
    quaternion = rq(rz(q[..., 5]) @ ry(q[..., 4]) @ rx(q[..., 3]))
    p = xp.concat([quaternion, r], axis=-1)
    if not rates:
        return p
    S, rd, turn = subspace(angles), rates[0][..., :3], rates[0][..., 3:]
    w = uncolumn(S @ column(turn))
    x = xp.concat([p, w, rd + cross(r, w)], axis=-1)
    if len(rates) == 1:
        return x
    wd = uncolumn(S @ column(rates[1][..., 3:]) + subspace_rate(angles, turn) @ column(turn))
    linear = rates[1][..., :3] + cross(rd, w) + cross(r, wd)
    xd = xp.concat([quaternion_rate_reference(w, quaternion), rd, wd, linear], axis=-1)
    return FloatingBaseState(x, xd)
