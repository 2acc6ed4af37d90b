"""The Jacobian and the acceleration of constraints."""

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import combine, crm, plus, six, store
from spatial_v2.engine.parts.constraint_arrays import new_row_vectors
from spatial_v2.engine.parts.least_pivots import least_pivots
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.row_jacobians import jacobian_and_sizes
from spatial_v2.engine.parts.row_vectors import row_vectors
from spatial_v2.engine.parts.sweep import still
from spatial_v2.engine.tree import Floats


@jit
def constraint_rows(
    constraints: ConstraintArrays, q: Floats, qd: Floats, qdd: Floats, G: Floats, alpha: Floats,
    size: Floats, least: Floats,
) -> None:  # fmt: skip
    """Compute the Jacobian G (B, m, nv), the acceleration alpha (B, m) and the sizes of
    constraint rows by `jacobian_and_sizes`, and the `least_pivots` (B, nv) of the inertia matrix.

    alpha is the acceleration of the rows minus the desired one.
    """
    tree, m = constraints.tree, constraints.T.shape[0]
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    v, a, vJ = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6)
    rows, C = new_row_vectors(q, m, nv), empty(q, nb + 1, 5)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], R, p, S)
        still(v, a)
        for i in range(nb):
            v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
            vp, ap = six(v[tree.parent[i]]), six(a[tree.parent[i]])
            vJ[:] = 0.0
            combine(S, v0, v1, qd[b], vJ)
            store(plus(vp, six(vJ)), v[i])
            store(plus(ap, crm(vp, six(vJ))), a[i])
            combine(S, v0, v1, qdd[b], a[i])
        row_vectors(constraints, R, p, v, a, rows, alpha[b])
        jacobian_and_sizes(constraints, S, rows.Y, G[b], size[b])
        least_pivots(tree, R, p, S, C, least[b])
