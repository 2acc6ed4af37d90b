"""Second derivatives of the forces on the subtrees, by the identities K of the paper of 2023.

For two joints on one path let t be the deeper one, and r at or above it. The terms use the
composite body i if t carries i; for all bodies above t, they use the composite body of t. In the
coordinates of a body that r carries, the term ``crf(S_r)`` times the derivative along t, which
comes from the moving frame, cancels; if t carries the body too, so does ``crf(S_t)`` times the
derivative along r.
"""

from spatial_v2.engine.algorithms.spatial_force_derivatives import rates
from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    Six,
    crf,
    force_in_body,
    minus,
    plus,
    six,
    store,
    store_second,
)
from spatial_v2.engine.parts.body_coriolis import add_lie_coriolis, apply_coriolis, coriolis_matrix
from spatial_v2.engine.parts.inertia import apply_inertia, apply_lie_inertia, lie_inertia
from spatial_v2.engine.parts.sweep import Sweep, add_to_parent, forward_pass, new_sweep
from spatial_v2.engine.tree import Floats, Tree

Five = tuple[Floats, Floats, Floats, Floats, Floats]
Three = tuple[Floats, Floats, Floats]
SixSix = tuple[Six, Six, Six, Six, Six, Six]


@inline
def store_at(R: Floats, p: Floats, x: Six, j: int, k: int, out: Floats) -> None:
    """Store the force x as out[:, j, k], in the coordinates of the pose R, p."""
    store_second(force_in_body(R, p, x), j, k, out)


@part
def store_pair(
    sweep: Sweep, m: int, i: int, t: int, r: int, same: bool, by: SixSix, out: Five
) -> None:
    """Store the second derivatives of the force on body i along the velocity variables t and r.

    `by` has six force vectors, derivatives with respect to (q, q), (v, v), (v, q), (q, v), (a, q)
    and (q, a), where the first letter is that of t. Unless `same` (t and r belong to one joint) the
    derivatives along (r, t) are stored, too. `out` has the results, in coordinates of body m, or of
    the base if m is -1.
    """
    R, p, (dq, dv, dvq, daq, dqa) = sweep.R[m], sweep.p[m], out
    qq, vv, vq, qv, aq, qa = by
    store_at(R, p, qq, t, r, dq[i])
    store_at(R, p, vv, t, r, dv[i])
    store_at(R, p, vq, t, r, dvq[i])
    store_at(R, p, aq, t, r, daq[i])
    store_at(R, p, aq, r, t, dqa[i])
    if not same:
        store_at(R, p, qq, r, t, dq[i])
        store_at(R, p, vv, r, t, dv[i])
        store_at(R, p, qv, r, t, dvq[i])
        store_at(R, p, qa, r, t, daq[i])
        store_at(R, p, qa, t, r, dqa[i])


@inline
def first(tree: Tree, i: int, sweep: Sweep, x: Floats, y: Floats, z: Floats) -> None:
    """Compute the `rates` of the composite body i for the variables that carry it, as rows."""
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    I, B = sweep.IC, sweep.BC
    j = i
    while j >= 0:
        for k in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
            by = rates(I[i], B[i], six(S[k]), six(psid[k]), six(psidd[k]), six(rate[k]))
            store(by[0], x[k])
            store(by[1], y[k])
            store(by[2], z[k])
        j = tree.parent[j]


@part
def force_pairs(
    tree: Tree, i: int, j: int, t: int, sweep: Sweep, of_t: Three, xyz: Three,
    ground: Five, body: Five,
) -> None:  # fmt: skip
    """Compute and store the second derivatives for variable t of joint j and all r at or above it.

    i is the composite body.
    """
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    I, f, (D, E, M), (x, y, z) = sweep.IC, sweep.fC, of_t, xyz
    st, by_v, by_a = six(S[t]), six(y[t]), six(z[t])
    by_q, l = plus(six(x[t]), crf(st, six(f[i]))), j
    while l >= 0:
        for r in range(tree.joint[l, 3], tree.joint[l, 3] + tree.joint[l, 4]):
            s, ds = six(S[r]), six(psid[r])
            qq = plus(apply_coriolis(M, ds), apply_lie_inertia(D, six(psidd[r])))
            qv = plus(apply_coriolis(M, s), apply_lie_inertia(D, six(rate[r])))
            vv, vq, qa = apply_coriolis(E, s), apply_coriolis(E, ds), apply_lie_inertia(D, s)
            if l == j:
                vv = plus(crf(st, apply_inertia(I[i], s)), crf(s, by_a))
            aq = crf(s, by_a)
            none, turned_q, turned_v = minus(aq, aq), plus(qq, crf(s, by_q)), plus(vq, crf(s, by_v))
            turned = turned_q, vv, turned_v, qv, aq, qa
            store_pair(sweep, -1, i, t, r, l == j, turned, ground)
            own_q, own_v = minus(qq, crf(st, six(x[r]))), minus(qv, crf(st, six(y[r])))
            own_a = minus(qa, crf(st, six(z[r])))
            own = own_q, vv, vq, own_v, none, own_a
            store_pair(sweep, i, i, t, r, l == j, own, body)
            m = tree.parent[i] if i == j else -1
            while m >= 0:
                store_pair(sweep, -1, m, t, r, l == j, turned, ground)
                if m >= l:
                    store_pair(sweep, m, m, t, r, l == j, (qq, vv, vq, qv, none, qa), body)
                else:
                    store_pair(sweep, m, m, t, r, l == j, turned, body)
                m = tree.parent[m]
        l = tree.parent[l]


@jit
def spatial_force_SO_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, in_ground: Five, in_body: Five
) -> None:
    """Compute the fields of `SpatialForceSODerivatives`, each (B, nb, 6, nv, nv), zero on entry, in
    the coordinates of the ground and of the body.
    """
    dq, dv, dvq, daq, dqa = in_ground
    dq_b, dv_b, dvq_b, daq_b, dqa_b = in_body
    nb, nv = tree.parent.size, qd.shape[1]
    sweep, D = new_sweep(q, nb, nv), empty(q, 9)
    S, psid, I, B = sweep.S, sweep.psid, sweep.IC, sweep.BC
    E, M, x, y, z = empty(q, 12), empty(q, 12), empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6)
    for b in range(q.shape[0]):
        ground = dq[b], dv[b], dvq[b], daq[b], dqa[b]
        body = dq_b[b], dv_b[b], dvq_b[b], daq_b[b], dqa_b[b]
        forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        for i in range(nb - 1, -1, -1):
            first(tree, i, sweep, x, y, z)
            j = i
            while j >= 0:
                for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                    lie_inertia(I[i], six(S[t]), D)
                    coriolis_matrix(I[i], six(S[t]), E)
                    coriolis_matrix(I[i], six(psid[t]), M)
                    add_lie_coriolis(B[i], six(S[t]), M)
                    force_pairs(tree, i, j, t, sweep, (D, E, M), (x, y, z), ground, body)
                j = tree.parent[j]
            add_to_parent(tree, i, sweep)
