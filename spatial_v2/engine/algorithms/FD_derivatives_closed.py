"""First derivatives of forward dynamics of a tree with closed loops, in independent variables."""

from spatial_v2.engine.algorithms.FDab_closed import (
    accelerate,
    begin,
    coefficients,
    follow,
    new_followed,
)
from spatial_v2.engine.algorithms.Hinverse_coupled import invert
from spatial_v2.engine.algorithms.ID_derivatives_closed import differentiate, new_slopes
from spatial_v2.engine.algorithms.open_loops import with_errors
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.loop import Branches
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.tree import Floats

Three = tuple[Floats, Floats, Floats]


@jit
def FD_derivatives_closed(
    of: Branches, q: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    results: Three, gap: Floats, bound: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives (B, n, n) of the accelerations of independent variables along y, and
    with respect to yd and tau, for the arguments and with gap and bound of `FDab_closed`.
    """
    (dq, dqd, Minv), link, constraints = results, of.of, with_errors(of.of.constraints)
    n = yd.shape[1]
    x, ydd = new_followed(of, q, n), empty(q, n)
    s = new_slopes(link, x, q, f_ext)
    begin(of, constraints, q, x)
    for b in range(q.shape[0]):
        follow(of, constraints, (q[b], yd[b]), x, b, gap[b], bound[b])
        coefficients(link, f_ext, f_body, b, x)
        accelerate(link, tau[b], x, ydd)
        differentiate(link, x, s, b, ydd, (f_ext, f_body), (dq[b], dqd[b]))
        ltdl_columns(link.above, x.L, dq[b])
        ltdl_columns(link.above, x.L, dqd[b])
        for i in range(n):
            for j in range(n):
                dq[b, i, j] = -dq[b, i, j]
                dqd[b, i, j] = -dqd[b, i, j]
        invert(link.above, x.L, Minv[b])
