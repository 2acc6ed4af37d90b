"""A spherical joint with ZYX Euler angles: motion subspace and its derivatives.

The angles are q = [yaw, pitch, roll], ``E = rx(roll) ry(pitch) rz(yaw)``. The rows are ordered as
in MATLAB's folder `sphericalZYX`, linear part first, unlike everywhere else in the library. The
parametrisation is singular at pitch = pi/2; the joint types ``S`` and ``SO3`` have no singularity.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_numbers, check_leads
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["S_ring", "dSTf_dq", "dSm_dq", "s_ring_v_deriv", "sphericalZYXSubspace"]


def _vector(name: str, x: Any, n: int) -> Array:
    x = as_numbers(x, name)
    if x.ndim == 0 or x.shape[-1] != n:
        raise ArrayShapeError(f"{name}: want shape (..., {n}), got {tuple(x.shape)}")
    return x


def _pair(function: str, q: Any, **other: Any) -> tuple[Array, Array]:
    """Check the angles q, and another argument with its name, for a function."""
    ((name, x),) = other.items()
    q, x = alike(_vector("q", q, 3), _vector(name, x, 6 if name == "f" else 3))
    check_leads(function, **{"q": q.shape[:-1], name: x.shape[:-1]})
    return q, x


def _angular(q: Array, pitch: int, roll: int) -> Array:
    """Return the angular rows of S (..., 3, 3), differentiated `pitch` times with respect to the
    pitch angle and `roll` times with respect to the roll angle.
    """
    xp = namespace(q)
    zero = 0 * q[..., :1]

    def turn(angle: Array, times: int) -> tuple[Array, Array]:
        """Return the derivatives of order `times` of the sine and the cosine of an angle; 0 for the
        functions themselves.
        """
        s, c = xp.sin(angle), xp.cos(angle)
        return ((s, c), (c, -s), (-s, -c))[times]

    (s2, c2), (s3, c3) = turn(q[..., 1:2], pitch), turn(q[..., 2:], roll)
    one = zero + (1 if pitch == roll == 0 else 0)
    first = zero if roll else -s2
    second = (zero, zero) if pitch else (c3, -s3)
    rows = [[first, zero, one], [c2 * s3, second[0], zero], [c2 * c3, second[1], zero]]
    return xp.stack([xp.concat(row, axis=-1) for row in rows], axis=-2)


def _below_zeros(W: Array) -> Array:
    return namespace(W).concat([0 * W, W], axis=-2)


def _gradient(q: Array) -> tuple[Array, Array, Array]:
    """Return the derivatives of the angular rows of S with respect to yaw, pitch and roll."""
    dW = _angular(q, 1, 0)
    return 0 * dW, dW, _angular(q, 0, 1)


def sphericalZYXSubspace(q: Array) -> Array:
    """Compute the motion subspace of a spherical joint with ZYX angles, linear rows first.

    MATLAB: ``S = sphericalZYXSubspace(q)``.

    Parameters
    ----------
    q : array, shape (..., 3)
        Yaw, pitch and roll [rad].

    Returns
    -------
    array, shape (..., 6, 3)
        ``S qd`` has the body's angular velocity, in body coordinates, in its last three rows.

    Raises
    ------
    ArrayShapeError
        `q` does not have three angles.

    Examples
    --------
    >>> sphericalZYXSubspace([0, 0, 0])[3:]
    array([[-0.,  0.,  1.],
           [ 0.,  1.,  0.],
           [ 1., -0.,  0.]])
    """
    return _below_zeros(_angular(_vector("q", q, 3), 0, 0))


def S_ring(q: Array, v: Array) -> Array:
    """Compute the rate of the motion subspace in body coordinates, ``sum_k dS/dq_k v_k``.

    MATLAB: ``S_ring(q,v)``.

    Parameters
    ----------
    q, v : array, shape (..., 3)
        Angles [rad] and their rates [rad/s].

    Returns
    -------
    array, shape (..., 6, 3)
        The rate of `sphericalZYXSubspace`.

    Raises
    ------
    ArrayShapeError
        An argument does not have three entries.

    Examples
    --------
    >>> S_ring([0, 0, 0], [0, 1, 0])[3]
    array([-1.,  0.,  0.])
    """
    q, v = _pair("S_ring", q, v=v)
    return _below_zeros(sum(d * v[..., k, None, None] for k, d in enumerate(_gradient(q))))


def dSm_dq(q: Array, m: Array) -> Array:
    """Compute the derivative of ``S(q) m`` with respect to q at constant m.

    MATLAB: ``dSm_dq(q,m)``.

    Parameters
    ----------
    q, m : array, shape (..., 3)
        Angles [rad] and a constant vector.

    Returns
    -------
    array, shape (..., 6, 3)
        Column k is the derivative with respect to q_k.

    Raises
    ------
    ArrayShapeError
        An argument does not have three entries.

    Examples
    --------
    >>> dSm_dq([0, 0, 0], [1, 0, 0])[3]
    array([ 0., -1.,  0.])
    """
    q, m = _pair("dSm_dq", q, m=m)
    columns = [uncolumn(d @ column(m)) for d in _gradient(q)]
    return _below_zeros(namespace(q).stack(columns, axis=-1))


def dSTf_dq(q: Array, f: Array) -> Array:
    """Compute the derivative of ``S(q)^T f`` with respect to q at constant f.

    MATLAB: ``dSTf_dq(q,f)``.

    Parameters
    ----------
    q : array, shape (..., 3)
        Angles [rad].
    f : array, shape (..., 6)
        A constant force vector, linear part first.

    Returns
    -------
    array, shape (..., 3, 3)
        Column k is the derivative with respect to q_k.

    Raises
    ------
    ArrayShapeError
        `q` does not have three entries, or `f` does not have six.

    Examples
    --------
    >>> dSTf_dq([0, 0, 0], [0, 0, 0, 1, 0, 0])[0]
    array([ 0., -1.,  0.])
    """
    q, f = _pair("dSTf_dq", q, f=f)
    xp, n = namespace(q), column(f[..., 3:])
    return xp.stack([uncolumn(xp.matrix_transpose(d) @ n) for d in _gradient(q)], axis=-1)


def s_ring_v_deriv(q: Array, v: Array) -> Array:
    """Compute the derivative of ``S_ring(q, v) v`` with respect to q at constant v.

    MATLAB: ``s_ring_v_deriv(q,v)``.

    Parameters
    ----------
    q, v : array, shape (..., 3)
        Angles [rad] and their rates [rad/s].

    Returns
    -------
    array, shape (..., 6, 3)
        Column k is the derivative with respect to q_k.

    Raises
    ------
    ArrayShapeError
        An argument does not have three entries.

    Examples
    --------
    >>> s_ring_v_deriv([0, 0, 0], [1, 1, 0])[5]
    array([ 0., -1., -1.])
    """
    q, v = _pair("s_ring_v_deriv", q, v=v)
    pp, pr, rr = _angular(q, 2, 0), _angular(q, 1, 1), _angular(q, 0, 2)
    pitch, roll = v[..., 1, None, None], v[..., 2, None, None]
    by_q = [0 * pp, pp * pitch + pr * roll, pr * pitch + rr * roll]
    columns = [uncolumn(d @ column(v)) for d in by_q]
    return _below_zeros(namespace(q).stack(columns, axis=-1))
