"""IDSVA for trees of revolute joints, in ground and in body coordinates (paper 002, Fig. 3).

Both are compiled by Numba from the same small functions, and take the same steps: they differ in
the frames of their vectors. In ground coordinates S and the inertias are transformed once; in body
coordinates the composite quantities and four forces are transformed from body to body.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from benchmarks.paper_002.vectors import (
    add_transformed,
    bias,
    crf,
    crm,
    forces_to_parent,
    joint,
    motion_from_parent,
    motion_to_ground,
    product,
    times,
    to_ground,
)

__all__ = ["body", "ground", "workspace"]


def workspace(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return memory for vectors and matrices of n bodies."""
    return np.zeros((7, n, 6)), np.zeros((4, n, 6, 6))


@nb.njit(inline="never")
def ground(parent, Xtree, I, a0, q, qd, qdd, vectors, matrices, dq, dqd):  # type: ignore[no-untyped-def]
    """Fill dq and dqd, derivatives of the joint forces with respect to q and qd, in ground
    coordinates.
    """
    v, a, S, Sd, P, Pd, f = vectors
    X, X0, IC, BC = matrices
    n = parent.size
    e, F, t = np.zeros(6), np.empty((4, 6)), np.empty((4, 6))
    e[2] = 1.0
    dq[:], dqd[:] = 0.0, 0.0
    for i in range(n):
        p = parent[i]
        joint(q[i], Xtree[i], X[i])
        if p < 0:
            X0[i] = X[i]
            t[0], t[1] = 0.0, a0
        else:
            product(X[i], X0[p], X0[i])
            t[0], t[1] = v[p], a[p]
        motion_to_ground(X0[i], e, S[i])
        outward(t, S[i], qd[i], qdd[i], P[i], Pd[i], Sd[i], v[i], a[i])
        to_ground(X0[i], I[i], IC[i])
        bias(IC[i], v[i], a[i], t, BC[i], f[i])
    for i in range(n - 1, -1, -1):
        p = parent[i]
        columns(IC[i], BC[i], f[i], S[i], Sd[i], P[i], Pd[i], F, t)
        j = i
        while j >= 0:
            entries(i, j, F, S, Sd, P, Pd, dq, dqd)
            j = parent[j]
        if p >= 0:
            IC[p] += IC[i]
            BC[p] += BC[i]
            f[p] += f[i]


@nb.njit(inline="never")
def body(parent, Xtree, I, a0, q, qd, qdd, vectors, matrices, dq, dqd):  # type: ignore[no-untyped-def]
    """Fill dq and dqd, derivatives of the joint forces with respect to q and qd, in body
    coordinates.
    """
    v, a, S, Sd, P, Pd, f = vectors
    X, _, IC, BC = matrices
    n = parent.size
    F, t = np.empty((4, 6)), np.empty((4, 6))
    dq[:], dqd[:] = 0.0, 0.0
    for i in range(n):
        p = parent[i]
        joint(q[i], Xtree[i], X[i])
        if p < 0:
            t[0] = 0.0
            motion_from_parent(X[i], a0, t[1])
        else:
            motion_from_parent(X[i], v[p], t[0])
            motion_from_parent(X[i], a[p], t[1])
        S[i] = 0.0
        S[i, 2] = 1.0
        outward(t, S[i], qd[i], qdd[i], P[i], Pd[i], Sd[i], v[i], a[i])
        IC[i] = I[i]
        bias(IC[i], v[i], a[i], t, BC[i], f[i])
    for i in range(n - 1, -1, -1):
        p = parent[i]
        columns(IC[i], BC[i], f[i], S[i], Sd[i], P[i], Pd[i], F, t)
        j = i
        while j >= 0:
            entries(i, j, F, S, Sd, P, Pd, dq, dqd)
            if parent[j] >= 0:
                forces_to_parent(X, j, F, 4)
            j = parent[j]
        if p >= 0:
            add_transformed(X[i], IC[i], IC[p])
            add_transformed(X[i], BC[i], BC[p])
            forces_to_parent(X, i, f[i : i + 1], 1)
            f[p] += f[i]


@nb.njit
def outward(t, S, qd, qdd, P, Pd, Sd, v, a):  # type: ignore[no-untyped-def]
    """Compute the motion v, a of a body from its parent's, t[0] and t[1], and the rates of S.

    They are ``P = v_p x S``, ``Pd = a_p x S + v_p x P`` and ``Sd = v x S``.
    """
    crm(t[0], S, P)
    crm(t[1], S, Pd)
    crm(t[0], P, t[2])
    for k in range(6):
        Pd[k] += t[2, k]
        v[k] = t[0, k] + S[k] * qd
    crm(v, S, Sd)
    for k in range(6):
        a[k] = t[1, k] + S[k] * qdd + Sd[k] * qd


@nb.njit
def columns(IC, BC, f, S, Sd, P, Pd, F, t):  # type: ignore[no-untyped-def]
    """Compute four forces F of a body i.

    Products of F[0] and F[1] with S of an ancestor j are the entries dq[j, i] and dqd[j, i].
    Products of F[2] = 2 BC^T S and F[3] = IC S with P, Pd, S and Sd of j add up to dq[i, j] and
    dqd[i, j].
    """
    for k in range(6):
        t[3, k] = P[k] + Sd[k]
    times(BC, P, 2.0, F[0])
    times(BC, S, 2.0, F[1])
    times(BC.T, S, 2.0, F[2])
    times(IC, S, 1.0, F[3])
    times(IC, Pd, 1.0, t[0])
    times(IC, t[3], 1.0, t[1])
    crf(S, f, t[2])
    for k in range(6):
        F[0, k] += t[0, k] + t[2, k]
        F[1, k] += t[1, k]


@nb.njit
def entries(i, j, F, S, Sd, P, Pd, dq, dqd):  # type: ignore[no-untyped-def]
    """Write the entries of dq and dqd for body i and for j, which is i or an ancestor of i."""
    above_q, above_qd, q, qd = 0.0, 0.0, 0.0, 0.0
    for k in range(6):
        above_q += F[0, k] * S[j, k]
        above_qd += F[1, k] * S[j, k]
        q += F[2, k] * P[j, k] + F[3, k] * Pd[j, k]
        qd += F[2, k] * S[j, k] + F[3, k] * (P[j, k] + Sd[j, k])
    dq[j, i], dqd[j, i] = above_q, above_qd
    if j != i:
        dq[i, j], dqd[i, j] = q, qd
