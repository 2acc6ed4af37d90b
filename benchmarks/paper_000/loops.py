"""The backward pass of IDSVA-SO with three and with two nested loops (paper 000, Sec. IV-G).

Both forms are for joints with one degree of freedom, and compiled by Numba from the same functions.
A body p and a body t, which is p or an ancestor of p, have twelve forces u1 to u12 (Algorithm 1,
lines 29 to 36). Derivatives are products of these with motion vectors of bodies r, which are t or
ancestors of t. Three loops run over p, t and r. Two loops run over t and r; one matrix product then
computes the products for all p in the subtree of t, whose numbers must be consecutive.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from spatial_v2 import Model
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.spatial import crf, crm, icrf

__all__ = ["inputs", "results", "three_loops", "two_loops"]


def inputs(
    model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return parents, sizes of subtrees, motion vectors (n, 4, 6) and matrices (n, 9, 6, 6).

    The vectors of a body are psid, psidd, s, and sd + psid; its matrices B and A0 to A7 (Algorithm
    1, lines 15 to 24), whose icrf are as in `derivatives.reference.idsva_so`.
    """
    g, _ = robot_frame(model, q, qd, qdd)
    n, T = model.NB, np.matrix_transpose
    size = np.array([sum(i in model.ancestors[j] for j in range(n)) for i in range(n)])
    vectors = np.stack([x.T for x in (g.psid, g.psidd, g.S, g.Sd + g.psid)], axis=1)
    matrices = np.empty((n, 9, 6, 6))
    for p, (psid, psidd, s, both) in enumerate(vectors):
        IC, BC, fC = g.IC[p], 2 * g.BC[p], g.fC[p]
        A0, A1 = icrf(IC @ s), crf(s) @ IC - IC @ crm(s)
        B, B_psid = A1 + A0, crf(psid) @ IC - IC @ crm(psid) + icrf(IC @ psid)
        matrices[p] = (
            B, A0, A1, 2 * A0 - B, B_psid + crf(s) @ BC - BC @ crm(s), icrf(T(BC) @ s),
            icrf(BC @ psid + IC @ psidd + crf(s) @ fC), crf(s) @ IC + A0,
            icrf(BC @ s + IC @ both),
        )  # fmt: skip
    return model.parent.astype(np.int64), size, np.ascontiguousarray(vectors), matrices


def results(n: int) -> np.ndarray:
    """Return zeros for the four tensors, in one array."""
    return np.zeros((4, n, n, n))


@nb.njit
def add(A, x, sign, out):  # type: ignore[no-untyped-def]
    """Add ``sign A x`` to `out`."""
    for i in range(6):
        s = 0.0
        for k in range(6):
            s += A[i, k] * x[k]
        out[i] += sign * s


@nb.njit
def forces(A, x, u):  # type: ignore[no-untyped-def]
    """Compute u1 to u12, the rows of u, from the matrices A of p and the vectors x of t."""
    psid, psidd, s, both = x
    B, A0, A1, A2, A3, A4, A5, A6, A7 = A
    u[:, :] = 0.0
    add(A3.T, s, 1.0, u[0])
    add(A1.T, s, 1.0, u[1])
    add(A3, psid, 1.0, u[2])
    add(A1, psidd, 1.0, u[2])
    add(A5, s, 1.0, u[2])
    add(A6, s, 1.0, u[3])
    add(A2, psid, 1.0, u[4])
    add(A4, s, 1.0, u[4])
    add(B, psid, 1.0, u[5])
    add(A7, s, 1.0, u[5])
    add(A3, s, 1.0, u[6])
    add(A1, both, 1.0, u[6])
    add(A4, s, 1.0, u[7])
    add(B.T, psid, -1.0, u[7])
    add(A0, s, 1.0, u[8])
    add(B, s, 1.0, u[9])
    add(B.T, s, 1.0, u[10])
    add(A1, s, 1.0, u[11])


@nb.njit
def product(u, k, x, c):  # type: ignore[no-untyped-def]
    """Return the product of force u[k] and vector x[c]."""
    s = 0.0
    for m in range(6):
        s += u[k, m] * x[c, m]
    return s


@nb.njit
def write(p, t, r, y, qq, vv, qv, M):  # type: ignore[no-untyped-def]
    """Write the entries of the tensors for p, t and r, given the products y (12, 4) of forces and
    vectors.
    """
    p1, p2 = y[10, 0], y[7, 0] + y[8, 1]
    qq[p, t, r], qv[p, r, t] = p2, -p1
    if t != p:
        qq[t, p, r] = qq[t, r, p] = y[0, 0] + y[1, 1]
        qv[t, p, r] = y[0, 2] + y[1, 3]
        qv[t, r, p] = p1
        vv[t, r, p] = vv[t, p, r] = y[10, 2]
        M[r, t, p] = M[t, r, p] = y[11, 2]
    if r != t:
        qq[p, r, t], qq[r, p, t] = p2, y[2, 2]
        vv[p, t, r] = vv[p, r, t] = -y[10, 2]
        qv[p, t, r] = y[4, 2] + y[8, 3]
        qv[r, t, p] = y[5, 2]
        M[r, p, t] = M[p, r, t] = y[8, 2]
        if t != p:
            qq[r, t, p] = qq[r, p, t]
            qv[r, p, t] = y[6, 2]
            vv[r, p, t] = vv[r, t, p] = y[9, 2]
        else:
            vv[r, t, p] = y[3, 2]
    else:
        vv[p, t, r] = -y[1, 2]


@nb.njit
def three_loops(parent, size, vectors, matrices, qq, vv, qv, M):  # type: ignore[no-untyped-def]
    """Fill the tensors body by body, from leaves to root; only products that are used
    are computed.
    """
    u, y = np.empty((12, 6)), np.empty((12, 4))
    for p in range(parent.size - 1, -1, -1):
        t = p
        while t >= 0:
            forces(matrices[p], vectors[t], u)
            r = t
            while r >= 0:
                x = vectors[r]
                for k in range(12):
                    y[k, 2] = product(u, k, x, 2)
                for k in (0, 7, 10):
                    y[k, 0] = product(u, k, x, 0)
                for k in (1, 8):
                    y[k, 1], y[k, 3] = product(u, k, x, 1), product(u, k, x, 3)
                write(p, t, r, y, qq, vv, qv, M)
                r = parent[r]
            t = parent[t]


@nb.njit
def two_loops(parent, size, vectors, matrices, qq, vv, qv, M):  # type: ignore[no-untyped-def]
    """Fill the tensors with one matrix product for all bodies of a subtree."""
    n = parent.size
    u, turned = np.empty((n, 12, 6)), np.empty((6, 4))
    for t in range(n - 1, -1, -1):
        count = size[t]
        for p in range(count):
            forces(matrices[t + p], vectors[t], u[p])
        flat = u[:count].reshape(12 * count, 6)
        r = t
        while r >= 0:
            turned[:, :] = vectors[r].T
            y = np.dot(flat, turned).reshape(count, 12, 4)
            for p in range(count):
                write(t + p, t, r, y[p], qq, vv, qv, M)
            r = parent[r]
