"""Articulated-body algorithm where joints follow fewer variables y.

A joint with a variable of its own is passed as in `FDab`. Variables that several joints share stay
open on the way inward, until all of their joints are passed, see `engine.shared`: the force on body
i and the equations of the variables s that are open there are

    f = IA_i a_i + sum_s U_s ydd_s + pA_i,    U_s . a_i + sum_t L_st ydd_t = u_s.

A joint that follows moves by ``sum_s g_s ydd_s``: with F = IA S, it adds g_s F to U_s, and
``g_s g_t S . F + g_s S . U_t + g_t S . U_s`` to L_st. To solve for a variable takes its equation
out of all others, as that of a joint's own variable, by its pivot L_ss.
"""

from __future__ import annotations

from spatial_v2.engine.algorithms.FDab import bias
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    add,
    dot6,
    plus,
    shift_force,
    shift_motion,
    six,
    store,
    times,
)
from spatial_v2.engine.parts.articulate import (
    Articulated,
    Motion,
    new_articulated,
    new_motion,
    place,
)
from spatial_v2.engine.parts.inertia import apply_symmetric, shift_inertia
from spatial_v2.engine.parts.joint_terms import add_drag, add_springs
from spatial_v2.engine.parts.ldl import deflate, ldl_regular, ldl_solve
from spatial_v2.engine.parts.open_variables import (
    Open,
    accelerations,
    force_without,
    new_open,
    pass_following,
    pass_own,
    solve_for,
)
from spatial_v2.engine.parts.pivots import carry, least_pivot
from spatial_v2.engine.parts.sparse_products import pull_back, spread
from spatial_v2.engine.parts.sweep import rest
from spatial_v2.engine.shared import Shared
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["FDab_coupled"]


@inline
def articulate(tree: Tree, q: Floats, x: Shared, body: Articulated, w: Open) -> None:
    """Compute what `parts.articulate.articulate` does, and U and L of shared variables."""
    d, S, U, IA, D, C, W = body.d, body.S, body.U, body.IA, body.D, body.C, body.W
    place(tree, q, body)
    IA[-1, :, :] = 0.0
    for s in range(x.variable.size):
        w.L[s, :] = 0.0
        w.least[s] = 0.0
    for j in range(x.which.size):
        w.before[j, :] = 0.0
    for i in range(tree.parent.size - 1, -1, -1):
        v0, n, par, end = tree.joint[i, 3], tree.joint[i, 4], tree.parent[i], x.ends[i, 3]
        for j in range(x.ends[i, 0], x.ends[i, 1]):
            solve_for(x.which, j, end, w.before, w.L, w.least, IA[i])
        for k in range(n):
            store(apply_symmetric(IA[i], six(S[v0 + k])), U[v0 + k])
            for s in range(k + 1):
                D[i, k, s] = dot6(six(S[v0 + s]), six(U[v0 + k]))
        for k in range(v0, v0 + n if tree.armature.size else v0):
            D[i, k - v0, k - v0] += tree.armature[k]
        for k in range(n):
            W[1, 0, k] = least_pivot(C[i], six(S[v0 + k]))
        if x.own[v0] >= 0:
            ldl_regular(D[i], n, W[1, 0])
            if x.ends[i, 1] < end:
                pass_own(x, i, v0, n, body, w)
            if par >= 0:
                deflate(D[i], n, U[v0 : v0 + n], W[1], IA[i], W[0])
        else:
            pass_following(x, i, six(U[v0]), six(S[v0]), D[i, 0, 0], W[1, 0, 0], w)
            for r in range(6 if par >= 0 else 0):
                store(six(IA[i, r]), W[0, r])
            for j in range(x.ends[i, 1], x.ends[i, 2]):
                solve_for(x.which, j, end, w.after, w.L, w.least, W[0])
        for j in range(x.ends[i, 2], end):
            add(shift_force(d[i], six(w.after[j])), w.before[x.up[j]])
        if par >= 0:
            carry(d[i], C[i], C[par])
            shift_inertia(d[i], W[0], IA[par])
    for j in range(x.ends[-1, 0], x.ends[-1, 1]):
        solve_for(x.which, j, x.ends[-1, 3], w.before, w.L, w.least, IA[-1])


