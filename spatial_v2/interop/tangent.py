"""Derivatives with respect to the NQ entries of q, from those along the NV velocity variables.

Tools for automatic differentiation treat q as NQ free numbers. For them a function f of the
configuration is ``f(normalizeConfVec(q))``, which does not change with the norm of a quaternion or
the stretch of a rotation matrix. (Values are computed with normalised quaternions, but with
rotation matrices as given.) With D, the derivatives of f along the degrees of freedom, which this
library computes, the derivative with respect to the entries of q is ``D P(q)``. The matrix P, NV x
NQ, is the left inverse of the linear map `configurationRates`, here called R::

    P R = 1,   P n = 0 for n off the manifold,   R v = configurationRates(q, v, stabilise=False)

The gradient with respect to q is therefore ``P^T g``, where g is the gradient along the degrees of
freedom: its product with dq/dt is the derivative along that motion, and it is orthogonal to each
quaternion. `tangent` multiplies by P and `cotangent` by P^T; both are smooth in q, so that second
derivatives with respect to the entries of q can be computed too.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.joints.groups import FB, LINE, SE3, SO3, Group
from spatial_v2.model import Model
from spatial_v2.model.rotations import check_matrices, check_quaternions
from spatial_v2.three_d import cross_matrix, inv_skew, quaternion_rate_body, rq
from spatial_v2.three_d.quaternion_product import quaternion_product

__all__ = ["cotangent", "tangent"]


def tangent(model: Model, q: Array, dq: Array) -> Array:
    """Compute the displacement along the velocity variables for a change dq of the entries of q.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, dq : array, shape (..., NQ)
        Configurations, and changes of their entries.

    Returns
    -------
    array, shape (..., NV)
        Displacements; zero for a change that only scales a quaternion or stretches a matrix.

    Raises
    ------
    SpatialError
        If q is a NumPy array with a quaternion that is zero or a matrix that is no rotation.
        Where q is not finite, the result is NaN.

    Notes
    -----
    For a quaternion p the displacement is ``2 vec(p* dp) / p.p``, where p* is the conjugate. A
    matrix ``E = S U`` is a rotation U times a stretch S, and the displacement w follows from
    ``dU = -skew(w) U``; to first order about a rotation, ``U = (3 - E E^T) E / 2`` and
    ``S = (1 + E E^T) / 2``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["S", "Rx"])
    >>> tangent(model, np.array([1, 0, 0, 0, 7.0]), np.array([9, 0, 1, 0, 3.0]))
    array([0., 2., 0., 3.])
    """
    _check(model, q)
    parts = [_tangent(g, _part(q, i), _part(dq, i)) for g, i, _ in _runs(model)]
    return namespace(q, dq).concat(parts, axis=-1) if len(parts) > 1 else parts[0]


def cotangent(model: Model, q: Array, g: Array) -> Array:
    """Convert a gradient along the velocity variables to one with respect to the entries of q.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, g : array, shapes (..., NQ), (..., NV)
        Configurations, and derivatives along the degrees of freedom.

    Returns
    -------
    array, shape (..., NQ)
        The transpose of `tangent`, applied to g.

    Raises
    ------
    SpatialError
        If q is a NumPy array with a quaternion that is zero or a matrix that is no rotation.
        Where q is not finite, the result is NaN.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["S", "Rx"])
    >>> cotangent(model, np.array([1, 0, 0, 0, 7.0]), np.array([1, 2, 3, 4.0]))
    array([0., 2., 4., 6., 4.])
    """
    _check(model, q)
    parts = [_cotangent(k, _part(q, i), _part(g, j)) for k, i, j in _runs(model)]
    return namespace(q, g).concat(parts, axis=-1) if len(parts) > 1 else parts[0]


def _check(model: Model, q: Array) -> None:
    """Raise an error if q has a quaternion or a matrix that is no rotation."""
    if model.NQ != model.NV:
        check_quaternions(model, q)
        check_matrices(model, q)


def _part(x: Array, entries: slice) -> Array:
    """Return the given entries of vectors; for all entries return `x` itself, not a view."""
    return x if entries.stop - entries.start == x.shape[-1] else x[..., entries]


def _runs(model: Model) -> Iterator[tuple[Group, slice, slice]]:
    """Iterate over the joints' configuration spaces with their slices of q and of velocities.

    Successive joints with real variables are combined into one.
    """
    layout, run = model.layout, None
    for joint, i, j in zip(layout.joints, layout.qinds, layout.vinds, strict=True):
        if joint.group is LINE and run:
            run = LINE, slice(run[1].start, i.stop), slice(run[2].start, j.stop)
            continue
        if run:
            yield run
        run = (LINE, i, j) if joint.group is LINE else None
        if not run:
            yield joint.group, i, j
    if run:
        yield run


def _tangent(group: Group, q: Array, dq: Array) -> Array:
    if group is LINE:
        return dq
    xp = namespace(q, dq)
    if group is SO3:
        return _turn(SO3.matrix(q), SO3.matrix(dq))
    if group is SE3:
        T, dT = SE3.matrix(q), SE3.matrix(dq)
        w, p = _turn(T[..., :3, :3], dT[..., :3, :3]), T[..., :3, 3:]
        return xp.concat([w, -uncolumn(dT[..., :3, 3:] + cross_matrix(w) @ p)], axis=-1)
    p, sign = q[..., :4], constant(np.array([1.0, -1.0, -1.0, -1.0]), q)
    w = (
        2
        * quaternion_product(p * sign, dq[..., :4])[..., 1:]
        / xp.sum(p * p, axis=-1, keepdims=True)
    )
    return xp.concat([w, uncolumn(rq(p) @ column(dq[..., 4:]))], axis=-1) if group is FB else w


def _cotangent(group: Group, q: Array, g: Array) -> Array:
    if group is LINE:
        return g
    xp, w = namespace(q, g), g[..., :3]
    if group is SO3:
        return SO3.vector(_turned(SO3.matrix(q), w))
    if group is SE3:
        T, v = SE3.matrix(q), column(g[..., 3:])
        of_E = _turned(T[..., :3, :3], w - uncolumn(cross_matrix(T[..., :3, 3]) @ v))
        top = xp.concat([of_E, -v], axis=-1)
        return SE3.vector(xp.concat([top, 0 * top[..., :1, :]], axis=-2))
    p = q[..., :4]
    turn = 4 * quaternion_rate_body(p, w, stabilise=False) / xp.sum(p * p, axis=-1, keepdims=True)
    if group is not FB:
        return turn
    return xp.concat([turn, uncolumn(xp.matrix_transpose(rq(p)) @ column(g[..., 3:]))], axis=-1)


def _polar(E: Array) -> tuple[Array, Array]:
    """Split ``E = S U``, to first order about a rotation; return U and the inverse of
    ``tr(S) - S``.
    """
    one, EET = constant(np.eye(3), E), E @ namespace(E).matrix_transpose(E)
    trace = namespace(E).sum(EET * one, axis=(-2, -1))[..., None, None]
    return (3 * one - EET) @ E / 2, ((6 - trace) * one + EET) / 8


def _turn(E: Array, dE: Array) -> Array:
    """Compute the rotation w with ``dU = -skew(w) U``, where ``E = S U``; see `tangent`."""
    U, inverse = _polar(E)
    A = dE @ namespace(U).matrix_transpose(U)
    twist = 2 * inv_skew(A)
    return -uncolumn(inverse @ column(twist))


def _turned(E: Array, w: Array) -> Array:
    """Apply the transpose of the linear map `_turn` to w."""
    U, inverse = _polar(E)
    return -cross_matrix(uncolumn(inverse @ column(w))) @ U
