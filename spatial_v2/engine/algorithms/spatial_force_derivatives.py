"""First derivatives of the forces on the bodies, alone and summed over subtrees."""

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.vectors import (
    Six,
    crf,
    force_at,
    force_in_body,
    plus,
    six,
    store_column,
)
from spatial_v2.engine.parts.body_coriolis import apply_coriolis
from spatial_v2.engine.parts.inertia import apply_inertia
from spatial_v2.engine.parts.sweep import Sweep, add_to_parent, forward_pass, new_sweep
from spatial_v2.engine.tree import Floats, Tree


@inline
def rates(I: Floats, B: Floats, s: Six, ds: Six, dds: Six, r: Six) -> tuple[Six, Six, Six]:
    """Return the forces ``I psidd + B psid``, ``I rate + B S`` and ``I S``, for an inertia I and
    the doubled Coriolis matrix B.
    """
    dq = plus(apply_inertia(I, dds), apply_coriolis(B, ds))
    return dq, plus(apply_inertia(I, r), apply_coriolis(B, s)), apply_inertia(I, s)


class Forces(NamedTuple):
    """Derivatives of forces with respect to q, velocity and acceleration."""

    dq: Floats
    dv: Floats
    da: Floats


@inline
def store_both(x: Six, y: Six, i: int, k: int, R: Floats, p: Floats, F: Floats, G: Floats) -> None:
    """Store derivatives of body i along variable k: x in F (ground axes), y in G (body axes)."""
    store_column(force_at(p[-1], x), k, F[i])
    store_column(force_in_body(R[i], p[i], y), k, G[i])


@inline
def derive(tree: Tree, summed: bool, sweep: Sweep, ground: Forces, body: Forces, b: int) -> None:
    """Compute derivatives of the forces f on the bodies or, if `summed`, on the subtrees, in the
    coordinates of the ground and of the body, for state b.
    """
    R, p, S, psid, psidd, rate = sweep.R, sweep.p, sweep.S, sweep.psid, sweep.psidd, sweep.rate
    I, B, f = sweep.IC, sweep.BC, sweep.fC
    dq, dv, da = ground.dq[b], ground.dv[b], ground.da[b]
    dq_body, dv_body, da_body = body.dq[b], body.dv[b], body.da[b]
    for i in range(tree.parent.size - 1, -1, -1):
        j = i
        while j >= 0:
            for k in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                s = six(S[k])
                x, y, z = rates(I[i], B[i], s, six(psid[k]), six(psidd[k]), six(rate[k]))
                turned = plus(x, crf(s, six(f[i])))
                store_both(turned, x, i, k, R, p, dq, dq_body)
                store_both(y, y, i, k, R, p, dv, dv_body)
                store_both(z, z, i, k, R, p, da, da_body)
                m = tree.parent[i] if summed and j == i else -1
                while m >= 0:
                    store_both(turned, turned, m, k, R, p, dq, dq_body)
                    store_both(y, y, m, k, R, p, dv, dv_body)
                    store_both(z, z, m, k, R, p, da, da_body)
                    m = tree.parent[m]
            j = tree.parent[j]
        if summed:
            add_to_parent(tree, i, sweep)


@jit
def spatial_force_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f: Forces, fC: Forces, f_body: Forces,
    fC_body: Forces,
) -> None:  # fmt: skip
    """Compute the fields of `SpatialForceDerivatives`, each (B, nb, 6, nv), zero on entry.

    They are derivatives of the forces f on the bodies and fC on the subtrees.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    sweep = new_sweep(q, nb, nv)
    for b in range(q.shape[0]):
        forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        derive(tree, False, sweep, f, f_body, b)
        derive(tree, True, sweep, fC, fC_body, b)
