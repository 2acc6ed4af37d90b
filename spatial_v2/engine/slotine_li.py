"""H qdd + C qd_r + g in O(N), the Coriolis matrix being that of the Christoffel symbols."""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import apply_matrix
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.rnea import inward
from spatial_v2.engine.sweep import rest, velocities
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import (
    Six,
    combine,
    crf,
    crm,
    plus,
    put,
    shift_force,
    shift_motion,
    six,
    times,
    turn_six,
    turn_six_back,
)

__all__ = ["slotine_li"]


@inline
def two_velocity_force(I: Floats, v: Six, w: Six, a: Six) -> Six:
    """``I a + B(I, v) w`` with ``2 B w = v x* I w + w x* I v - I (v x w)``."""
    f = plus(crf(v, apply_matrix(I, w)), crf(w, apply_matrix(I, v)))
    return plus(apply_matrix(I, plus(a, times(-0.5, crm(v, w)))), times(0.5, f))


@inline
def forces(
    tree: Tree, qd_r: Floats, qdd: Floats, R: Floats, p: Floats, S: Floats, Sd: Floats, v: Floats,
    w: Floats, a: Floats, f: Floats,
) -> None:  # fmt: skip
    """Forces f (nb + 1, 6) of the bodies; w and a are their reference motions."""
    rest(tree, w, a)
    for i in range(tree.parent.size):
        v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        put(six(w[tree.parent[i]]), w[i])
        put(six(a[tree.parent[i]]), a[i])
        combine(S, v0, v1, qd_r, w[i])
        combine(S, v0, v1, qdd, a[i])
        combine(Sd, v0, v1, qd_r, a[i])
        # in coordinates of the body
        vb = turn_six_back(R[i], shift_motion(p[i], six(v[i])))
        wb = turn_six_back(R[i], shift_motion(p[i], six(w[i])))
        ab = turn_six_back(R[i], shift_motion(p[i], six(a[i])))
        fb = two_velocity_force(tree.I[i], vb, wb, ab)
        put(shift_force(p[i], turn_six(R[i], fb)), f[i])


@jit
def slotine_li(tree: Tree, q: Floats, qd: Floats, qd_r: Floats, qdd: Floats, tau: Floats) -> None:
    """Joint forces tau (B, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    w, a, f = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    S, Sd = empty(q, nv, 6), empty(q, nv, 6)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        forces(tree, qd_r[b], qdd[b], R, p, S, Sd, v, w, a, f)
        inward(tree, S, f, tau[b])
