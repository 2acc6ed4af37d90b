"""First derivatives of forward dynamics, without products with the inverse inertia matrix.

A change of the configuration along variable t of joint j, at constant accelerations, is equivalent
to three disturbances: an acceleration psidd_t at joint j, a force 2 B_l psid_t on each body l
beyond the joint, and a force fC_j xbar* S_t on the parent of body j. The articulated-body algorithm
computes the response of the accelerations, for blocks of variables t at a time. So no sum of large
joint forces is formed, and fewer digits are lost than by ``-H^-1 dtau_dq``. For qd the disturbances
are the acceleration psid_t + Sd_t, the forces 2 B_l S_t, and no force on the parent. The rotor of
joint j contributes to the force on the parent and at the joint. fC_j includes external forces. A
force -e_l that is constant in the base does not turn with body l; this is equivalent to a further
force -S_t x* e_l.
"""

from typing import NamedTuple

from spatial_v2.engine.algorithms.FDab import accelerate
from spatial_v2.engine.algorithms.Hinverse import (
    invert,
    inward_columns,
    new_where,
    outward_columns,
    places,
    subtrees,
)
from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.numbers.column_blocks import hand_out, store_block_column, work
from spatial_v2.engine.numbers.kinds import empty, simd_columns
from spatial_v2.engine.numbers.simd_columns import as_simd
from spatial_v2.engine.numbers.vectors import (
    add,
    dot6,
    plus,
    shift_force,
    six,
    store,
    times,
)
from spatial_v2.engine.parts.articulate import Articulated, Motion
from spatial_v2.engine.parts.external import about_last, articulated_stationary, sub_body_force
from spatial_v2.engine.parts.ldl import ldl_solve
from spatial_v2.engine.parts.rotors import links, pushes, row_count, to_link
from spatial_v2.engine.parts.sweep import forward, new_sweep, rest
from spatial_v2.engine.tree import Floats, Tree


class Answers(NamedTuple):
    """Response forces of free subtrees to velocities, and to rotations relative to forces that are
    constant in the base.

    Attributes
    ----------
    BA, SB : (nb + 1, 3, 6), (nv, 3)
        See `articulated_coriolis`.
    EA, SE : (nb + 1, 6, 6), (nv, 6)
        See `articulated_stationary`; empty without stationary forces, those constant in the base.
    """

    BA: Floats
    SB: Floats
    EA: Floats
    SE: Floats


@inline
def sum_forces(tree: Tree, d: Floats, f: Floats) -> None:
    """Sum the forces f (nb + 1, 6) on the bodies over subtrees, in place."""
    for i in range(tree.parent.size - 1, -1, -1):
        add(shift_force(d[i], six(f[i])), f[tree.parent[i]])


@part
def articulated_coriolis(
    tree: Tree, body: Articulated, BC: Floats, w: Floats, BA: Floats, SB: Floats
) -> None:
    """Compute BA (nb + 1, 3, 6), the response forces of free subtrees to the forces B x of a motion
    x.

    B is the Coriolis matrix of a body. The forces B x act on the bodies of a subtree. BA has one
    row for each angular component of the motion x, because B x depends on no other. SB (nv, 3) is
    the response of the joints: D^-1 S^T BA of the bodies that they move.
    """
    d, S, U, D = body.d, body.S, body.U, body.D
    for i in range(tree.parent.size):
        B, A = BC[i], BA[i]
        h0, h1, h2 = 2.0 * B[9], 2.0 * B[10], 2.0 * B[11]
        store((B[0], B[3], B[6], 0.0, -h2, h1), A[0])
        store((B[1], B[4], B[7], h2, 0.0, -h0), A[1])
        store((B[2], B[5], B[8], -h1, h0, 0.0), A[2])
    for i in range(links(tree) - 1, -1, -1):
        par, v0, n, b = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4], tree.joint[i, 5]
        for c in range(3):
            f = six(BA[i, c])
            for k in range(n):
                w[k] = dot6(six(S[v0 + k]), f)
            if b >= 0:
                w[0] += dot6(six(S[tree.joint[b, 3]]), six(BA[b, c]))
                f = plus(f, to_link(tree, b, d, six(BA[b, c])))
            ldl_solve(D[i], n, w)
            for k in range(n):
                SB[v0 + k, c] = w[k]
                f = plus(f, times(-w[k], six(U[v0 + k])))
            add(shift_force(d[i], f), BA[par, c])