@inline
def respond(
    tree: Tree, x: Shared, body: Articulated, motion: Motion, w: Open, tau: Floats, ydd: Floats
) -> None:
    """Compute the accelerations ydd under the forces tau, with base acceleration a[-1].

    The bias forces pA are summed over subtrees in place.
    """
    d, S, U, D, z = body.d, body.S, body.U, body.D, motion.w
    a, c, pA, u = motion.a, motion.c, motion.pA, w.u
    for s in range(x.variable.size):
        u[s] = tau[x.variable[s]]
    for i in range(tree.parent.size - 1, -1, -1):
        v0, n, f = tree.joint[i, 3], tree.joint[i, 4], six(pA[i])
        first, middle, after, end = x.ends[i, 0], x.ends[i, 1], x.ends[i, 2], x.ends[i, 3]
        if first < end:
            f = force_without(x, first, middle, end, w.before, w, f)
            for j in range(middle, end):
                u[x.which[j]] -= dot6(six(w.before[j]), six(c[i]))
        if x.own[v0] < 0:
            force = dot6(six(S[v0]), f)
            for j in range(middle, end):
                u[x.which[j]] -= x.factor[j] * force
            f = force_without(x, middle, after, end, w.after, w, f)
        elif n == 1:
            force = tau[x.own[v0]] - dot6(six(S[v0]), f)
            ydd[x.own[v0]] = force
            f = plus(f, times(D[i, 0, 0] * force, six(U[v0])))
            for j in range(middle, end):
                u[x.which[j]] -= w.own[j, 0] * D[i, 0, 0] * force
        else:
            for k in range(n):
                z[k] = ydd[x.own[v0 + k]] = tau[x.own[v0 + k]] - dot6(six(S[v0 + k]), f)
            ldl_solve(D[i], n, z)
            for k in range(n):
                f = plus(f, times(z[k], six(U[v0 + k])))
                for j in range(middle, end):
                    u[x.which[j]] -= w.own[j, k] * z[k]
        add(shift_force(d[i], f), pA[tree.parent[i]])
    first, middle = x.ends[-1, 0], x.ends[-1, 1]
    force_without(x, first, middle, middle, w.before, w, six(pA[-1]))
    accelerations(x, first, middle, middle, w.before, w, six(a[-1]))
    for i in range(tree.parent.size):
        v0, n, at = tree.joint[i, 3], tree.joint[i, 4], shift_motion(d[i], six(a[tree.parent[i]]))
        first, middle, after, end = x.ends[i, 0], x.ends[i, 1], x.ends[i, 2], x.ends[i, 3]
        if x.own[v0] < 0:
            accelerations(x, middle, after, end, w.after, w, at)
            z[0] = 0.0
            for j in range(middle, end):
                z[0] += x.factor[j] * w.ydd[x.which[j]]
            at = plus(plus(at, six(c[i])), times(z[0], six(S[v0])))
        elif n == 1:
            y = ydd[x.own[v0]] - dot6(six(U[v0]), at)
            for j in range(middle, end):
                y -= w.own[j, 0] * w.ydd[x.which[j]]
            y = D[i, 0, 0] * y
            ydd[x.own[v0]] = y
            at = plus(plus(at, six(c[i])), times(y, six(S[v0])))
        else:
            for k in range(n):
                z[k] = ydd[x.own[v0 + k]] - dot6(six(U[v0 + k]), at)
                for j in range(middle, end):
                    z[k] -= w.own[j, k] * w.ydd[x.which[j]]
            ldl_solve(D[i], n, z)
            at = plus(at, six(c[i]))
            for k in range(n):
                ydd[x.own[v0 + k]] = z[k]
                at = plus(at, times(z[k], six(S[v0 + k])))
        store(at, a[i])
        if first < middle:
            accelerations(x, first, middle, end, w.before, w, at)
    for s in range(x.variable.size):
        ydd[x.variable[s]] = w.ydd[s]


@jit
def FDab_coupled(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, ydd: Floats
) -> None:
    """Compute the accelerations ydd (B, n) of independent variables under the forces tau (B, n)."""
    tree, x, nb, nv = of.tree, of.shared, of.tree.parent.size, of.v.shift.size
    body, motion, w = new_articulated(y, nb, nv), new_motion(y, nb, nv), new_open(y, x)
    q, qd, total = empty(y, of.q.shift.size), empty(y, nv), empty(y, yd.shape[1])
    rest(tree, motion.v, motion.a)
    for b in range(y.shape[0]):
        spread(of.q, y[b], q)
        spread(of.v, yd[b], qd)
        articulate(tree, q, x, body, w)
        bias(tree, qd, f_ext, f_body, b, body, motion)
        motion.u[:] = 0.0
        add_drag(tree, -1.0, qd, motion.u)
        add_springs(tree, -1.0, q, motion.u)
        pull_back(of.v, motion.u, total)
        for k in range(total.size):
            total[k] += tau[b, k]
        respond(tree, x, body, motion, w, total, ydd[b])
