"""Generalised momentum H qd and C^T qd in O(N)."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    add,
    combine,
    crm,
    dot6,
    shift_force,
    shift_motion,
    six,
    store,
)
from spatial_v2.engine.parts.inertia import apply_inertia, place_inertia
from spatial_v2.engine.parts.joint_terms import add_product
from spatial_v2.engine.parts.poses import about_body
from spatial_v2.engine.tree import Floats, Tree


@inline
def outward_momentum(
    tree: Tree, qd: Floats, R: Floats, d: Floats, S: Floats, Sd: Floats, v: Floats, I: Floats,
    h: Floats,
) -> None:  # fmt: skip
    """Compute momenta h (nb + 1, 6) of the bodies and rates Sd, about each body's own origin."""
    v[-1, :] = 0.0
    for i in range(tree.parent.size):
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        vp = shift_motion(d[i], six(v[tree.parent[i]]))
        store(vp, v[i])
        combine(S, v0, v0 + n, qd, v[i])
        for k in range(v0, v0 + n):
            store(crm(vp if n == 1 else six(v[i]), six(S[k])), Sd[k])
        place_inertia(tree.I[i], R[i], d[-1], I)
        store(apply_inertia(I, six(v[i])), h[i])


@inline
def inward_momentum(
    tree: Tree, d: Floats, S: Floats, Sd: Floats, h: Floats, Hqd: Floats, CTqd: Floats
) -> None:
    """Compute the products Hqd and CTqd (nv,) of one state; h becomes that of the subtrees."""
    for i in range(tree.parent.size - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            Hqd[k], CTqd[k] = dot6(six(S[k]), six(h[i])), dot6(six(Sd[k]), six(h[i]))
        add(shift_force(d[i], six(h[i])), h[tree.parent[i]])


@jit
def Hqd_and_CTqd(tree: Tree, q: Floats, qd: Floats, Hqd: Floats, CTqd: Floats) -> None:
    """Compute the products H qd and C^T qd of a batch of states, each (B, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, d, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S, Sd, I, h = empty(q, nv, 6), empty(q, nv, 6), empty(q, 10), empty(q, nb + 1, 6)
    for b in range(q.shape[0]):
        about_body(tree, q[b], R, d, S)
        outward_momentum(tree, qd[b], R, d, S, Sd, v, I, h)
        inward_momentum(tree, d, S, Sd, h, Hqd[b], CTqd[b])
        add_product(tree.armature, qd[b], Hqd[b])
