"""Force on a moving body as a matrix times the ten inertial parameters."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, block, column, combination, namespace, uncolumn
from spatial_v2.three_d.skew import CROSS

__all__ = ["body_columns"]

_PLACE = np.array([[0, 5, 4], [5, 1, 3], [4, 3, 2]])
_ROTATIONAL = np.ascontiguousarray(np.eye(6, dtype=np.int8)[_PLACE].transpose(1, 0, 2))
"""_ROTATIONAL[k] @ [Ixx, Iyy, Izz, Iyz, Ixz, Ixy] is column k of the rotational inertia."""


def body_columns(a: Array, v: Array, w: Array) -> Array:
    """Compute the matrix Y with ``Y pi = I a + (v x* I w + w x* I v) / 2``.

    Parameters
    ----------
    a, v, w : array, shape (..., 6) or planar (..., 3)
        Acceleration of a body, and two velocities v and w.

    Returns
    -------
    array, shape (..., 6, 10) or planar (..., 3, 10)
        Columns for the parameters in the order of `INERTIAL_PARAMETERS`.

    Notes
    -----
    Let ``c = a_O + (omega x w_O + omega_w x v_O) / 2`` be the acceleration of the body's origin.
    The force is ``m c + alpha x h + ...`` and the couple ``h x c + I alpha + ...``. These are the
    Newton-Euler equations about a point that is not the centre of mass, in a form that is symmetric
    in the two velocities.

    Examples
    --------
    >>> g = np.array([0, 0, 0, 0, 0, 9.81])
    >>> body_columns(g, 0 * g, 0 * g)[:, :4] + 0
    array([[ 0.  ,  0.  ,  9.81,  0.  ],
           [ 0.  , -9.81,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  0.  ,  0.  ],
           [ 9.81,  0.  ,  0.  ,  0.  ]])
    """
    if a.shape[-1] == 3:
        return body_columns(*map(_lifted, (a, v, w)))[..., 2:5, :]
    xp, zero = namespace(a, v, w), 0 * (a + v + w)
    alpha, omega, half = (x[..., :3] + zero[..., :3] for x in (a, v, w / 2))
    W, X = combination(omega, CROSS), combination(half, CROSS)
    c = a[..., 3:] + uncolumn(W @ column(w[..., 3:] / 2) + X @ column(v[..., 3:]))
    A, C = combination(alpha, CROSS), combination(c, CROSS)
    I_alpha, I_omega, I_half = (combination(x, _ROTATIONAL) for x in (alpha, omega, half))

    none = xp.zeros_like(I_alpha)
    couple = none[..., :1], -C, I_alpha + W @ I_half + X @ I_omega
    force = column(c), A + W @ X + X @ W, none
    return block(couple, force)


def _lifted(m: Array) -> Array:
    """Convert planar motion vectors to spatial ones."""
    xp = namespace(m)
    none = xp.zeros_like(m)
    return xp.concat([none[..., :2], m, none[..., :1]], axis=-1)
