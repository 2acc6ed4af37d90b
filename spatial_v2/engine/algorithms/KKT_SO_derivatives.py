"""Second derivatives of constrained dynamics, from the state, state by state."""

from spatial_v2.engine.algorithms.CRBA import CRBA
from spatial_v2.engine.algorithms.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.engine.algorithms.KKT_FO_derivatives import KKT_FO_derivatives
from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.constraint_arrays import (
    RowVectors,
    ends,
    new_row_vectors,
    row_range,
)
from spatial_v2.engine.parts.constraint_hessians import Weighted, add_hessians, new_weighted
from spatial_v2.engine.parts.jacobian_hessians import add_force_hessian
from spatial_v2.engine.parts.kkt_arrays import new_factors
from spatial_v2.engine.parts.kkt_factors import factorise
from spatial_v2.engine.parts.paths import Paths, find_paths, new_paths
from spatial_v2.engine.parts.pushed_forces import push_forces
from spatial_v2.engine.parts.row_jacobians import jacobian
from spatial_v2.engine.parts.row_vectors import row_sweep
from spatial_v2.engine.parts.sweep import Sweep, new_sweep
from spatial_v2.engine.tensors.kkt_second import (
    COLUMNS,
    ROWS,
    InverseDynamics,
    RowTensors,
    first_columns,
    invert,
    multiply,
    new_row_tensors,
    products,
)
from spatial_v2.engine.tensors.sums import Paired, SecondOrder
from spatial_v2.engine.tree import Floats


@part
def row_tensors(
    constraints: ConstraintArrays, lam: Floats, unit: Floats, sweep: Sweep, rows: RowVectors,
    paths: Paths, room: Weighted, out: RowTensors,
) -> None:  # fmt: skip
    """Compute the tensors of the rows in one state, from the results of `row_sweep`.

    lam (m,) are the multipliers of the rows; unit (m,) is a workspace.
    """
    index, first, last = paths.var[0], paths.first[0], paths.last[0]
    unit[:] = 0.0
    for x in (out.qq, out.qv, out.vv, out.G_q, out.G_qq):
        x[:, :, :] = 0.0
    for c in range(constraints.ends.shape[0]):
        ends(constraints, c, sweep.R, sweep.p, rows.Rc, rows.pc)
        for k in row_range(constraints, c):
            unit[k] = 1.0
            push_forces(constraints, c, unit, sweep, rows, index, first, last, out.G_q[k])
            unit[k] = 0.0
        find_paths(constraints, c, paths)
        for k in row_range(constraints, c):
            unit[k] = 1.0
            add_hessians(
                constraints, c, unit, sweep, rows, paths, room, out.qq[k], out.qv[k], out.vv[k]
            )
            unit[k] = 0.0
        add_force_hessian(constraints, c, lam, sweep.S, rows, paths, room.F[0], out.G_qq)


@part
def right_sides(
    pairs: Paired, dynamics: InverseDynamics, b: int, rows: RowTensors, N: Floats, j: int, R: Floats
) -> None:
    """Compute the right-hand sides R of the second derivatives with the first index j.

    Their columns, 4 nv, are those of the derivatives along q and q, qd and qd, q and qd, tau and q.
    N has the results of `products`.
    """
    nv, m = N.shape[0], rows.qq.shape[0]
    for i in range(nv):
        for k in range(nv):
            R[i, k] = rows.G_qq[i, j, k] - N[k, i, j] - N[j, i, k]
            R[i, nv + k] = 0.0
            R[i, 2 * nv + k] = -N[j, i, nv + k]
            R[i, 3 * nv + k] = -N[k, i, 2 * nv + j]
    for r in range(m):
        i = nv + r
        for k in range(nv):
            R[i, k] = -rows.qq[r, j, k] - N[k, i, j] - N[j, i, k]
            R[i, nv + k] = -rows.vv[r, j, k]
            R[i, 2 * nv + k] = -rows.qv[r, j, k] - N[j, i, nv + k]
            R[i, 3 * nv + k] = -N[k, i, 2 * nv + j]
    for k in range(nv):
        pair = j * nv + k
        for e in range(pairs.first[0, pair], pairs.first[0, pair + 1]):
            R[pairs.row[e], k] -= dynamics.qq[b, pairs.entry[e]]
        for e in range(pairs.first[1, pair], pairs.first[1, pair + 1]):
            R[pairs.row[e], nv + k] -= dynamics.vv[b, pairs.entry[e]]
        for e in range(pairs.first[2, pair], pairs.first[2, pair + 1]):
            R[pairs.row[e], 2 * nv + k] -= dynamics.qv[b, pairs.entry[e]]


