"""All quantities of the dynamics in ground coordinates."""

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    crm,
    force_at,
    shift_motion,
    six,
    store,
    store_column,
)
from spatial_v2.engine.parts.inertia import dense_inertia, place_inertia
from spatial_v2.engine.parts.poses import motion_transform
from spatial_v2.engine.parts.rotors import turn_joint
from spatial_v2.engine.parts.sweep import add_to_parent, forward_pass, new_sweep
from spatial_v2.engine.tree import Floats, Tree


class Ground(NamedTuple):
    """The fields of `GroundFrame` for B states, from the motion subspaces S to the forces fC."""

    S: Floats
    Sd: Floats
    psid: Floats
    psidd: Floats
    X0: Floats
    vJ: Floats
    v: Floats
    a: Floats
    I: Floats
    IC: Floats
    B: Floats
    BC: Floats
    f: Floats
    fC: Floats


@inline
def dense_coriolis(B: Floats, p: Floats, out: Floats) -> None:
    """Expand a matrix B of `coriolis_matrix` to the 6x6 body Coriolis matrix about point p."""
    h0, h1, h2 = B[9], B[10], B[11]
    x = (0.5 * B[0], 0.5 * B[3], 0.5 * B[6], 0.0, -h2, h1)
    y = (0.5 * B[1], 0.5 * B[4], 0.5 * B[7], h2, 0.0, -h0)
    z = (0.5 * B[2], 0.5 * B[5], 0.5 * B[8], -h1, h0, 0.0)
    store_column(force_at(p, x), 0, out)
    store_column(force_at(p, y), 1, out)
    store_column(force_at(p, z), 2, out)
    out[:, 3:] = 0.0


@jit
def GlobalDynamics(tree: Tree, q: Floats, qd: Floats, qdd: Floats, ground: Ground) -> None:
    """Compute the fields of `GroundFrame` for a batch of states; the transforms X0 must be zero on
    entry.

    They are computed about a point of the robot and shifted to the ground's origin at the end.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    S, Sd, psid, psidd, X0, vJ, v, a, I, IC, B, BC, f, fC = ground
    sweep, base = new_sweep(q, nb, nv), empty(q, 3)
    R, p, s, ds, dds = sweep.R, sweep.p, sweep.S, sweep.psid, sweep.psidd
    w, wd, J, C, F = sweep.v, sweep.a, sweep.IC, sweep.BC, sweep.fC
    for b in range(q.shape[0]):
        forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        for c in range(3):
            base[c] = p[-1, c]
        for i in range(nb):
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                store_column(shift_motion(base, six(s[k])), k, S[b])
                store_column(shift_motion(base, crm(six(w[i]), six(s[k]))), k, Sd[b])
                store_column(shift_motion(base, six(ds[k])), k, psid[b])
                store_column(shift_motion(base, six(dds[k])), k, psidd[b])
            out = vJ[b, i]
            out[:] = 0.0
            turn_joint(tree, i, s, qd[b], out)
            store(shift_motion(base, six(out)), out)
            store(shift_motion(base, six(w[i])), v[b, i])
            store(shift_motion(base, six(wd[i])), a[b, i])
            store(force_at(base, six(F[i])), f[b, i])
            dense_coriolis(C[i], base, B[b, i])
            for c in range(3):
                p[i, c] -= base[c]
            motion_transform(R[i], p[i], X0[b, i])
            place_inertia(tree.I[i], R[i], p[i], J[i])
            dense_inertia(J[i], I[b, i])
        for i in range(nb - 1, -1, -1):
            store(force_at(base, six(F[i])), fC[b, i])
            dense_coriolis(C[i], base, BC[b, i])
            dense_inertia(J[i], IC[b, i])
            add_to_parent(tree, i, sweep)
