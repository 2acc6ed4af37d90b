"""First derivatives of constraints, and of the joint forces of their multipliers."""

import numpy as np

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import dot6, six
from spatial_v2.engine.parts.constraint_arrays import new_row_vectors, row_range
from spatial_v2.engine.parts.pushed_forces import push_forces
from spatial_v2.engine.parts.row_jacobians import jacobian
from spatial_v2.engine.parts.row_vectors import row_sweep
from spatial_v2.engine.parts.sweep import new_sweep
from spatial_v2.engine.tree import Floats


@inline
def row_derivatives(
    constraints: ConstraintArrays, S: Floats, psid: Floats, psidd: Floats, rate: Floats, Y: Floats,
    Z: Floats, X: Floats, dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """Compute derivatives dq and dqd (m, nv) of the accelerations of the constraint rows.

    S, psid, psidd and rate are motion subspaces and their rates as in `Sweep`; Y, Z and X are
    results of `row_vectors`.
    """
    tree = constraints.tree
    dq[:, :] = 0.0
    dqd[:, :] = 0.0
    for c in range(constraints.ends.shape[0]):
        for e in range(2):
            i, sign = constraints.ends[c, e], 2.0 * e - 1.0
            while i >= 0:
                for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    s, ds, dds, rs = six(S[t]), six(psid[t]), six(psidd[t]), six(rate[t])
                    for k in row_range(constraints, c):
                        y, z = six(Y[e, k]), six(Z[e, k])
                        dq[k, t] += sign * (dot6(dds, y) + dot6(ds, z) + dot6(s, six(X[e, k])))
                        dqd[k, t] += sign * (dot6(rs, y) + dot6(s, z))
                i = tree.parent[i]


@jit
def constraint_derivatives(
    constraints: ConstraintArrays, q: Floats, qd: Floats, qdd: Floats, lam: Floats,
    G: Floats, dq: Floats, dqd: Floats, push: Floats,
) -> None:  # fmt: skip
    """Compute the Jacobian G, and the derivatives dq and dqd, with respect to q and qd, of the
    acceleration of the rows minus the desired one.

    Arguments: q, qd, qdd and the multipliers lam (B, m). G, dq and dqd are (B, m, nv). push (B, nv,
    nv) is the derivative of ``G^T lam`` with respect to q at constant lam.
    """
    m, nb, nv = constraints.T.shape[0], constraints.tree.parent.size, qd.shape[1]
    sweep = new_sweep(q, nb, nv)
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    vJ, alpha = empty(q, 6), empty(q, m)
    rows = new_row_vectors(q, m, nv)
    Y, Z, X = rows.Y, rows.Z, rows.X
    index, first = np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64)
    last = np.empty(nv, dtype=np.int64)
    for b in range(q.shape[0]):
        row_sweep(constraints, q[b], qd[b], qdd[b], sweep, vJ, rows, alpha)
        jacobian(constraints, S, Y, G[b])
        row_derivatives(constraints, S, psid, psidd, rate, Y, Z, X, dq[b], dqd[b])
        push[b, :, :] = 0.0
        for c in range(constraints.ends.shape[0]):
            push_forces(constraints, c, lam[b], sweep, rows, index, first, last, push[b])