@jit
def KKT_SO_derivatives(
    of: SecondOrder, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    z: Floats, d2qdd: Floats, d2lambda: Floats, doubt: Floats,
) -> None:  # fmt: skip
    """Compute the second derivatives of the accelerations qdd and the m multipliers lambda, for
    independent rows.

    z (B, nv + m) is qdd, then lambda. d2qdd (B, 4, nv, nv, nv) and d2lambda (B, 4, m, nv, nv) have
    their derivatives along q and q, qd and qd, q and qd, tau and q; doubt (B, 1) is that of
    `KKT.solve_refined`.
    """
    (constraints, equations), pairs, many = of.first, of.pairs, of.many
    (B, nv), m = qd.shape, constraints.T.shape[0]
    dqdd, dlambda = empty(q, B, 3, nv, nv), empty(q, B, 3, m, nv)
    qdd, lam, H, G = empty(q, B, nv), empty(q, m), empty(q, B, nv, nv), empty(q, m, nv)
    dynamics = InverseDynamics(
        empty(q, B, many[0]), empty(q, B, many[1]), empty(q, B, many[2]), empty(q, B, many[3])
    )
    sweep, rows = new_sweep(q, constraints.tree.parent.size, nv), new_row_vectors(q, m, nv)
    vJ, alpha, unit = empty(q, 6), empty(q, m), empty(q, m)
    paths, room, tensors = new_paths(nv), new_weighted(q), new_row_tensors(q, m, nv)
    w, Z = new_factors(q, nv, m), empty(q, m, m)
    n, columns = nv + m, -(-4 * nv // COLUMNS) * COLUMNS
    D, N, M = empty(q, n, 3 * nv), empty(q, nv, n, 3 * nv), empty(q, n, -(-n // ROWS) * ROWS)
    R, x = empty(q, n, columns), empty(q, M.shape[1], columns)
    R[:, :] = 0.0
    H[:, :, :] = 0.0
    KKT_FO_derivatives(of.first, q, qd, tau, f_ext, f_body, z, dqdd, dlambda, doubt)
    for b in range(B):
        for i in range(nv):
            qdd[b, i] = z[b, i]
    ID_qq, ID_vv, ID_qv, dM = dynamics
    ID_SO_derivatives(constraints.tree, q, qd, qdd, f_ext, f_body, ID_qq, ID_vv, ID_qv, dM)
    CRBA(constraints.tree, q, H)
    for b in range(B):
        for k in range(m):
            lam[k] = z[b, nv + k]
        row_sweep(constraints, q[b], qd[b], qdd[b], sweep, vJ, rows, alpha)
        jacobian(constraints, sweep.S, rows.Y, G)
        row_tensors(constraints, lam, unit, sweep, rows, paths, room, tensors)
        factorise(equations, H[b], G, w)
        invert(w.W, dqdd[b, 2], dlambda[b, 2], Z, M)
        first_columns(dqdd[b], dlambda[b], D)
        products(pairs, dM[b], tensors.G_q, D, N)
        for j in range(nv):
            right_sides(pairs, dynamics, b, tensors, N, j, R)
            multiply(M, R, x)
            for t in range(4):
                for i in range(nv):
                    for k in range(nv):
                        d2qdd[b, t, i, j, k] = x[i, t * nv + k]
                for r in range(m):
                    for k in range(nv):
                        d2lambda[b, t, r, j, k] = x[nv + r, t * nv + k]
