"""All quantities of the dynamics in ground coordinates."""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import dense_inertia, ground_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import motion_transform, near
from spatial_v2.engine.rotors import turn_joint
from spatial_v2.engine.sweep import forward
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import crm, fold, force_at, put, put_column, shift_motion, six

__all__ = ["global_dynamics"]


@inline
def dense_coriolis(B: Floats, p: Floats, out: Floats) -> None:
    """The matrix of half of `coriolis_matrix`, about a point that is at p."""
    h0, h1, h2 = B[9], B[10], B[11]
    x = (0.5 * B[0], 0.5 * B[3], 0.5 * B[6], 0.0, -h2, h1)
    y = (0.5 * B[1], 0.5 * B[4], 0.5 * B[7], h2, 0.0, -h0)
    z = (0.5 * B[2], 0.5 * B[5], 0.5 * B[8], -h1, h0, 0.0)
    put_column(force_at(p, x), 0, out)
    put_column(force_at(p, y), 1, out)
    put_column(force_at(p, z), 2, out)
    out[:, 3:] = 0.0


@jit
def global_dynamics(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, S: Floats, Sd: Floats, psid: Floats,
    psidd: Floats, X0: Floats, vJ: Floats, v: Floats, a: Floats, I: Floats, IC: Floats,
    B: Floats, BC: Floats, f: Floats, fC: Floats,
) -> None:  # fmt: skip
    """The fields of `GroundFrame`, each (B, ...), X0 zero before.

    They are taken about a point of the robot and moved to the ground's origin at the end.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, base = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, 3)
    s, ds, dds, rate = empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6)
    w, wd, F = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    J, C = empty(q, nb + 1, 10), empty(q, nb + 1, 12)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, s)
        forward(tree, qd[b], qdd[b], R, p, False, s, ds, dds, rate, w, wd, J, C, F)
        for c in range(3):
            base[c] = p[-1, c]
        for i in range(nb):
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                put_column(shift_motion(base, six(s[k])), k, S[b])
                put_column(shift_motion(base, crm(six(w[i]), six(s[k]))), k, Sd[b])
                put_column(shift_motion(base, six(ds[k])), k, psid[b])
                put_column(shift_motion(base, six(dds[k])), k, psidd[b])
            out = vJ[b, i]
            out[:] = 0.0
            turn_joint(tree, i, s, qd[b], out)
            put(shift_motion(base, six(out)), out)
            put(shift_motion(base, six(w[i])), v[b, i])
            put(shift_motion(base, six(wd[i])), a[b, i])
            put(force_at(base, six(F[i])), f[b, i])
            dense_coriolis(C[i], base, B[b, i])
            for c in range(3):
                p[i, c] -= base[c]
            motion_transform(R[i], p[i], X0[b, i])
            ground_inertia(tree.I[i], R[i], p[i], J[i])
            dense_inertia(J[i], I[b, i])
        for i in range(nb - 1, -1, -1):
            put(force_at(base, six(F[i])), fC[b, i])
            dense_coriolis(C[i], base, BC[b, i])
            dense_inertia(J[i], IC[b, i])
            fold(F[i], F[tree.parent[i]])
            fold(C[i], C[tree.parent[i]])
            fold(J[i], J[tree.parent[i]])
