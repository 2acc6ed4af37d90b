"""Arrays of the KKT equations of constrained dynamics, and workspace for their solution."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import within
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["Factors", "Posed", "new_factors"]


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

    Attributes
    ----------
    L : (nv, nv)
        Factors of H, see `ltdl`.
    HG : (nv, m)
        ``H^-1 G^T``.
    W : (m, m)
        Factors of ``G H^-1 G^T + damping``.
    D : (m, m)
        Factors of the products of the rows.
    pivots : (m,)
        Relative pivots of W or D.
    row : (nv,)
        A row of G, in units of the distances.
    """

    L: Floats
    HG: Floats
    W: Floats
    D: Floats
    pivots: Floats
    row: Floats


@within
def new_factors(q: Floats, nv: int, m: int) -> Factors:
    """Allocate the workspace of `factorise`, for the kind of number of q."""
    return Factors(
        empty(q, nv, nv), empty(q, nv, m), empty(q, m, m), empty(q, m, m), empty(q, m),
        empty(q, nv),
    )  # fmt: skip
