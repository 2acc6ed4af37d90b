"""Hessian of weighted accelerations of a tree with closed loops, in its independent variables.

Second derivatives of the motion are eliminated by multipliers eta, zeta and kappa of the rows, so
that no tensor is formed; see the theory of closed loops.
"""

from __future__ import annotations

from spatial_v2.engine.algorithms.constraint_derivatives import row_derivatives
from spatial_v2.engine.algorithms.FD_derivatives_closed import (
    RowSlopes,
    multipliers,
    new_row_slopes,
    push,
    row_slopes,
    subtract,
    through,
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
from spatial_v2.engine.algorithms.KKT_hessian import add_pushes, add_rows
from spatial_v2.engine.algorithms.modID_derivatives import weigh
from spatial_v2.engine.algorithms.modID_second_derivatives import (
    Hessian,
    copy_rows,
    inward_hessian,
    new_weighted,
)
from spatial_v2.engine.algorithms.pulled_back_derivatives import pull_back, pull_back_second
from spatial_v2.engine.algorithms.pulled_back_inertia import add_right, left, right
from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.loop import Linkage
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.bend import Bend, new_bend
from spatial_v2.engine.parts.constraint_arrays import row_sweep
from spatial_v2.engine.parts.control_stage import add_product
from spatial_v2.engine.parts.external import external, stationary_hessian, stationary_matrix
from spatial_v2.engine.parts.joint_terms import add_diagonal
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.parts.sweep import forward_pass, inertial, new_sweep
from spatial_v2.engine.tree import Floats

__all__ = ["modFD_second_derivatives_closed"]

Three = tuple[Floats, Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


@inline
def at_rest(of: Linkage, q: Floats, s: RowSlopes, k: Bend) -> None:
    """Compute the rows at rest with the accelerations qdd."""
    row_sweep(of.constraints, q, k.zero, k.qdd, k.sweep, s.vJ, k.rows, s.alpha)


@inline
def weigh_forces(of: Linkage, b: Floats, X: Floats, z: Floats) -> None:
    """Compute the products z (nv,) of b with the columns of X (NV, NV) for the loops' variables."""
    for i in range(of.v.size):
        z[i] = 0.0 * b[0]
        for j in range(b.size):
            z[i] += b[j] * X[j, of.v[i]]


@inline
def less(weight: Floats, X: Floats, z: Floats) -> None:
    """Subtract ``weight X`` from z (nv,) for rows X (m, nv)."""
    for k in range(weight.size):
        for i in range(z.size):
            z[i] -= weight[k] * X[k, i]


@part
def bend(of: Linkage, x: Followed, b: Floats, forces: Three, s: RowSlopes, k: Bend) -> None:
    """Compute the second derivatives of rows of ``b . (ID - J^T lam)`` and b_y, after `push`.

    `forces` are the derivatives of ``ID - J^T lam`` with respect to qdd, qd and q.
    """
    H, T_v, T_q = forces
    z, c, spare = s.z, of.constraints, k.spare
    weigh_forces(of, b, H, z)
    multipliers(of, x.W, z, k.eta)
    weigh_forces(of, b, T_v, z)
    less(k.eta, s.alpha_qd, z)
    multipliers(of, x.W, z, k.zeta)
    weigh_forces(of, b, T_q, z)
    less(k.eta, s.alpha_q, z)
    less(k.zeta, s.w_q, z)
    multipliers(of, x.W, z, k.kappa)
    k.qq[:, :] = 0.0
    k.qv[:, :] = 0.0
    k.vv[:, :] = 0.0
    k.qa[:, :] = 0.0
    spare[:, :] = 0.0
    add_rows(c, k.eta, s.sweep, s.rows, k.paths, k.room, k.qq, k.qv, k.vv)
    add_pushes(c, k.kappa, s.sweep, s.rows, k.paths, k.room, k.qq)
    add_pushes(c, k.eta, s.sweep, s.rows, k.paths, k.room, k.qa)
    add_pushes(c, k.zeta, s.sweep, s.rows, k.paths, k.room, spare)
    for i in range(of.v.size):
        for j in range(of.v.size):
            k.qv[i, j] += spare[j, i]
        k.qdd[i] = x.w.qd[i]
    at_rest(of, x.q, s, k)
    add_rows(c, k.zeta, k.sweep, k.rows, k.paths, k.room, k.qq, spare, spare)
    for i in range(of.v.size):
        k.qdd[i] = b[of.v[i]]
    at_rest(of, x.q, s, k)
    add_rows(c, s.lam, k.sweep, k.rows, k.paths, k.room, k.qq, spare, spare)
    S, psid, psidd, rate = k.sweep.S, k.sweep.psid, k.sweep.psidd, k.sweep.rate
    row_derivatives(c, S, psid, psidd, rate, k.rows.Y, k.rows.Z, k.rows.X, k.alpha_q, k.alpha_qd)
    through(of, k.alpha_q, x.G, s.P)
    dependents(of, x.W, s.P, k.b_y)


@jit
def modFD_second_derivatives_closed(
    of: Linkage, q: Floats, yd: Floats, tau: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    first: Three, hessian: Four,
) -> None:  # fmt: skip
    """Compute first derivatives of the accelerations of independent variables, and the Hessian of
    their sum with the weights lam (B, n), at closed configurations q (B, NQ) of the tree.

    `first` and `hessian` (B, n, n) are those of `modFD_second_derivatives`.
    """
    (P, Q, Minv), (H_qq, H_vv, H_vq, H_tq), f, tree = first, hessian, of.followers, of.tree
    nv, n, nb = f.own.size + of.d.size, yd.shape[1], tree.parent.size
    wide = -(-3 * n // 4) * 4
    x, s, k = new_followed(of, q, nv, n), new_row_slopes(of, q), new_bend(of, q)
    sweep, sums, light = new_sweep(q, nb, nv), new_weighted(q, nb, nv), inertial(tree)
    most = (nb + 1) * (f_ext.size > 0)
    e, c, K18 = empty(q, most, 6), empty(q, most, 6), empty(q, most, 18)
    qd, qdd, ydd = empty(q, q.shape[0], nv), empty(q, nv), empty(q, n)
    w, rest, gq, gv = empty(q, nv), empty(q, nv), empty(q, nv), empty(q, nv)
    T_q, T_v, K, K_T = empty(q, nv, nv), empty(q, nv, nv), empty(q, nv, nv), empty(q, nv, nv)
    qq, qv, vv = empty(q, nv, nv), empty(q, nv, nv), empty(q, nv, nv)
    T_y, T_yd, Y, V = empty(q, nv, n), empty(q, nv, n), empty(q, nv, n), empty(q, nv, n)
    turn, yy, yv, N = empty(q, n, n), empty(q, n, n), empty(q, n, n), empty(q, n, n)
    D, C = empty(q, n, wide), empty(q, wide, n)
    D[:, :] = 0.0
    rest[:] = 0.0
    T_v[:, :] = 0.0
    for b in range(q.shape[0]):
        follow(of, q[b], yd[b], x, qd[b])
        accelerate(of, q, qd, tau[b], f_ext, f_body, b, x, ydd)
        for i in range(n):
            x.x[i, 0] = lam[b, i]
        ltdl_columns(of.above, x.L, x.x)
        for i in range(nv):
            w[i] = 0.0
        for i in range(n):
            w[f.own[i]] = x.x[i, 0]
        for i in range(f.row.size):
            w[f.row[i]] += x.G[i] * x.x[f.column[i], 0]
        row_slopes(of, x, ydd, qdd, s)
        K[:, :] = 0.0
        T_q[:, :] = 0.0
        qq[:, :] = 0.0
        qv[:, :] = 0.0
        vv[:, :] = 0.0
        forward_pass(light, q[b], rest, w, sweep)
        inward_derivatives(light, sweep, K, K_T)
        o = forward_pass(tree, q[b], qd[b], qdd, sweep)
        external(f_ext, f_body, b, o, sweep, e)
        weigh(tree, w, sweep.S, sums.w)
        inward_hessian(tree, w, sweep, sums, Hessian(gq, gv, qq, vv, qv, T_q, T_v))
        add_diagonal(tree.stiffness, T_q)
        add_diagonal(tree.damping, T_v)
        if f_ext.size:
            copy_rows(e, c)
            stationary_matrix(tree, sweep.S, c, T_q)
            stationary_hessian(tree, w, sweep.S, e, K18, qq)
        push(of, x, ydd, s, T_q)
        bend(of, x, w, (x.H, T_v, T_q), s, k)
        subtract(of, k.qq, qq)
        subtract(of, k.qv, qv)
        subtract(of, k.vv, vv)
        subtract(of, k.qa, K)
        for i in range(nv):
            for j in range(nv):
                K_T[i, j] = K[j, i]
        pull_back(f, (T_q, T_v, x.H), s.moved, T_y, T_yd, P[b], Q[b])
        pull_back_second(
            f, (qq, qv, vv, K_T), s.moved, k.b_y, (T_y, T_yd), (Y, V, turn), (yy, yv, H_vv[b])
        )
        right(f, K, x.G, Y)
        add_right(f, x.H, k.b_y, Y)
        left(f, x.G, Y, N)
        ltdl_columns(of.above, x.L, P[b])
        ltdl_columns(of.above, x.L, Q[b])
        invert(of.above, x.L, Minv[b])
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
