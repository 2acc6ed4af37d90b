"""Hessian of weighted accelerations of a tree with closed loops, in its independent variables."""

from spatial_v2.engine.algorithms.FDab_closed import (
    accelerate,
    begin,
    coefficients,
    follow,
    new_followed,
)
from spatial_v2.engine.algorithms.Hinverse_coupled import invert
from spatial_v2.engine.algorithms.ID_derivatives_closed import new_slopes
from spatial_v2.engine.algorithms.modID_second_derivatives_closed import curve, new_curves
from spatial_v2.engine.algorithms.open_loops import with_errors
from spatial_v2.engine.algorithms.pulled_back_inertia import add_right, left, right
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.loop import Branches
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.parts.stage_products import add_product, fours
from spatial_v2.engine.tree import Floats

Two = tuple[Floats, Floats]
Three = tuple[Floats, Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


@jit
def modFD_second_derivatives_closed(
    of: Branches, q: Floats, yd: Floats, tau: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    first: Three, hessian: Four, loops: Two,
) -> None:  # fmt: skip
    """Compute first derivatives of the accelerations of independent variables, and the Hessian of
    their sum with the weights lam (B, n), for the arguments and with gap and bound of
    `FDab_closed`, which are `loops`.

    `first` and `hessian` (B, n, n) are those of `modFD_second_derivatives`.
    """
    (P, Q, Minv), (H_qq, H_vv, H_vq, H_tq), (gap, bound), link = first, hessian, loops, of.of
    f, n, constraints = link.followers, yd.shape[1], with_errors(link.constraints)
    x = new_followed(of, q, n)
    s, k = new_slopes(link, x, q, f_ext), new_curves(link, x, q, f_ext)
    ydd, weight, wide = empty(q, n), empty(q, n), fours(3 * n)
    yy, yv, N, D, C = (
        empty(q, n, n),
        empty(q, n, n),
        empty(q, n, n),
        empty(q, n, wide),
        empty(q, wide, n),
    )
    D[:, :] = 0.0
    begin(of, constraints, q, x)
    for b in range(q.shape[0]):
        follow(of, constraints, (q[b], yd[b]), x, b, gap[b], bound[b])
        coefficients(link, f_ext, f_body, b, x)
        accelerate(link, tau[b], x, ydd)
        for i in range(n):
            x.x[i, 0] = lam[b, i]
        ltdl_columns(link.above, x.L, x.x)
        for i in range(n):
            weight[i] = x.x[i, 0]
        slopes, second = (P[b], Q[b]), (yy, yv, H_vv[b])
        curve(link, x, s, k, b, ydd, weight, (f_ext, f_body), slopes, second)
        right(f, k.K, x.G, k.Y)
        add_right(f, x.H, k.bend.b_y, k.Y)
        left(f, x.G, k.Y, N)
        ltdl_columns(link.above, x.L, P[b])
        ltdl_columns(link.above, x.L, Q[b])
        invert(link.above, x.L, Minv[b])
        for i in range(n):
            for j in range(n):
                D[i, j] = P[b, i, j] = -P[b, i, j]
                D[i, n + j] = Q[b, i, j] = -Q[b, i, j]
                D[i, 2 * n + j] = Minv[b, i, j]
        C[:, :] = 0.0
        add_product(D, N, C, False)
        for i in range(n):
            for j in range(n):
                H_qq[b, i, j] = -yy[i, j] - C[i, j] - C[j, i]
                H_vv[b, i, j] = -H_vv[b, i, j]
                H_vq[b, i, j] = -yv[j, i] - C[n + i, j]
                H_tq[b, i, j] = -C[2 * n + i, j]
