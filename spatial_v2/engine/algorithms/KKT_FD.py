"""Constrained forward dynamics, from the state to accelerations and constraint forces."""

from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.algorithms.KKT import solve_states
from spatial_v2.engine.compile.decorators import jit, within
from spatial_v2.engine.compile.subkernels import subkernel
from spatial_v2.engine.constrained import Constrained
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.body_sweep import inertias_and_bias
from spatial_v2.engine.parts.held_rows import held_rows, least_pivots_of, new_held_rows
from spatial_v2.engine.parts.kkt_arrays import Posed
from spatial_v2.engine.parts.sweep import new_moving
from spatial_v2.engine.tree import Floats


@within
def new_posed(q: Floats, nv: int, m: int) -> Posed:
    """Allocate the equations of B states with one right-hand side, for the kind of number of q."""
    B = q.shape[0]
    return Posed(
        empty(q, B, nv, nv), empty(q, B, m, nv), empty(q, B, m), empty(q, B, nv),
        empty(q, B, nv, 1), empty(q, B, m, 1),
    )  # fmt: skip


@subkernel
def pose(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, out: Posed
) -> None:
    """Compute the KKT equations, with forces ``tau - C`` and rates ``-alpha`` of the rows."""
    B, nv = qd.shape
    m = out.size.shape[1]
    tree, nb = of.constraints.tree, of.constraints.tree.parent.size
    bodies, rows = new_moving(q, nb, nv), new_held_rows(q, m)
    IC, C, alpha, p = empty(q, nb + 1, 10), empty(q, nv), empty(q, m), empty(q, nb + 1, 3)
    out.H[:, :, :] = 0.0
    for b in range(B):
        inertias_and_bias(tree, q, qd, f_ext, f_body, b, bodies, p, IC, C)
        mass_matrix(tree, bodies.p, bodies.S, IC, out.H[b])
        least_pivots_of(tree, bodies, IC, IC[-1], out.least[b])
        held_rows(of.constraints, bodies, rows, out.G[b], alpha, out.size[b])
        for i in range(nv):
            out.top[b, i, 0] = tau[b, i] - C[i]
        for k in range(m):
            out.bottom[b, k, 0] = -alpha[k]


@jit
def KKT_FD(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    qdd: Floats, lam: Floats, report: Floats,
) -> None:  # fmt: skip
    """Compute accelerations qdd (B, nv) and multipliers lam (B, m), with the reports of `KKT`."""
    nv, m = qd.shape[1], lam.shape[1]
    x, y = empty(q, q.shape[0], nv, 1), empty(q, q.shape[0], m, 1)
    posed = new_posed(q, nv, m)
    pose(of, q, qd, tau, f_ext, f_body, posed)
    solve_states(of.equations, posed, x, y, report)
    for b in range(q.shape[0]):
        for i in range(nv):
            qdd[b, i] = x[b, i, 0]
        for k in range(m):
            lam[b, k] = y[b, k, 0]
