"""Derivatives of inverse dynamics for inertial or mixed velocity of the base, from those for body
velocity.

Let nu be the velocities in the representation. With the base twist in body coordinates, velocities
and accelerations are functions x(q, nu) and y(q, nu, dnu/dt), which differ from nu and dnu/dt in
the first six entries alone. This module applies the chain rule to ``A^T tau(q, x, y)``. The
derivatives of x and y are 6x6 matrices and 6x6x6 tensors; entry [:, k, l] of a tensor is the
derivative with respect to variable k, then variable l.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from derivatives.ID_derivatives import IDDerivatives
from derivatives.ID_SO_derivatives import IDSODerivatives
from spatial_v2.arrays import Array, column, constant, namespace, on_first, uncolumn
from spatial_v2.dynamics.moving_base import BaseChart
from spatial_v2.spatial import crf, icrf, motion_cross_matrix

__all__ = [
    "BaseTerms",
    "changed_ID",
    "changed_ID_SO",
    "embedded",
    "on_columns",
    "on_rows",
    "on_vector",
]


class BaseTerms(NamedTuple):
    """Derivatives of the base's twist x and acceleration y in body coordinates: in the names of the
    fields q stands for derivatives along q, v for derivatives with respect to nu.
    """

    A: Array
    x_q: Array
    y_q: Array
    y_v: Array
    x_qq: Array
    x_qv: Array
    y_qq: Array
    y_qv: Array
    y_vv: Array
    P: Array

    @classmethod
    def of(cls, chart: BaseChart, x: Array, acceleration: Array) -> BaseTerms:
        """Evaluate the derivatives at the body twist x (..., 6) and the base acceleration in the
        representation.
        """
        A, P = chart
        w, K = uncolumn(A @ column(acceleration)), chart.bend(x)
        T = namespace(A, x, w).matrix_transpose
        x_q, w_q = motion_cross_matrix(x) @ P, motion_cross_matrix(w) @ P
        x_qq, x_qv, w_qq = (T(_crossed(Z, P)) for Z in (x_q, A, w_q))
        return cls(
            A=A,
            x_q=x_q,
            y_q=w_q - K @ x_q,
            y_v=-K @ A,
            x_qq=x_qq,
            x_qv=x_qv,
            y_qq=w_qq - _bent(P, x_q, x_q) - on_first(K, x_qq),
            y_qv=-_bent(P, x_q, A) - on_first(K, x_qv),
            y_vv=-_bent(P, A, A),
            P=P,
        )


def _crossed(U: Array, V: Array) -> Array:
    """Return the tensor whose entries [:, j, k] are the cross product ``U_j x V_k`` of columns of U
    and V.
    """
    xp = namespace(U, V)
    return xp.moveaxis(motion_cross_matrix(xp.matrix_transpose(U)) @ V[..., None, :, :], -3, -2)


def _bent(P: Array, U: Array, V: Array) -> Array:
    """Return second derivatives of the vector ``crm(P x) x`` along the columns of U and of V; see
    `BaseChart`.
    """
    T = namespace(U, V).matrix_transpose
    return _crossed(P @ U, V) + T(_crossed(P @ V, U))


def embedded(x: Array, n: int, *axes: int) -> Array:
    """Pad the given axes of x, which have six entries, with zeros to n entries."""
    xp = namespace(x)
    for axis in axes:
        shape = list(x.shape)
        shape[axis] = n - 6
        x = xp.concat([x, constant(np.zeros(shape), x)], axis=axis)
    return x


def on_vector(A: Array, x: Array) -> Array:
    """Apply A to the first six entries of vectors (..., NV)."""
    xp = namespace(A, x)
    return xp.concat([uncolumn(A @ column(x[..., :6])), x[..., 6:]], axis=-1)


def on_columns(M: Array, A: Array) -> Array:
    """Multiply the first six columns (entries of the last axis) by A from the right."""
    return namespace(M, A).concat([M[..., :6] @ A, M[..., 6:]], axis=-1)


def on_rows(A: Array, M: Array) -> Array:
    """Multiply the first six rows of matrices by A from the left."""
    return namespace(M, A).concat([A @ M[..., :6, :], M[..., 6:, :]], axis=-2)


def _on_first(A: Array, M: Array) -> Array:
    """Multiply the first six entries of the first axis of tensors by A from the left."""
    return namespace(M, A).concat([on_first(A, M[..., :6, :, :]), M[..., 6:, :, :]], axis=-3)


def _base_columns(M: Array, Z: Array) -> Array:
    """Multiply the first six columns of M by a 6x6 matrix Z; set the other columns to zero."""
    return embedded(M[..., :6] @ Z, M.shape[-1], -1)


def _base_pairs(M: Array, Z: Array) -> Array:
    """Multiply the first six columns of M by a 6x6x6 tensor Z, padded with zeros to NV."""
    return embedded(on_first(M[..., :6], Z), M.shape[-1], -1, -2)


def _push(P: Array, M: Array) -> Array:
    """Return the tensor whose entries [:, k, l] are ``(P e_k) x* M_l``, where M_l is column l of M
    and e_k a unit vector.
    """
    xp, n = namespace(P, M), M.shape[-1]
    K = crf(column(xp.matrix_transpose(P)))
    return embedded(xp.moveaxis(K @ M[..., None, :6, :], -3, -2), n, -2, -3)


def _pushed(P: Array, tau: Array) -> Array:
    """Return the matrix with ``(P e_k) x* tau`` in column k, for a base wrench tau and unit vectors
    e_k.
    """
    return embedded(icrf(tau[..., :6]) @ P, tau.shape[-1], -1, -2)


def _by_q(b: BaseTerms, d: IDDerivatives, H: Array) -> Array:
    """Return the derivatives of tau(q, x, y) along q at constant nu and dnu/dt; tau has the joint
    forces that belong to the base twist in body coordinates.
    """
    return d.dtau_dq + _base_columns(d.dtau_dqd, b.x_q) + _base_columns(H, b.y_q)


def _by_v(b: BaseTerms, d: IDDerivatives, H: Array) -> Array:
    """Return the derivatives of tau(q, x, y) with respect to nu; tau has the joint forces that
    belong to the base twist in body coordinates.
    """
    return on_columns(d.dtau_dqd, b.A) + _base_columns(H, b.y_v)


def changed_ID(b: BaseTerms, d: IDDerivatives, H: Array, tau: Array) -> IDDerivatives:
    """Transform first derivatives of inverse dynamics to the representation of `b`."""
    At = namespace(b.A, tau).matrix_transpose(b.A)
    by_q = _by_q(b, d, H) + _pushed(b.P, tau)
    return IDDerivatives(on_rows(At, by_q), on_rows(At, _by_v(b, d, H)))


def changed_ID_SO(
    b: BaseTerms, s: IDSODerivatives, d: IDDerivatives, H: Array, tau: Array
) -> IDSODerivatives:
    """Transform ordered second derivatives of inverse dynamics to the representation of `b`."""
    T = namespace(b.A, H, tau).matrix_transpose
    At, g, dM = T(b.A), d.dtau_dqd, T(s.dM_dq)
    A, x_q, y_q, y_v = (Z[..., None, :, :] for Z in (b.A, b.x_q, b.y_q, b.y_v))

    by_v = on_columns(s.d2tau_dqd, A)
    mixed = _base_columns(s.d2tau_cross, x_q) + _base_columns(dM, y_q)
    qq = (
        s.d2tau_dq + mixed + T(mixed)
        + T(_base_columns(T(_base_columns(s.d2tau_dqd, x_q)), x_q))
        + _base_pairs(g, b.x_qq) + _base_pairs(H, b.y_qq)
    )  # fmt: skip
    qv = (
        on_columns(s.d2tau_cross, A) + _base_columns(dM, y_v)
        + T(_base_columns(T(by_v), x_q))
        + _base_pairs(g, b.x_qv) + _base_pairs(H, b.y_qv)
    )  # fmt: skip
    vv = T(on_columns(T(by_v), A)) + _base_pairs(H, b.y_vv)
    aq = T(on_columns(dM, A)) + _base_pairs(H, T(b.x_qv))

    pushed = _push(b.P, _by_q(b, d, H))
    twice = T(_push(b.P, _pushed(b.P, tau)))
    return IDSODerivatives(
        d2tau_dq=_on_first(At, qq + pushed + T(pushed) + twice),
        d2tau_dqd=_on_first(At, vv),
        d2tau_cross=_on_first(At, qv + _push(b.P, _by_v(b, d, H))),
        dM_dq=_on_first(At, aq + T(_push(b.P, on_columns(H, b.A)))),
    )
