"""Impacts that activate constraints, from the state to velocities and impulses."""

from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.algorithms.KKT import solve_states
from spatial_v2.engine.algorithms.KKT_FD import new_posed
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.constrained import Constrained
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.held_rows import held_rows, least_pivots_of, new_held_rows
from spatial_v2.engine.parts.inertia import turn_inertias
from spatial_v2.engine.parts.poses import about_body
from spatial_v2.engine.parts.sweep import new_moving
from spatial_v2.engine.tree import Floats


@jit
def Impact_dyn(
    of: Constrained, q: Floats, qd: Floats, restitution: Floats, qd_plus: Floats, impulse: Floats,
    report: Floats,
) -> None:  # fmt: skip
    """Compute velocities qd_plus (B, nv) after an impact and impulses (B, m), with the reports of
    `KKT`; restitution is (B, m).
    """
    (B, nv), m, tree = qd.shape, impulse.shape[1], of.constraints.tree
    x, y = empty(q, B, nv, 1), empty(q, B, m, 1)
    bodies, rows = new_moving(q, tree.parent.size, nv), new_held_rows(q, m)
    IC, alpha = empty(q, tree.parent.size + 1, 10), empty(q, 0)
    at = new_posed(q, nv, m)
    at.H[:, :, :] = 0.0
    for b in range(B):
        about_body(tree, q[b], bodies.R, bodies.p, bodies.S)
        turn_inertias(tree, bodies.R, IC)
        mass_matrix(tree, bodies.p, bodies.S, IC, at.H[b])
        least_pivots_of(tree, bodies, IC, IC[-1], at.least[b])
        held_rows(of.constraints, bodies, rows, at.G[b], alpha, at.size[b])
        for i in range(nv):
            at.top[b, i, 0] = 0.0
            for j in range(nv):
                at.top[b, i, 0] += at.H[b, i, j] * qd[b, j]
        for k in range(m):
            at.bottom[b, k, 0] = 0.0
            for j in range(nv):
                at.bottom[b, k, 0] -= restitution[b, k] * at.G[b, k, j] * qd[b, j]
    solve_states(of.equations, at, x, y, report)
    for b in range(B):
        for i in range(nv):
            qd_plus[b, i] = x[b, i, 0]
        for k in range(m):
            impulse[b, k] = y[b, k, 0]
