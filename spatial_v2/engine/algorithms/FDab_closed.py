"""Forward dynamics of a tree with closed loops, in its independent variables."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.algorithms.loop_motion import Closing, at_rest, inverse, moving, new_closing
from spatial_v2.engine.algorithms.pulled_back_inertia import left, right
from spatial_v2.engine.compile.decorators import inline, jit, part, within
from spatial_v2.engine.loop import Linkage, LoopArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.body_sweep import motion_and_forces
from spatial_v2.engine.parts.coupling import eliminate
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.parts.pivot_share import SHARE
from spatial_v2.engine.parts.sweep import Moving, new_moving
from spatial_v2.engine.tree import Floats

__all__ = ["Followed", "accelerate", "loop_of", "most_dependents", "new_followed"]


class Followed(NamedTuple):
    """The motion and the dynamics of a tree with closed loops in one state.

    Attributes
    ----------
    q : (nq of loops,)
    w : Closing
    W : (dependents, most)
        See `inverse`, of all loops below each other.
    G : (entries,)
        Entries of `Followers`.
    g : (dependents,)
        Accelerations of dependents at ``ydd = 0``.
    bodies, IC, p : Moving, (nb + 1, 10), (nb + 1, 3)
        Workspaces of `HandC`.
    H, C : (nv, nv), (nv,)
        Coefficients of the dynamics of the tree.
    right, least, L, x : (nv, n), (n,), (n, n), (n, 1)
        H G; scratch space; factors of ``G^T H G``; right-hand side.
    """

    q: Floats
    w: Closing
    W: Floats
    G: Floats
    g: Floats
    bodies: Moving
    IC: Floats
    p: Floats
    H: Floats
    C: Floats
    right: Floats
    least: Floats
    L: Floats
    x: Floats


@part
def most_dependents(of: Linkage) -> int:
    """Return the largest number of dependent variables of a loop."""
    most = 0
    for l in range(of.begin.shape[0] - 1):
        most = max(most, of.begin[l + 1, 0] - of.begin[l, 0])
    return most


@within
def new_followed(of: Linkage, q: Floats, nv: int, n: int) -> Followed:
    """Allocate a `Followed`, for the kind of number of q, with an H of zeros."""
    most, r, nb = most_dependents(of), of.d.size, of.tree.parent.size
    H = empty(q, nv, nv)
    H[:, :] = 0.0
    return Followed(
        empty(q, of.q.size), new_closing(of.constraints, q, of.v.size, most), empty(q, r, most),
        empty(q, of.followers.row.size), empty(q, r), new_moving(q, nb, nv), empty(q, nb + 1, 10),
        empty(q, nb + 1, 3), H, empty(q, nv), empty(q, nv, n), empty(q, n), empty(q, n, n),
        empty(q, n, 1),
    )  # fmt: skip


@within
def loop_of(of: Linkage, l: int) -> LoopArrays:
    """Return loop l."""
    r0, r1, u0, u1 = of.begin[l, 0], of.begin[l + 1, 0], of.begin[l, 1], of.begin[l + 1, 1]
    return LoopArrays(
        of.constraints, of.rows[r0:r1], of.u[u0:u1], of.d[r0:r1], of.row_scale, of.column_scale
    )


@inline
def dependents(of: Linkage, W: Floats, X: Floats, out: Floats) -> None:
    """Compute ``-J_d^-1 X`` (entries,) for rows X (m, nv) by the independents of each loop."""
    e = 0
    for l in range(of.begin.shape[0] - 1):
        r0, r1, u0, u1 = of.begin[l, 0], of.begin[l + 1, 0], of.begin[l, 1], of.begin[l + 1, 1]
        for j in range(r0, r1):
            for k in range(u0, u1):
                x = 0.0 * W[j, 0]
                for i in range(r0, r1):
                    x -= W[j, i - r0] * X[of.rows[i], of.u[k]]
                out[e] = x
                e += 1


@part
def follow(of: Linkage, q: Floats, yd: Floats, x: Followed, qd: Floats) -> None:
    """Compute W, G, g, and the velocities qd (nv,) of the tree, at its configuration q."""
    w, f = x.w, of.followers
    for i in range(of.q.size):
        x.q[i] = q[of.q[i]]
    at_rest(of.constraints, x.q, w)
    for l in range(of.begin.shape[0] - 1):
        inverse(loop_of(of, l), w, x.W[of.begin[l, 0] : of.begin[l + 1, 0]])
    dependents(of, x.W, w.J, x.G)
    for i in range(qd.size):
        qd[i] = 0.0
    for k in range(f.own.size):
        qd[f.own[k]] = yd[k]
    for e in range(f.row.size):
        qd[f.row[e]] += x.G[e] * yd[f.column[e]]
    for i in range(of.v.size):
        w.qd[i] = qd[of.v[i]]
    moving(of.constraints, w)
    for l in range(of.begin.shape[0] - 1):
        for j in range(of.begin[l, 0], of.begin[l + 1, 0]):
            x.g[j] = 0.0
            for i in range(of.begin[l, 0], of.begin[l + 1, 0]):
                x.g[j] -= x.W[j, i - of.begin[l, 0]] * w.alpha[of.rows[i]]


@inline
def accelerate(
    of: Linkage, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, b: int,
    x: Followed, ydd: Floats,
) -> None:  # fmt: skip
    """Compute the accelerations ydd (n,) of state b under the forces tau (n,), and the factors L,
    after `follow`. C becomes the bias force at ``ydd = 0``.
    """
    f, none = of.followers, x.C[:0]
    motion_and_forces(of.tree, q, qd, none, f_ext, f_body, b, x.bodies, x.p, x.C)
    mass_matrix(of.tree, x.bodies.R, x.bodies.p, x.bodies.S, x.IC, x.H)
    for i in range(x.C.size):
        for j in range(of.d.size):
            x.C[i] += x.H[i, of.v[of.d[j]]] * x.g[j]
    right(f, x.H, x.G, x.right)
    left(f, x.G, x.right, x.L)
    for k in range(ydd.size):
        x.least[k] = SHARE * x.L[k, k]
        x.x[k, 0] = tau[k] - x.C[f.own[k]]
    for e in range(f.row.size):
        x.x[f.column[e], 0] -= x.G[e] * x.C[f.row[e]]
    eliminate(of.above, x.least, x.L)
    ltdl_columns(of.above, x.L, x.x)
    for k in range(ydd.size):
        ydd[k] = x.x[k, 0]


@jit
def FDab_closed(
    of: Linkage, q: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, ydd: Floats
) -> None:
    """Compute the accelerations ydd (B, n) of independent variables under the forces tau (B, n), at
    closed configurations q (B, NQ) of the tree.
    """
    nv, n = of.followers.own.size + of.d.size, yd.shape[1]
    x, qd = new_followed(of, q, nv, n), empty(q, q.shape[0], nv)
    for b in range(q.shape[0]):
        follow(of, q[b], yd[b], x, qd[b])
        accelerate(of, q, qd, tau[b], f_ext, f_body, b, x, ydd[b])
