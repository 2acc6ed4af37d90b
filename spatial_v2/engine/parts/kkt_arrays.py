"""Arrays of the KKT equations of constrained dynamics, and workspace for their solution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import within
from spatial_v2.engine.numbers.kinds import empty, simd_columns
from spatial_v2.engine.numbers.simd_columns import as_simd
from spatial_v2.engine.tree import Floats, Ints


class Posed(NamedTuple):
    """The KKT equations of B states: matrices, the scales that judge them, and right-hand sides.

    Attributes
    ----------
    H, G : (B, nv, nv), (B, m, nv)
        Inertia matrix and Jacobian.
    size, least : (B, m), (B, nv)
        Sizes of rows and least pivots of H, see `constraint_rows`.
    top, bottom : (B, nv, n), (B, m, n)
        Right-hand sides.
    """

    H: Floats
    G: Floats
    size: Floats
    least: Floats
    top: Floats
    bottom: Floats


class Factors(NamedTuple):
    """Factors of the KKT equations in one state.

    Matrices with one column for each row of constraints have whole blocks of columns, in which
    they are viewed, too; see `numbers.column_blocks`.

    Attributes
    ----------
    L, L_blocks : (nv, nv)
        Factors of H, see `ltdl`.
    Y, Y_blocks : (nv, m)
        ``L^-T G^T``.
    W, W_blocks : (m, m)
        Factors of ``G H^-1 G^T + damping``: L below the diagonal, 1 / d on it, d L^T above it.
    D, D_blocks : (m, m)
        Products of the rows, in units of the distances, and then their factors.
    pivots : (m,)
        Relative pivots of W or D.
    first, last : (nv,) int64
        Row i of Y is zero but for the columns first[i]:last[i], which are all at first.
    """

    L: Floats
    L_blocks: Floats
    Y: Floats
    Y_blocks: Floats
    W: Floats
    W_blocks: Floats
    D: Floats
    D_blocks: Floats
    pivots: Floats
    first: Ints
    last: Ints


@within
def new_factors(q: Floats, nv: int, m: int) -> Factors:
    """Allocate the workspace of `factorise`, for the kind of number of q."""
    size = simd_columns(q)
    n, columns = -(-m // size) * size, -(-nv // size) * size
    L, Y, W, D = empty(q, nv, columns), empty(q, nv, n), empty(q, m, n), empty(q, m, n)
    first, last = np.zeros(nv, np.int64), np.full(nv, m, np.int64)
    return Factors(
        L, as_simd(L), Y, as_simd(Y), W, as_simd(W), D, as_simd(D), empty(q, m), first, last
    )
