"""Second derivatives of the KKT equations, from those of their coefficients, state by state.

With K the matrix of the equations and D one of the matrices [P; -L], [Q; -Lv] and [U; -Lt] of first
derivatives of their solution, the second derivatives need the products of D with the derivative of
K along each variable q_k. Only structurally nonzero entries of that derivative are multiplied.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.simd_columns import store_simd, take
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.ldl import ldl_columns
from spatial_v2.engine.tensors.sums import Paired
from spatial_v2.engine.tree import Floats

ROWS, COLUMNS = 4, 2 * SIMD_WIDTH
"""Rows and columns of a block of `multiply`."""


class InverseDynamics(NamedTuple):
    """Values (B, n) of the packed tensors of `ID_SO_derivatives`."""

    qq: Floats
    vv: Floats
    qv: Floats
    dM: Floats


class RowTensors(NamedTuple):
    """Tensors of m constraint rows in one state."""

    qq: Annotated[Floats, "m, nv, nv"]  # second derivatives of accelerations minus desired ones
    qv: Annotated[Floats, "m, nv, nv"]
    vv: Annotated[Floats, "m, nv, nv"]
    G_q: Annotated[Floats, "m, nv, nv"]  # derivatives of the Jacobian
    G_qq: Annotated[Floats, "nv, nv, nv"]  # second derivatives of the joint forces ``G^T lambda``


new_row_tensors = allocator(RowTensors, "q, m, nv")


@part
def first_columns(dqdd: Floats, dlambda: Floats, D: Floats) -> None:
    """Write dqdd (s, nv, nv), and minus dlambda (s, m, nv), side by side into D (nv + m, s nv)."""
    sets, nv, m = dqdd.shape[0], dqdd.shape[1], dlambda.shape[1]
    for t in range(sets):
        for c in range(nv):
            for i in range(nv):
                D[i, t * nv + c] = dqdd[t, i, c]
            for k in range(m):
                D[nv + k, t * nv + c] = -dlambda[t, k, c]


@part
def products(pairs: Paired, dM: Floats, G_q: Floats, D: Floats, N: Floats) -> None:
    """Compute the products N[k] = K_k D, with the derivative K_k of the KKT matrix along q_k.

    dM has the values of the derivatives of H, and G_q (m, nv, nv) those of the Jacobian. D has the
    shape (nv + m, n), and N the shape (nv, nv + m, n).
    """
    m, nv, n = G_q.shape[0], G_q.shape[1], D.shape[1]
    N[:, :, :] = 0.0
    for i in range(nv):
        for k in range(nv):
            for e in range(pairs.first[3, i * nv + k], pairs.first[3, i * nv + k + 1]):
                l, x = pairs.row[e], dM[pairs.entry[e]]
                for c in range(n):
                    N[k, i, c] += x * D[l, c]
    for r in range(m):
        for l in range(nv):
            for k in range(nv):
                x = G_q[r, l, k]
                if x != 0.0:
                    for c in range(n):
                        N[k, l, c] += x * D[nv + r, c]
                        N[k, nv + r, c] += x * D[l, c]


@part
def invert(W: Floats, U: Floats, Lt: Floats, Z: Floats, M: Floats) -> None:
    """Compute the matrix M that gives [x; y] = M^T [a; b] for right-hand sides [a; b] of `KKT`.

    W (m, m) has the factors of the Delassus matrix; U (nv, nv) and Lt (m, nv) are the derivatives
    of accelerations and multipliers with respect to the joint forces. M has the shape (nv + m, r)
    with r at least nv + m; Z (m, m) is a workspace.
    """
    m, nv = Lt.shape
    M[:, :] = 0.0
    Z[:, :] = 0.0
    for k in range(m):
        Z[k, k] = 1.0
    ldl_columns(W, m, 0, m, Z)
    for i in range(nv):
        for l in range(nv):
            M[l, i] = U[i, l]
    for k in range(m):
        for l in range(nv):
            M[l, nv + k], M[nv + k, l] = Lt[k, l], -Lt[k, l]
        for l in range(m):
            M[nv + l, nv + k] = Z[k, l]


@part
def multiply(M: Floats, R: Floats, out: Floats) -> None:
    """Compute the product ``out = M^T R``.

    The lengths of the rows of M and R are multiples of `ROWS` and `COLUMNS`.
    """
    for c in range(0, R.shape[1], COLUMNS):
        d = c + SIMD_WIDTH
        for i in range(0, M.shape[1], ROWS):
            x, y = take(R, 0, c), take(R, 0, d)
            a0, a1, a2, a3 = x * M[0, i], x * M[0, i + 1], x * M[0, i + 2], x * M[0, i + 3]
            b0, b1, b2, b3 = y * M[0, i], y * M[0, i + 1], y * M[0, i + 2], y * M[0, i + 3]
            for s in range(1, M.shape[0]):
                x, y = take(R, s, c), take(R, s, d)
                a0, a1 = a0 + x * M[s, i], a1 + x * M[s, i + 1]
                a2, a3 = a2 + x * M[s, i + 2], a3 + x * M[s, i + 3]
                b0, b1 = b0 + y * M[s, i], b1 + y * M[s, i + 1]
                b2, b3 = b2 + y * M[s, i + 2], b3 + y * M[s, i + 3]
            store_simd(a0, out, i, c)
            store_simd(a1, out, i + 1, c)
            store_simd(a2, out, i + 2, c)
            store_simd(a3, out, i + 3, c)
            store_simd(b0, out, i, d)
            store_simd(b1, out, i + 1, d)
            store_simd(b2, out, i + 2, d)
            store_simd(b3, out, i + 3, d)
