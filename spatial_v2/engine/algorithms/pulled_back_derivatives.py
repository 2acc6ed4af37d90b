"""First derivatives along a tree's variables, pulled back to variables that its joints follow."""

from __future__ import annotations

from spatial_v2.engine.algorithms.pulled_back_inertia import left
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.loop import Followers
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["pulled_back_derivatives"]


@jit
def pulled_back_derivatives(
    of: Followers, F_q: Floats, F_v: Floats, F_a: Floats, G: Floats, qd_y: Floats, qdd_y: Floats,
    qdd_v: Floats, by_y: Floats, by_yd: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives by_y, by_yd (B, n, n) of forces ``G^T F`` at constant G.

    Arguments are derivatives of F (B, nv, nv), and the entries (B, entries) of G, of the
    derivatives of the motion along y, qd_y and qdd_y, and with respect to yd, qdd_v.
    """
    nv, n = F_q.shape[1], by_y.shape[1]
    y, v = empty(F_q, nv, n), empty(F_q, nv, n)
    for b in range(F_q.shape[0]):
        for i in range(nv):
            for k in range(n):
                y[i, k], v[i, k] = F_q[b, i, of.own[k]], F_v[b, i, of.own[k]]
            for j in range(of.row.size):
                r, c = of.row[j], of.column[j]
                y[i, c] += F_q[b, i, r] * G[b, j] + F_v[b, i, r] * qd_y[b, j]
                y[i, c] += F_a[b, i, r] * qdd_y[b, j]
                v[i, c] += F_v[b, i, r] * G[b, j] + F_a[b, i, r] * qdd_v[b, j]
        left(of, G[b], y, by_y[b])
        left(of, G[b], v, by_yd[b])
