"""First derivatives of forward dynamics of a tree with closed loops, in independent variables.

At constant multipliers of the loops, ``T = ID - J^T lambda`` has no components along the dependent
variables, so that its derivatives need no derivative of G; see the theory of closed loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.algorithms.constraint_derivatives import (
    pushed_frame,
    pushed_point,
    row_derivatives,
)
from spatial_v2.engine.algorithms.FDab_closed import (
    Followed,
    accelerate,
    dependents,
    follow,
    new_followed,
)
from spatial_v2.engine.algorithms.Hinverse_coupled import invert
from spatial_v2.engine.algorithms.ID_derivatives import inward_derivatives
from spatial_v2.engine.algorithms.pulled_back_derivatives import Moved, pull_back
from spatial_v2.engine.compile.decorators import inline, jit, part, within
from spatial_v2.engine.loop import Linkage
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.constraint_arrays import (
    RowVectors,
    ends,
    new_row_vectors,
    row_sweep,
)
from spatial_v2.engine.parts.external import external, stationary_matrix
from spatial_v2.engine.parts.joint_terms import add_diagonal
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.parts.row_velocities import velocity_derivatives
from spatial_v2.engine.parts.sweep import Sweep, forward_pass, new_sweep
from spatial_v2.engine.tree import Floats, Ints

__all__ = [
    "FD_derivatives_closed",
    "RowSlopes",
    "multipliers",
    "new_row_slopes",
    "push",
    "row_slopes",
    "subtract",
    "through",
]


class RowSlopes(NamedTuple):
    """Derivatives of the rows of all loops in one state.

    Attributes
    ----------
    sweep, rows, vJ, T : Sweep, RowVectors, (6,), (2, m, 6)
        Workspaces of `row_sweep` and `velocity_derivatives`.
    qdd, z, lam : (nv,), (nv,), (m,)
        Accelerations of the loops' joints, joint forces, and multipliers of the rows.
    alpha, alpha_q, alpha_qd, w_q : (m,), (m, nv), (m, nv), (m, nv)
        Accelerations of the rows and their derivatives; those of velocities along q.
    P : (m, nv)
        Scratch space.
    push : (nv, nv)
        Derivatives of ``J^T lam`` along q.
    moved : Moved
    var, first, last : (nv,) int64
        Workspaces of `path_variables`.
    """

    sweep: Sweep
    rows: RowVectors
    vJ: Floats
    T: Floats
    qdd: Floats
    z: Floats
    lam: Floats
    alpha: Floats
    alpha_q: Floats
    alpha_qd: Floats
    w_q: Floats
    P: Floats
    push: Floats
    moved: Moved
    var: Ints
    first: Ints
    last: Ints


@within
def new_row_slopes(of: Linkage, q: Floats) -> RowSlopes:
    """Allocate a `RowSlopes`, for the kind of number of q."""
    m, nv, e = of.row_scale.size, of.v.size, of.followers.row.size
    return RowSlopes(
        new_sweep(q, of.constraints.tree.parent.size, nv), new_row_vectors(q, m), empty(q, 6),
        empty(q, 2, m, 6), empty(q, nv), empty(q, nv), empty(q, m), empty(q, m), empty(q, m, nv),
        empty(q, m, nv), empty(q, m, nv), empty(q, m, nv), empty(q, nv, nv),
        Moved(empty(q, e), empty(q, e), empty(q, e), empty(q, e)),
        np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64),
    )  # fmt: skip


@inline
def add_through(of: Linkage, X: Floats, entries: Floats, out: Floats) -> None:
    """Add the products of rows X (m, nv) with a matrix, whose rows of dependents have the entries,
    to the columns of independents of out (m, nv).
    """
    e = 0
    for l in range(of.begin.shape[0] - 1):
        r0, r1, u0, u1 = of.begin[l, 0], of.begin[l + 1, 0], of.begin[l, 1], of.begin[l + 1, 1]
        for j in range(r0, r1):
            for k in range(u0, u1):
                for i in range(r0, r1):
                    out[of.rows[i], of.u[k]] += X[of.rows[i], of.d[j]] * entries[e]
                e += 1


@inline
def through(of: Linkage, X: Floats, G: Floats, out: Floats) -> None:
    """Compute the products of rows X (m, nv) with G in the columns of independents."""
    for i in range(of.rows.size):
        for k in range(of.u.size):
            out[of.rows[i], of.u[k]] = X[of.rows[i], of.u[k]]
    add_through(of, X, G, out)


@part
def row_slopes(of: Linkage, x: Followed, ydd: Floats, qdd: Floats, s: RowSlopes) -> None:
    """Compute the tree's accelerations qdd (nv,) and, at the motion of `follow`, `moved` and the
    derivatives of rows.
    """
    f, moved = of.followers, s.moved
    for i in range(qdd.size):
        qdd[i] = 0.0
    for k in range(f.own.size):
        qdd[f.own[k]] = ydd[k]
    for j in range(of.d.size):
        qdd[of.v[of.d[j]]] = x.g[j]
    for e in range(f.row.size):
        qdd[f.row[e]] += x.G[e] * ydd[f.column[e]]
        moved.G[e] = x.G[e]
    for i in range(of.v.size):
        s.qdd[i] = qdd[of.v[i]]
    row_sweep(of.constraints, x.q, x.w.qd, s.qdd, s.sweep, s.vJ, s.rows, s.alpha)
    S, psid, psidd, rate = s.sweep.S, s.sweep.psid, s.sweep.psidd, s.sweep.rate
    Y, Z, X = s.rows.Y, s.rows.Z, s.rows.X
    row_derivatives(of.constraints, S, psid, psidd, rate, Y, Z, X, s.alpha_q, s.alpha_qd)
    velocity_derivatives(of.constraints, s.sweep, s.rows, s.T, s.w_q)
    through(of, s.w_q, x.G, s.P)
    dependents(of, x.W, s.P, moved.qd_y)
    through(of, s.alpha_qd, x.G, s.P)
    dependents(of, x.W, s.P, moved.qdd_v)
    through(of, s.alpha_q, x.G, s.P)
    add_through(of, s.alpha_qd, moved.qd_y, s.P)
    dependents(of, x.W, s.P, moved.qdd_y)


@inline
def multipliers(of: Linkage, W: Floats, z: Floats, out: Floats) -> None:
    """Compute multipliers of the rows (m,) whose forces on the dependents are those of z (nv,):
    ``J_d^T out = z_d``, zero for rows that are not selected.
    """
    for k in range(out.size):
        out[k] = 0.0
    for l in range(of.begin.shape[0] - 1):
        for j in range(of.begin[l, 0], of.begin[l + 1, 0]):
            for i in range(of.begin[l, 0], of.begin[l + 1, 0]):
                out[of.rows[i]] += W[j, i - of.begin[l, 0]] * z[of.d[j]]


@inline
def subtract(of: Linkage, X: Floats, out: Floats) -> None:
    """Subtract a matrix X of the loops' variables from one of the tree's."""
    for i in range(of.v.size):
        for j in range(of.v.size):
            out[of.v[i], of.v[j]] -= X[i, j]


@part
def push(of: Linkage, x: Followed, ydd: Floats, s: RowSlopes, ID_q: Floats) -> None:
    """Subtract the derivatives of the joint forces ``J^T lam`` of the loops along q from ID_q
    (nv, nv), after `row_slopes`; ``J_d^T lam`` are the joint forces of dependents.
    """
    for i in range(of.v.size):
        s.z[i] = x.C[of.v[i]]
        for k in range(ydd.size):
            s.z[i] += x.right[of.v[i], k] * ydd[k]
    multipliers(of, x.W, s.z, s.lam)
    s.push[:, :] = 0.0
    for c in range(of.constraints.ends.shape[0]):
        if of.constraints.ends[c, 2] < 0:
            ends(of.constraints, c, s.sweep.R, s.sweep.p, s.rows.Rc, s.rows.pc)
            pushed_point(
                of.constraints, c, s.lam, s.sweep.S, s.rows.pc, s.var, s.first, s.last, s.push
            )
        else:
            pushed_frame(
                of.constraints, c, s.lam, s.sweep.S, s.rows.Y, s.vJ, s.var, s.first, s.last,
                s.push,
            )  # fmt: skip
    subtract(of, s.push, ID_q)


@jit
def FD_derivatives_closed(
    of: Linkage, q: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats, Minv: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives dq, dqd and Minv (B, n, n) of the accelerations of independent
    variables with respect to y, yd and tau, at closed configurations q (B, NQ) of the tree.
    """
    nv, n, nb = of.followers.own.size + of.d.size, yd.shape[1], of.tree.parent.size
    x, s, sweep = new_followed(of, q, nv, n), new_row_slopes(of, q), new_sweep(q, nb, nv)
    qd, qdd, ydd = empty(q, q.shape[0], nv), empty(q, nv), empty(q, n)
    ID_q, ID_qd, e = empty(q, nv, nv), empty(q, nv, nv), empty(q, (nb + 1) * (f_ext.size > 0), 6)
    F_y, F_yd = empty(q, nv, n), empty(q, nv, n)
    ID_qd[:, :] = 0.0
    for b in range(q.shape[0]):
        follow(of, q[b], yd[b], x, qd[b])
        accelerate(of, q, qd, tau[b], f_ext, f_body, b, x, ydd)
        row_slopes(of, x, ydd, qdd, s)
        ID_q[:, :] = 0.0
        o = forward_pass(of.tree, q[b], qd[b], qdd, sweep)
        external(f_ext, f_body, b, o, sweep, e)
        inward_derivatives(of.tree, sweep, ID_q, ID_qd)
        add_diagonal(of.tree.stiffness, ID_q)
        add_diagonal(of.tree.damping, ID_qd)
        if f_ext.size:
            stationary_matrix(of.tree, sweep.S, e, ID_q)
        push(of, x, ydd, s, ID_q)
        pull_back(of.followers, (ID_q, ID_qd, x.H), s.moved, F_y, F_yd, dq[b], dqd[b])
        ltdl_columns(of.above, x.L, dq[b])
        ltdl_columns(of.above, x.L, dqd[b])
        for i in range(n):
            for j in range(n):
                dq[b, i, j] = -dq[b, i, j]
                dqd[b, i, j] = -dqd[b, i, j]
        invert(of.above, x.L, Minv[b])
