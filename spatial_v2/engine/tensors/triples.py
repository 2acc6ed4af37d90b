"""Two scalars for each triple of velocity variables, of which derivatives of H are sums.

Let p be the deepest of three variables on one path to the root, and t, r at or above it. The
scalars are ``a = s_r . (crf(s_p) IC - IC crm(s_p)) s_t`` and ``b = s_r . icrf(IC s_p) s_t``, where
s are motion subspaces and IC is the composite inertia that p moves. The Christoffel symbols are
sums of the two scalars as well.
"""

from collections.abc import Callable

import numpy as np

from spatial_v2.engine.compile.decorators import inline, part, specialise
from spatial_v2.engine.compile.subkernels import subkernel
from spatial_v2.engine.numbers.kinds import empty, simd_columns
from spatial_v2.engine.numbers.simd_columns import as_simd
from spatial_v2.engine.numbers.vectors import Six, crf, six
from spatial_v2.engine.parts.inertia import (
    apply_inertia,
    apply_lie_inertia,
    inertias,
    lie_inertia,
    sum_rows,
)
from spatial_v2.engine.parts.paths import path_variables
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.tensors.flush import flush, flush_all
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.engine.tensors.values import MARGIN, PILE, lay_of, six_at
from spatial_v2.engine.tree import Floats, Ints, Tree


@inline
def spread_subspaces(index: Ints, n: int, S: Floats, Z: Floats) -> None:
    """Copy the motion subspaces of the variables index[:n] into blocks of columns of Z."""
    m = simd_columns(Z)
    for x in range(n):
        for c in range(6):
            Z[x // m, c * m + x % m] = S[index[x], c]


@part
def scalars(P: Six, M: Floats, s: Six, z: Floats, blocks: int, w: Floats) -> None:
    """Compute a, b, (a - b) / 2 and (a + b) / 2 for variable t with subspace s, and all r on its
    path.

    P is the momentum IC s_p and M the matrix of `lie_inertia`. z has the motion subspaces of the r
    in blocks, and the four scalars are the columns of w.
    """
    u0, u1, u2, u3, u4, u5 = apply_lie_inertia(M, s)
    w0, w1, w2, w3, w4, w5 = crf(s, P)
    for k in range(blocks):
        r0, r1, r2, r3, r4, r5 = six_at(z, k, 0)
        a = u0 * r0 + u1 * r1 + u2 * r2 + u3 * r3 + u4 * r4 + u5 * r5
        b = w0 * r0 + w1 * r1 + w2 * r2 + w3 * r3 + w4 * r4 + w5 * r5
        w[k, 0], w[k, 1], w[k, 2], w[k, 3] = a, b, 0.5 * (a - b), 0.5 * (a + b)


def triples_of(runs: Runs, name: str) -> Callable[[Tree, Floats, Floats], None]:
    """Return the `subkernel` for the values of a tensor with these runs, cached under `name`."""
    lay, lay_own = lay_of(runs)
    made: Callable[[Tree, Floats, Floats], None]
    made = specialise(_triples, f"triples_{name}", lay=lay, lay_own=lay_own)
    return subkernel(made)


def lay(W: Floats, w: Floats, above: int, n: int, pending: Floats, count: Ints) -> None:
    """Placeholder for the function that `_triples` calls; see `lay_of`."""
    raise NotImplementedError


lay_own = lay


def _triples(tree: Tree, q: Floats, x: Floats) -> None:
    """Compute the values x (B, n) of a tensor.

    For three equal variables a and b are zero up to rounding, and their difference is set to zero.
    """
    nb, nv = tree.parent.size, 0
    for i in range(nb):
        nv += tree.joint[i, 4]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    IC, M = empty(q, nb + 1, 10), empty(q, 9)
    index, first = np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64)
    last = np.empty(nv, dtype=np.int64)
    m = simd_columns(q)
    Z, W = empty(q, (nv + m - 1) // m, 6 * m), empty(q, (nv + m - 1) // m, 4 * m)
    z, w = as_simd(Z), as_simd(W)
    pending = empty(q, 1, 6 * nv + MARGIN)
    Z[:] = 0.0
    count, done = np.empty(1, dtype=np.int64), np.empty(1, dtype=np.int64)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], R, p, S)
        inertias(tree, R, p, IC)
        sum_rows(tree, IC)
        count[0], done[0] = 0, 0
        for i in range(nb - 1, -1, -1):
            n = path_variables(tree, i, index, first, last)
            spread_subspaces(index, n, S, Z)
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                P = apply_inertia(IC[i], six(S[k]))
                lie_inertia(IC[i], six(S[k]), M)
                for y in range(n):
                    t, above, end = index[y], first[y], last[y]
                    scalars(P, M, six(S[t]), z, (end + m - 1) // m, w)
                    if t == k:
                        W[y // m, 2 * m + y % m] = 0.0
                    if end == n:
                        lay_own(W, w, above, end, pending, count)
                    else:
                        lay(W, w, above, end, pending, count)
                    if count[0] >= PILE:
                        flush(pending, count, 0, x, b, done)
        flush_all(pending, count, 0, x, b, done)
