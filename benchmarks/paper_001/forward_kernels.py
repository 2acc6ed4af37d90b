"""Kernels that compute a function and its derivatives in p directions (paper 001, Sec. 3.3).

Values are computed once and shared by all directions. The kernels are written with the parts of the
engine, so that they run in SIMD batches as its kernels do; see `benchmarks.paper_001.tangents`.
"""

from __future__ import annotations

from benchmarks.paper_001.tangents import collect, inward, kernel, new_along, outward
from spatial_v2.engine.algorithms.FDab import bias
from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crf, dot6, plus, shift_force, six, store, times
from spatial_v2.engine.parts.articulate import articulate, new_articulated, new_motion, respond
from spatial_v2.engine.parts.inertia import add_inertia, apply_inertia, lie_inertia, turn_inertias
from spatial_v2.engine.parts.poses import about_body, about_robot
from spatial_v2.engine.parts.sweep import forward, new_moving, new_sweep, rest
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["CRBA", "ID", "FDab"]


@kernel
def ID(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, dq: Floats, dqd: Floats,
    tau: Floats, dtau: Floats,
) -> None:  # fmt: skip
    """Compute joint forces tau (B, nv), and dtau (B, p, nv) along directions dq, dqd (B, p, nv)."""
    nb = tree.parent.size
    sweep, along = new_sweep(q, nb, qd.shape[1]), new_along(q, nb)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], sweep.R, sweep.p, sweep.S)
        forward(tree, qd[b], qdd[b], False, sweep)
        collect(tree, sweep, along.turned)
        for i in range(nb):
            k = tree.joint[i, 3]
            tau[b, k] = dot6(six(sweep.S[k]), six(sweep.fC[i]))
        for c in range(dq.shape[1]):
            outward(tree, sweep, dq[b, c], dqd[b, c], along)
            inward(tree, sweep, dq[b, c], along, dtau[b, c])


@kernel
def CRBA(tree: Tree, q: Floats, dq: Floats, H: Floats, dH: Floats) -> None:
    """Compute the inertia matrix H (B, nv, nv), and dH (B, p, nv, nv) along directions dq
    (B, p, nv): Algorithm 3. Both must be zero on entry.
    """
    nb, p = tree.parent.size, dq.shape[1]
    bodies = new_moving(q, nb, q.shape[1])
    R, d, S = bodies.R, bodies.p, bodies.S
    IC, dIC, M, dF = empty(q, nb + 1, 10), empty(q, p, nb + 1, 10), empty(q, 9), empty(q, p, 6)
    for b in range(q.shape[0]):
        about_body(tree, q[b], R, d, S)
        turn_inertias(tree, R, IC)
        mass_matrix(tree, d, S, IC, H[b])
        dIC[:, :, :] = 0.0
        for i in range(nb - 1, -1, -1):
            k = tree.joint[i, 3]
            s = six(S[k])
            F = apply_inertia(IC[i], s)
            for c in range(p):
                G = apply_inertia(dIC[c, i], s)
                store(G, dF[c])
                dH[b, c, k, k] = dot6(s, G)
            j = i
            while tree.parent[j] >= 0:
                moving, turned = tree.joint[j, 3], crf(six(S[tree.joint[j, 3]]), F)
                F = shift_force(d[j], F)
                t = tree.joint[tree.parent[j], 3]
                for c in range(p):
                    G = plus(six(dF[c]), times(dq[b, c, moving], turned))
                    G = shift_force(d[j], G)
                    store(G, dF[c])
                    dH[b, c, k, t] = dH[b, c, t, k] = dot6(six(S[t]), G)
                j = tree.parent[j]
            if tree.parent[i] >= 0:
                lie_inertia(IC[i], s, M)
                for c in range(p):
                    for r in range(3):
                        dIC[c, i, 1 + r] += dq[b, c, k] * M[6 + r]
                    for r in range(6):
                        dIC[c, i, 4 + r] += dq[b, c, k] * M[r]
                    add_inertia(d[i], dIC[c, i], dIC[c, tree.parent[i]])


@kernel
def FDab(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, dq: Floats, dqd: Floats, dtau: Floats,
    qdd: Floats, dqdd: Floats,
) -> None:  # fmt: skip
    """Compute accelerations qdd (B, nv), and dqdd (B, p, nv) along directions dq, dqd, dtau.

    The articulated-body inertias of the accelerations serve for their derivatives too.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    body, motion, none = new_articulated(q, nb, nv), new_motion(q, nb, nv), empty(q, 0, 0, 6)
    sweep, along, right = new_sweep(q, nb, nv), new_along(q, nb), empty(q, nv)
    for b in range(q.shape[0]):
        rest(tree, motion.v, motion.a)
        articulate(tree, q[b], body)
        bias(tree, qd[b], none, none, b, body, motion)
        respond(tree, body, motion, tau[b], qdd[b])
        about_robot(tree, q[b], sweep.R, sweep.p, sweep.S)
        forward(tree, qd[b], qdd[b], False, sweep)
        collect(tree, sweep, along.turned)
        motion.c[:, :] = 0.0
        motion.a[-1, :] = 0.0
        for c in range(dq.shape[1]):
            outward(tree, sweep, dq[b, c], dqd[b, c], along)
            inward(tree, sweep, dq[b, c], along, right)
            for k in range(nv):
                right[k] = dtau[b, c, k] - right[k]
            motion.pA[:, :] = 0.0
            respond(tree, body, motion, right, dqdd[b, c])
