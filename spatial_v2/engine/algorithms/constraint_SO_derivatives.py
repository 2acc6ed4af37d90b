"""Weighted sums of second derivatives of constraint accelerations, without tensors."""

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.constraint_arrays import ends, new_row_vectors
from spatial_v2.engine.parts.constraint_hessians import add_hessians, new_weighted
from spatial_v2.engine.parts.paths import find_paths, new_paths
from spatial_v2.engine.parts.row_vectors import row_sweep
from spatial_v2.engine.parts.sweep import new_sweep
from spatial_v2.engine.tree import Floats


@jit
def constraint_SO_derivatives(
    constraints: ConstraintArrays, q: Floats, qd: Floats, qdd: Floats, weight: Floats,
    qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Compute second derivatives (B, nv, nv) of the weighted accelerations
    ``weight . (alpha - a*)`` of the rows.

    alpha are the accelerations of the constraint rows and a* the desired ones. They are taken with
    respect to (q, q), (q, qd) and (qd, qd) for qq, qv and vv. Gains Kp of frames are treated as
    zero.
    """
    m, nv = constraints.T.shape[0], qd.shape[1]
    sweep, rows = new_sweep(q, constraints.tree.parent.size, nv), new_row_vectors(q, m, nv)
    vJ, alpha, room, paths = empty(q, 6), empty(q, m), new_weighted(q), new_paths(nv)
    for b in range(q.shape[0]):
        row_sweep(constraints, q[b], qd[b], qdd[b], sweep, vJ, rows, alpha)
        qq[b, :, :] = 0.0
        qv[b, :, :] = 0.0
        vv[b, :, :] = 0.0
        for c in range(constraints.ends.shape[0]):
            ends(constraints, c, sweep.R, sweep.p, rows.Rc, rows.pc)
            find_paths(constraints, c, paths)
            add_hessians(constraints, c, weight[b], sweep, rows, paths, room, qq[b], qv[b], vv[b])
