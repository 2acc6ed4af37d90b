"""First derivatives along a tree's variables, pulled back to variables that its joints follow."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.algorithms.pulled_back_inertia import add_left, add_right, left, right
from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.loop import Followers
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["Moved", "pull_back", "pull_back_second", "pulled_back_derivatives"]

Three = tuple[Floats, Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


class Moved(NamedTuple):
    """Entries (entries,) of G, of the derivatives of the motion along y, qd_y and qdd_y, and with
    respect to yd, qdd_v.
    """

    G: Floats
    qd_y: Floats
    qdd_y: Floats
    qdd_v: Floats


@inline
def pull_back(
    of: Followers, F: Three, x: Moved, y: Floats, v: Floats,
    by_y: Floats, by_yd: Floats,
) -> None:  # fmt: skip
    """Compute by_y, by_yd (n, n) of one state; y and v (nv, n) are scratch space."""
    F_q, F_v, F_a = F
    for i in range(y.shape[0]):
        for k in range(y.shape[1]):
            y[i, k], v[i, k] = F_q[i, of.own[k]], F_v[i, of.own[k]]
        for j in range(of.row.size):
            r, c = of.row[j], of.column[j]
            y[i, c] += F_q[i, r] * x.G[j] + F_v[i, r] * x.qd_y[j]
            y[i, c] += F_a[i, r] * x.qdd_y[j]
            v[i, c] += F_v[i, r] * x.G[j] + F_a[i, r] * x.qdd_v[j]
    left(of, x.G, y, by_y)
    left(of, x.G, v, by_yd)


@part
def pull_back_second(
    of: Followers, second: Four, moved: Moved, b_y: Floats, T: tuple[Floats, Floats],
    room: Three, out: Three,
) -> None:  # fmt: skip
    """Compute the blocks `out` (n, n), by (y, y), (y, yd) and (yd, yd), of weighted forces.

    `second` are second derivatives by (q, q), (q, qd), (qd, qd) and (q, qdd), T the derivatives
    along y and with respect to yd of forces that b_y turns; `room` is scratch space.
    """
    (qq, qv, vv, qa), (T_y, T_yd), (Y, V, turn), (yy, yv, vv_y) = second, T, room, out
    pull_back(of, (qq, qv, qa), moved, Y, V, turn, yv)
    right(of, qq, moved.G, Y)
    left(of, moved.G, Y, yy)
    add_left(of, b_y, T_y, turn)
    add_left(of, b_y, T_yd, yv)
    right(of, vv, moved.G, V)
    left(of, moved.G, V, vv_y)
    add_left(of, moved.qd_y, V, yv)
    Y[:, :] = 0.0
    add_right(of, vv, moved.qd_y, Y)
    n = yy.shape[0]
    for i in range(n):
        for j in range(n):
            turn[i, j] -= yy[i, j]
    add_left(of, moved.qd_y, Y, yy)
    for i in range(n):
        for j in range(n):
            yy[i, j] += turn[i, j] + turn[j, i]


@jit
def pulled_back_derivatives(
    of: Followers, F_q: Floats, F_v: Floats, F_a: Floats, G: Floats, qd_y: Floats, qdd_y: Floats,
    qdd_v: Floats, by_y: Floats, by_yd: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives by_y, by_yd (B, n, n) of forces ``G^T F`` at constant G.

    Arguments are derivatives of F (B, nv, nv), and the entries (B, entries) of `Moved`.
    """
    nv, n = F_q.shape[1], by_y.shape[1]
    y, v = empty(F_q, nv, n), empty(F_q, nv, n)
    for b in range(F_q.shape[0]):
        x = Moved(G[b], qd_y[b], qdd_y[b], qdd_v[b])
        pull_back(of, (F_q[b], F_v[b], F_a[b]), x, y, v, by_y[b], by_yd[b])
