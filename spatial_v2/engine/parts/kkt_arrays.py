"""Arrays of the KKT equations of constrained dynamics, and workspace for their solution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import within
from spatial_v2.engine.numbers.kinds import empty, simd_columns
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

    Matrices with one column for each row of constraints, and one more for a right-hand side, have
    whole blocks of columns; see `numbers.column_blocks`.

    Attributes
    ----------
    L : (nv, nv)
        Factors of H, see `ltdl`.
    Y : (nv, m + 1)
        ``L^-T G^T``, and ``L^-T`` times the right-hand side.
    W : (m, m + 1)
        Factors of ``G H^-1 G^T + damping``: L below the diagonal, 1 / d on it, d L^T above it. The
        last column is minus the right-hand side, of which the rows above are eliminated.
    D : (m, m + 1)
        Products of the rows, in units of the distances, and then their factors.
    pivots : (m,)
        Relative pivots of W or D.
    first, last : (nv,) int64
        Row i of Y is zero but for the columns first[i]:last[i], which are all at first, and for the
        right-hand side.
    """

    L: Floats
    Y: Floats
    W: Floats
    D: Floats
    pivots: Floats
    first: Ints
    last: Ints


@within
def new_factors(q: Floats, nv: int, m: int) -> Factors:
    """Allocate the workspace of `factorise`, for the kind of number of q."""
    size = simd_columns(q)
    n, columns = (m // size + 1) * size, -(-nv // size) * size
    return Factors(
        empty(q, nv, columns), empty(q, nv, n), empty(q, m, n), empty(q, m, n), empty(q, m),
        np.zeros(nv, np.int64), np.full(nv, m, np.int64),
    )  # fmt: skip
