"""First derivatives of constrained dynamics, from those of inverse dynamics and constraints."""

from spatial_v2.engine.algorithms.KKT_FO_derivatives import Linear, new_sides, solve_first
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.constrained import Equations
from spatial_v2.engine.parts.doubts import doubts_of_rows
from spatial_v2.engine.parts.kkt_arrays import new_factors
from spatial_v2.engine.parts.kkt_factors import factorise
from spatial_v2.engine.parts.outcomes import NEAR, TRUST, ZERO
from spatial_v2.engine.tree import Floats


@jit
def KKT_equations(
    of: Equations, at: Linear, size: Floats, least: Floats, dqdd: Floats, dlambda: Floats,
    doubt: Floats,
) -> None:  # fmt: skip
    """Compute first derivatives of accelerations, dqdd (B, 3, nv, nv), and of the m multipliers,
    dlambda (B, 3, m, nv), with respect to q, qd and tau.

    doubt (B, 1) is zero where they are valid, see `doubts_of_rows`, with the sizes of rows (B, m)
    and least pivots (B, nv) of H.
    """
    H, G = at.H, at.G
    m, nv = G.shape[1:]
    w, sides = new_factors(H, nv, m), new_sides(H, nv, m)
    for b in range(H.shape[0]):
        factorise(of, H[b], G[b], w)
        scales = size[b], least[b]
        doubt[b, 0] = doubts_of_rows(of, H[b], scales, w, TRUST, NEAR * ZERO)
        solve_first(of, at, b, w, sides, dqdd[b], dlambda[b])
