"""First derivatives of forward dynamics, without products with the inverse inertia matrix.

A change of the configuration along freedom t of joint j acts on the dynamics, at the accelerations
it would have without it, like three things: an acceleration psidd_t added at joint j, a force
2 B_l psid_t on each body l beyond it, and a force fC_j xbar* S_t on its parent. The
articulated-body algorithm answers them with the change of the accelerations, for all t side by
side. So no sum of large joint forces is ever formed, and less is lost in rounding than by
``-H^-1 dtau_dq``. For qd the three things are psid_t + Sd_t, 2 B_l S_t and none. The rotor of joint
j adds to the force on the parent, and takes some of the force at the joint. External forces are in
fC_j; one that stays as it is, -e_l, does not turn with its body, which is like -S_t x* e_l on it.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.aba import bias
from spatial_v2.engine.articulate import articulate, respond
from spatial_v2.engine.compile import inline, jit, part
from spatial_v2.engine.external import about_last, articulated_held
from spatial_v2.engine.hinverse import accelerate, invert, places, project, shift_columns, subtrees
from spatial_v2.engine.ldl import ldl_columns, ldl_solve
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.rotors import links, pushes, rows, to_link
from spatial_v2.engine.sweep import forward, rest, sub_body_force
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.vectors import (
    Six,
    add,
    dot6,
    plus,
    put,
    shift_force,
    six,
    times,
)

__all__ = ["fdsva"]


@inline
def gather(tree: Tree, d: Floats, f: Floats) -> None:
    """Forces f on the bodies become those on the subtrees."""
    for i in range(tree.parent.size - 1, -1, -1):
        add(shift_force(d[i], six(f[i])), f[tree.parent[i]])


@part
def articulated_coriolis(
    tree: Tree, d: Floats, S: Floats, U: Floats, D: Floats, BC: Floats,
    w: Floats, BA: Floats, SB: Floats,
) -> None:  # fmt: skip
    """BA (nb + 1, 3, 6): the force a subtree, free to move, returns for B x, per angular part of x.

    SB (nv, 3) is S_k . BA of the body that k moves.
    """
    for i in range(tree.parent.size):
        B, A = BC[i], BA[i]
        h0, h1, h2 = 2.0 * B[9], 2.0 * B[10], 2.0 * B[11]
        put((B[0], B[3], B[6], 0.0, -h2, h1), A[0])
        put((B[1], B[4], B[7], h2, 0.0, -h0), A[1])
        put((B[2], B[5], B[8], -h1, h0, 0.0), A[2])
    for i in range(links(tree) - 1, -1, -1):
        par, v0, n, b = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4], tree.joint[i, 5]
        for c in range(3):
            f = six(BA[i, c])
            for k in range(n):
                w[k] = dot6(six(S[v0 + k]), f)
            if b >= 0:
                w[0] += dot6(six(S[tree.joint[b, 3]]), six(BA[b, c]))
                f = plus(f, to_link(tree, b, d, six(BA[b, c])))
            for k in range(n):
                SB[v0 + k, c] = w[k]
            ldl_solve(D[i], n, w)
            for k in range(n):
                f = plus(f, times(-w[k], six(U[v0 + k])))
            add(shift_force(d[i], f), BA[par, c])


@part
def inward(
    tree: Tree, x: Floats, y: Floats, g: Floats, h: Floats, d: Floats, S: Floats, U: Floats,
    D: Floats, IA: Floats, BA: Floats, SB: Floats, s: Floats, EA: Floats, SE: Floats,
    columns: Ints, count: Ints, w: Floats, out: Floats,
) -> None:  # fmt: skip
    """out (nv, nv): joint forces left by the disturbance of each variable, towards the root.

    x is the motion that B multiplies, y the acceleration at the joint, g the force on the parent
    and h that at the joint; s is the motion that turns forces from those held, if it is not empty.
    """
    out[:, :] = 0.0
    for j in range(links(tree)):
        for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
            a, b, c = six(x[t]), six(y[t]), six(g[t])
            path(
                tree, j, t, a, b, c, h[t], d, S, U, D, IA, BA, SB, s, EA, SE, columns, count, w, out
            )


@part
def path(
    tree: Tree, j: int, t: int, x: Six, y: Six, g: Six, h: float, d: Floats, S: Floats, U: Floats,
    D: Floats, IA: Floats, BA: Floats, SB: Floats, s: Floats, EA: Floats, SE: Floats,
    columns: Ints, count: Ints, w: Floats, u: Floats,
) -> None:  # fmt: skip
    """u[:, t] of `inward`, for variable t of joint j."""
    for at in range(count[j]):
        k = columns[j, at]
        u[k, t] = -(SB[k, 0] * x[0] + SB[k, 1] * x[1] + SB[k, 2] * x[2])
    p = plus(times(x[0], six(BA[j, 0])), times(x[1], six(BA[j, 1])))
    p = plus(p, times(x[2], six(BA[j, 2])))
    for r in range(6):
        p = plus(p, times(y[r], six(IA[j, r])))
    if s.shape[0]:
        for at in range(count[j]):
            u[columns[j, at], t] -= dot6(six(s[t]), six(SE[columns[j, at]]))
        for r in range(6):
            p = plus(p, times(s[t, r], six(EA[j, r])))
    i = j
    while i >= 0:
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        for k in range(n):
            u[v0 + k, t] = w[k] = -dot6(six(S[v0 + k]), p)
        if i == j and n == 1:
            u[v0, t] = w[0] = w[0] - h
        ldl_solve(D[i], n, w)
        for k in range(n):
            p = plus(p, times(w[k], six(U[v0 + k])))
        if i == j:
            p = plus(p, g)
        p = shift_force(d[i], p)
        i = tree.parent[i]


@part
def outward(
    tree: Tree, jump: Floats, d: Floats, S: Floats, U: Floats, D: Floats, place: Ints,
    A: Floats, y: Floats, out: Floats,
) -> None:  # fmt: skip
    """From forces, in out (nv, nv), accelerations, column by column; jump[t] is added at t."""
    nv = out.shape[0]
    A[-1, :, :] = 0.0
    for i in range(links(tree)):
        v0, n, a = tree.joint[i, 3], tree.joint[i, 4], A[place[i]]
        shift_columns(d[i], A[place[tree.parent[i]]], 0, nv, a)
        project(U, v0, n, a, 0, nv, y)
        for k in range(n):
            for c in range(nv):
                y[k, c] = out[v0 + k, c] - y[k, c]
        ldl_columns(D[i], n, 0, nv, y)
        for k in range(n):
            for c in range(nv):
                out[v0 + k, c] = y[k, c]
        accelerate(S, v0, n, y, 0, nv, a)
        for k in range(v0, v0 + n):
            for r in range(6):
                a[r, k] += jump[k, r]


@jit
def fdsva(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats, Minv: Floats,
) -> None:  # fmt: skip
    """dqdd_dq, dqdd_dqd and H^-1, each (B, nv, nv)."""
    nb, nv, m = tree.parent.size, qd.shape[1], rows(tree)
    R, d, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 3)
    S, psid, psidd, rate = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    v, a, fC = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    IC, BC, c = empty(q, nb, 10), empty(q, nb, 12), empty(q, nb, 6)
    IA, W, BA = empty(q, nb + 1, 6, 6), empty(q, 2, 6, 6), empty(q, nb + 1, 3, 6)
    U, D, SB, F = empty(q, m, 6), empty(q, nb, 6, 6), empty(q, nv, 3), empty(q, nv, 6)
    y, u, w, g, h = empty(q, 6, nv), empty(q, nv), empty(q, 6), empty(q, nv, 6), empty(q, nv)
    qdd, none = empty(q, nv), empty(q, 0, 6)
    held = f_ext.size > 0
    e, s = empty(q, (nb + 1) * held, 6), empty(q, nv * held, 6)
    EA, SE, no_EA = empty(q, (nb + 1) * held, 6, 6), empty(q, nv * held, 6), empty(q, 0, 6, 6)
    columns, count = np.empty((nb + 1, nv), dtype=np.int64), np.empty(nb + 1, dtype=np.int64)
    place, last = np.empty(nb + 1, dtype=np.int64), np.empty(nb + 1, dtype=np.int64)
    free = np.empty(nb, dtype=np.int64)
    A = empty(q, places(tree, place, last, free) + 1, 6, nv)
    subtrees(tree, columns, count)
    rest(tree, v, a)
    for b in range(q.shape[0]):
        articulate(tree, q[b], R, d, S, IC, IA, U, D, W)
        fixed, carried = f_ext[b] if f_ext.size else none, f_body[b] if f_body.size else none
        bias(tree, qd[b], fixed, carried, R, d, S, IC, IA, p, v, c, fC)
        respond(tree, d, S, U, D, c, fC, a, tau[b], u, w, qdd)
        invert(tree, d, S, U, D, columns, count, place, F, A, w, y, Minv[b])
        forward(tree, qd[b], qdd, R, d, True, S, psid, psidd, rate, v, a, IC, BC, fC)
        for i in range(carried.shape[0]):
            sub_body_force(carried[i], R[i], d[-1], fC[i])
        if held:
            EA[:, :, :] = 0.0
            about_last(tree, f_ext, b, p, e, fC)
            articulated_held(tree, d, p, e, S, U, D, w, s, EA, SE)
        gather(tree, d, fC)
        articulated_coriolis(tree, d, S, U, D, BC, w, BA, SB)
        pushes(tree, d, S, psid, psidd, IC, BC, fC, g, h)
        inward(tree, psid, psidd, g, h, d, S, U, D, IA, BA, SB, s, EA, SE, columns, count, w, dq[b])
        outward(tree, psidd, d, S, U, D, place, A, y, dq[b])
        fC[:, :] = 0.0
        pushes(tree, d, S, S, rate, IC, BC, fC, g, h)
        inward(
            tree,
            S,
            rate,
            g,
            h,
            d,
            S,
            U,
            D,
            IA,
            BA,
            SB,
            none,
            no_EA,
            none,
            columns,
            count,
            w,
            dqd[b],
        )
        outward(tree, rate, d, S, U, D, place, A, y, dqd[b])
