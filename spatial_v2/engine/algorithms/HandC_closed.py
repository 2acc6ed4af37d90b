"""Inertia matrix and bias force of a tree with closed loops, in its independent variables."""

from spatial_v2.engine.algorithms.FDab_closed import (
    begin,
    coefficients,
    follow,
    new_followed,
)
from spatial_v2.engine.algorithms.open_loops import with_errors
from spatial_v2.engine.algorithms.pulled_back_inertia import left
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.loop import Branches
from spatial_v2.engine.parts.loop_products import pulled_force
from spatial_v2.engine.tree import Floats


@jit
def HandC_closed(
    of: Branches, q: Floats, yd: Floats, f_ext: Floats, f_body: Floats, H: Floats, C: Floats,
    gap: Floats, bound: Floats,
) -> None:  # fmt: skip
    """Compute the inertia matrix H (B, n, n) and the bias force C (B, n) of independent variables,
    for the arguments and with gap and bound of `FDab_closed`.
    """
    link, constraints, x = of.of, with_errors(of.of.constraints), new_followed(of, q, yd.shape[1])
    begin(of, constraints, q, x)
    for b in range(q.shape[0]):
        follow(of, constraints, (q[b], yd[b]), x, b, gap[b], bound[b])
        coefficients(link, f_ext, f_body, b, x)
        left(link.followers, x.G, x.right, H[b])
        pulled_force(link.followers, x.G, x.C, C[b])