@part
def disturb(
    tree: Tree, x: Floats, y: Floats, h: Floats, s: Floats, IA: Floats, answers: Answers,
    F: Floats, out: Floats,
) -> None:  # fmt: skip
    """Compute the disturbance of each variable: forces F on its body, and joint forces in out.

    x is the motion that B multiplies, y the acceleration at the joint, and h the joint force; each
    has one row for each variable. s has the motions relative to forces constant in the base; it is
    empty without such forces. The response of joints beyond a variable is SB times x and SE times
    s.
    """
    BA, SB, EA, SE = answers
    m = simd_columns(x)
    out[:, :] = 0.0
    F[:, :] = 0.0
    for j in range(links(tree)):
        for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
            p = plus(times(x[t, 0], six(BA[j, 0])), times(x[t, 1], six(BA[j, 1])))
            p = plus(p, times(x[t, 2], six(BA[j, 2])))
            for r in range(6):
                p = plus(p, times(y[t, r], six(IA[j, r])))
            if s.shape[0]:
                for r in range(6):
                    p = plus(p, times(s[t, r], six(EA[j, r])))
            store_block_column(p, t, m, F)
            out[t, t] = -h[t]
            b0, b1, b2 = SB[t, 0], SB[t, 1], SB[t, 2]
            i = tree.parent[j]
            while i >= 0:
                for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    out[t, k] = -(b0 * x[k, 0] + b1 * x[k, 1] + b2 * x[k, 2])
                    if s.shape[0]:
                        out[t, k] -= dot6(six(s[k]), six(SE[t]))
                i = tree.parent[i]


@part
def as_columns(x: Floats, nv: int, out: Floats) -> None:
    """Write the first nv rows of x into out as columns, in blocks; see `column_blocks`."""
    out[:, :] = 0.0
    for t in range(nv):
        store_block_column(six(x[t]), t, simd_columns(x), out)


@jit
def FD_derivatives(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats, Minv: Floats,
) -> None:  # fmt: skip
    """Compute dq = dqdd_dq, dqd = dqdd_dqd and Minv = H^-1, each (B, nv, nv)."""
    nb, nv, s, m = tree.parent.size, qd.shape[1], row_count(tree), simd_columns(q)
    sweep, p, c = new_sweep(q, nb, s), empty(q, nb + 1, 3), empty(q, nb, 6)
    R, d, v, a = sweep.R, sweep.p, sweep.v, sweep.a
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    IC, BC, fC = sweep.IC, sweep.BC, sweep.fC
    IA, W, BA = empty(q, nb + 1, 6, 6), empty(q, 2, 6, 6), empty(q, nb + 1, 3, 6)
    U, D, SB = empty(q, s, 6), empty(q, nb, 6, 6), empty(q, nv, 3)
    u, w, g, h = empty(q, nv), empty(q, 6), empty(q, nv, 6), empty(q, nv)
    qdd, none, C = empty(q, nv), empty(q, 0, 6), empty(q, nb + 1, 5)
    stationary = f_ext.size > 0
    e, t = empty(q, (nb + 1) * stationary, 6), empty(q, nv * stationary, 6)
    EA, SE = empty(q, (nb + 1) * stationary, 6, 6), empty(q, nv * stationary, 6)
    body, motion = Articulated(R, d, S, U, IC, IA, D, C, W), Motion(v, a, c, fC, u, p, w)
    answers = Answers(BA, SB, EA, SE)
    most = (nv + m - 1) // m
    where = new_where(nb, most)
    subtrees(tree, m, where)
    forces, pushed, jumps = empty(q, most, 6 * m), empty(q, most, 6 * m), empty(q, most, 6 * m)
    F, push, jump = as_simd(forces), as_simd(pushed), as_simd(jumps)
    A, y = empty(F, places(tree, where) + 1, most, 6), empty(F, 6)
    aside, no = empty(q, nv * (m > 1), most * m), F[:0]
    rest(tree, v, a)
    for b in range(q.shape[0]):
        accelerate(tree, q, qd, tau, f_ext, f_body, b, body, motion, qdd)
        room = work(Minv[b], aside)
        invert(tree, where, body, no, y, F, A, room, as_simd(room), Minv[b])
        forward(tree, qd[b], qdd, True, sweep)
        for i in range(f_body.shape[1]):
            sub_body_force(f_body[b, i], R[i], d[-1], fC[i])
        if stationary:
            EA[:, :, :] = 0.0
            about_last(tree, f_ext, b, p, e, fC)
            articulated_stationary(tree, body, p, e, w, t, EA, SE)
        sum_forces(tree, d, fC)
        articulated_coriolis(tree, body, BC, w, BA, SB)
        for by_velocity in (False, True):
            x, z, turning = (S, rate, none) if by_velocity else (psid, psidd, t)
            out = dqd[b] if by_velocity else dq[b]
            if by_velocity:
                fC[:, :] = 0.0
            pushes(tree, d, S, x, z, IC, BC, fC, g, h)
            resistance = tree.damping if by_velocity else tree.stiffness
            for k in range(resistance.size):
                h[k] += resistance[k]
            room = work(out, aside)
            disturb(tree, x, z, h, turning, IA, answers, forces, room)
            as_columns(g, nv, pushed)
            as_columns(z, nv, jumps)
            inward_columns(tree, where, body, push, y, F, as_simd(room))
            outward_columns(tree, where, body, jump, False, y, A, as_simd(room))
            hand_out(room, out)
