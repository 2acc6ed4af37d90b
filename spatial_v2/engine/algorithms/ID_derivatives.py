"""First derivatives of inverse dynamics: IDSVA in the ground frame."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crf, dot6, plus, six
from spatial_v2.engine.parts.body_coriolis import apply_coriolis, apply_transpose
from spatial_v2.engine.parts.external import external, stationary_matrix
from spatial_v2.engine.parts.inertia import apply_inertia
from spatial_v2.engine.parts.joint_terms import add_diagonal
from spatial_v2.engine.parts.sweep import Sweep, add_to_parent, forward_pass, inertial, new_sweep
from spatial_v2.engine.tree import Floats, Tree


@inline
def inward_derivatives(tree: Tree, sweep: Sweep, dq: Floats, dqd: Floats) -> None:
    """Compute dtau_dq and dtau_dqd (nv, nv); IC, BC and fC become sums over subtrees."""
    parent, joint = tree.parent, tree.joint
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    IC, BC, fC = sweep.IC, sweep.BC, sweep.fC
    for i in range(parent.size - 1, -1, -1):
        for k in range(joint[i, 3], joint[i, 3] + joint[i, 4]):
            s, ds = six(S[k]), six(psid[k])
            F = plus(apply_inertia(IC[i], six(psidd[k])), apply_coriolis(BC[i], ds))
            F = plus(F, crf(s, six(fC[i])))
            G = plus(apply_inertia(IC[i], six(rate[k])), apply_coriolis(BC[i], s))
            P, l = apply_inertia(IC[i], s), apply_transpose(BC[i], s)
            j = i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    s, ds = six(S[t]), six(psid[t])
                    x = l[0] * ds[0] + l[1] * ds[1] + l[2] * ds[2]
                    y = l[0] * s[0] + l[1] * s[1] + l[2] * s[2]
                    dq[k, t] = x + dot6(P, six(psidd[t]))
                    dqd[k, t] = y + dot6(P, six(rate[t]))
                    if j != i:
                        dq[t, k] = dot6(F, s)
                        dqd[t, k] = dot6(G, s)
                j = parent[j]
        add_to_parent(tree, i, sweep)


@jit
def ID_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """Compute dq = dtau_dq and dqd = dtau_dqd, each (B, nv, nv), which must be zero on entry.

    The external forces f_ext are constant in the base, f_body in the bodies: each (B, nb, 6), or
    (0, 0, 6) for none.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    sweep = new_sweep(q, nb, nv)
    e = empty(q, (nb + 1) * (f_ext.size > 0), 6)
    for b in range(q.shape[0]):
        o = forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        external(f_ext, f_body, b, o, sweep, e)
        inward_derivatives(tree, sweep, dq[b], dqd[b])
        add_diagonal(tree.stiffness, dq[b])
        add_diagonal(tree.damping, dqd[b])
        if f_ext.size:
            stationary_matrix(tree, sweep.S, e, dq[b])


@jit
def IDFOZA(tree: Tree, q: Floats, x: Floats, dHx: Floats) -> None:
    """Compute the derivatives dHx (B, nv, nv): entry [b, i, k] is the derivative of (H x)_i with
    respect to q_k in state b. dHx must be zero on entry.
    """
    light = inertial(tree)
    rest, dqd = empty(q, 1, x.shape[1]), empty(q, 1, x.shape[1], x.shape[1])
    none = empty(q, 0, 0, 6)
    rest[:, :] = 0.0
    for b in range(q.shape[0]):
        ID_derivatives(light, q[b : b + 1], rest, x[b : b + 1], none, none, dHx[b : b + 1], dqd)
