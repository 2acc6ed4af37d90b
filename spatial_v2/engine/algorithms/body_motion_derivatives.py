"""Derivatives of velocities and accelerations of the bodies: identities J of the paper of 2022."""

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.vectors import crm, in_body, minus, shift_motion, six, store_column
from spatial_v2.engine.parts.sweep import forward_pass, new_sweep
from spatial_v2.engine.tree import Floats, Tree


class Motion(NamedTuple):
    """Derivatives of velocities and accelerations, in one kind of coordinates."""

    dv_dq: Floats
    dv_dqd: Floats
    da_dq: Floats
    da_dqd: Floats
    da_dqdd: Floats


@jit
def body_motion_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, ground: Motion, body: Motion
) -> None:
    """Compute the fields of `BodyMotionDerivatives`, each (B, nb, 6, nv) and zero on entry, in the
    coordinates of the ground and of the body.
    """
    dv_dq, dv_dqd, da_dq, da_dqd, da_dqdd = ground
    dv_dq_body, dv_dqd_body, da_dq_body, da_dqd_body, da_dqdd_body = body
    nb, nv = tree.parent.size, qd.shape[1]
    sweep = new_sweep(q, nb, nv)
    R, p, v, a = sweep.R, sweep.p, sweep.v, sweep.a
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    for b in range(q.shape[0]):
        forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        for i in range(nb):
            vi, ai, o, j = six(v[i]), six(a[i]), p[-1], i
            while j >= 0:
                for k in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                    s, ds, dds = six(S[k]), six(psid[k]), six(psidd[k])
                    turned = crm(vi, s)
                    free = minus(dds, crm(vi, ds))
                    by_v = minus(six(rate[k]), turned)
                    store_column(shift_motion(o, minus(ds, turned)), k, dv_dq[b, i])
                    store_column(shift_motion(o, s), k, dv_dqd[b, i])
                    store_column(shift_motion(o, minus(free, crm(ai, s))), k, da_dq[b, i])
                    store_column(shift_motion(o, by_v), k, da_dqd[b, i])
                    store_column(shift_motion(o, s), k, da_dqdd[b, i])
                    s = in_body(R[i], p[i], s)
                    store_column(in_body(R[i], p[i], ds), k, dv_dq_body[b, i])
                    store_column(s, k, dv_dqd_body[b, i])
                    store_column(in_body(R[i], p[i], free), k, da_dq_body[b, i])
                    store_column(in_body(R[i], p[i], by_v), k, da_dqd_body[b, i])
                    store_column(s, k, da_dqdd_body[b, i])
                j = tree.parent[j]
