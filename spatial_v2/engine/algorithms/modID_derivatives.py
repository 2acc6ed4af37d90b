"""Gradient of lambda . ID in O(N), by an outward and an inward sweep."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    add,
    add_into,
    combine,
    crf,
    dot6,
    plus,
    six,
    store,
    times,
)
from spatial_v2.engine.parts.body_coriolis import apply_coriolis, apply_transpose
from spatial_v2.engine.parts.external import external, stationary_gradient
from spatial_v2.engine.parts.inertia import apply_inertia
from spatial_v2.engine.parts.joint_terms import add_product
from spatial_v2.engine.parts.sweep import Sweep, add_to_parent, forward_pass, inertial, new_sweep
from spatial_v2.engine.tree import Floats, Tree


@inline
def weigh(tree: Tree, lam: Floats, S: Floats, w: Floats) -> None:
    """Compute w (nb + 1, 6), velocities that the bodies would have for joint velocities lambda."""
    w[-1, :] = 0.0
    for i in range(tree.parent.size):
        store(six(w[tree.parent[i]]), w[i])
        combine(S, tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4], lam, w[i])


@inline
def inward_gradient(
    tree: Tree, lam: Floats, sweep: Sweep, w: Floats, L: Floats, P: Floats,
    dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """Compute gradients dq and dqd (nv,) of one state.

    L (nb + 1, 3) and P (nb + 1, 6) are workspaces for the sums of lambda B^T S and lambda I S over
    subtrees.
    """
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    IC, BC, fC = sweep.IC, sweep.BC, sweep.fC
    L[:, :] = 0.0
    P[:, :] = 0.0
    for i in range(tree.parent.size - 1, -1, -1):
        par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        for k in range(v0, v1):
            l = apply_transpose(BC[i], six(S[k]))
            for c in range(3):
                L[i, c] += lam[k] * l[c]
            add(times(lam[k], apply_inertia(IC[i], six(S[k]))), P[i])
        l0, l1, l2, p, wp = L[i, 0], L[i, 1], L[i, 2], six(P[i]), six(w[par])
        for k in range(v0, v1):
            s, ds, dds, rs = six(S[k]), six(psid[k]), six(psidd[k]), six(rate[k])
            F = plus(apply_inertia(IC[i], dds), apply_coriolis(BC[i], ds))
            F = plus(F, crf(s, six(fC[i])))
            G = plus(apply_inertia(IC[i], rs), apply_coriolis(BC[i], s))
            dq[k] = dot6(p, dds) + dot6(wp, F) + l0 * ds[0] + l1 * ds[1] + l2 * ds[2]
            dqd[k] = dot6(p, rs) + dot6(wp, G) + l0 * s[0] + l1 * s[1] + l2 * s[2]
        add_to_parent(tree, i, sweep)
        add_into(P[i], P[par])
        add_into(L[i], L[par])


@jit
def modID_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """Compute the gradients dq and dqd (B, nv) of ``lam . ID`` with respect to q and qd."""
    nb, nv = tree.parent.size, qd.shape[1]
    sweep = new_sweep(q, nb, nv)
    w, L, P = empty(q, nb + 1, 6), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    e = empty(q, (nb + 1) * (f_ext.size > 0), 6)
    for b in range(q.shape[0]):
        o = forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        external(f_ext, f_body, b, o, sweep, e)
        weigh(tree, lam[b], sweep.S, w)
        inward_gradient(tree, lam[b], sweep, w, L, P, dq[b], dqd[b])
        add_product(tree.stiffness, lam[b], dq[b])
        add_product(tree.damping, lam[b], dqd[b])
        if f_ext.size:
            stationary_gradient(tree, lam[b], sweep.S, e, P, dq[b])


@jit
def modID_derivatives_simple(tree: Tree, q: Floats, qdd: Floats, lam: Floats, grad: Floats) -> None:
    """Compute the gradient (B, nv) of lam . H qdd with respect to q."""
    light = inertial(tree)
    rest, dqd = empty(q, 1, qdd.shape[1]), empty(q, 1, qdd.shape[1])
    none = empty(q, 0, 0, 6)
    rest[:, :] = 0.0
    for b in range(q.shape[0]):
        s = slice(b, b + 1)
        modID_derivatives(light, q[s], rest, qdd[s], lam[s], none, none, grad[s], dqd)
