"""Derivatives of the velocities of constraint rows."""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.vectors import crf, cross, dot6, minus, plus, six, store, times
from spatial_v2.engine.parts.constraint_arrays import RowVectors, row_range
from spatial_v2.engine.parts.sweep import Sweep
from spatial_v2.engine.tree import Floats


@inline
def velocity_derivatives(
    constraints: ConstraintArrays, sweep: Sweep, rows: RowVectors, T: Floats, w_q: Floats
) -> None:
    """Compute the derivatives w_q (m, nv) of the velocities of rows without gains along q.

    They are ``Y . psid + T . S`` with ``T = Z - dY/dt`` (2, m, 6).
    """
    tree = constraints.tree
    w_q[:, :] = 0.0
    for c in range(constraints.ends.shape[0]):
        own = constraints.ends[c, 2]
        for e in range(2):
            i, sign = constraints.ends[c, e], 2.0 * e - 1.0
            vb = six(sweep.v[i if own < 0 else constraints.ends[c, own]])
            for k in row_range(constraints, c):
                z, d = six(rows.Z[e, k]), rows.D[k]
                if own < 0:
                    m0, m1, m2 = cross(vb[0], vb[1], vb[2], d[3], d[4], d[5])
                    turned = m0, m1, m2, 0.0, 0.0, 0.0
                    store(times(0.5, plus(z, turned)), T[e, k])
                else:
                    store(minus(z, crf(vb, six(rows.Y[e, k]))), T[e, k])
            while i >= 0:
                for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    s, ds = six(sweep.S[t]), six(sweep.psid[t])
                    for k in row_range(constraints, c):
                        x = dot6(ds, six(rows.Y[e, k])) + dot6(s, six(T[e, k]))
                        w_q[k, t] += sign * x
                i = tree.parent[i]
