"""Hessian of weighted accelerations of constrained dynamics, given their first derivatives.

With [w; z] the solution of the KKT equations for the weights, the equations of motion and the rows
are weighted by w and z: see `modKKT_second_derivatives`. Since the KKT matrix is symmetric, w and z
are products of the weights with the derivatives along the joint forces.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.algorithms.constraint_derivatives import row_derivatives
from spatial_v2.engine.algorithms.ID_derivatives import inward_derivatives
from spatial_v2.engine.algorithms.modID_derivatives import weigh
from spatial_v2.engine.algorithms.modID_second_derivatives import (
    Hessian,
    inward_hessian,
    new_weighted,
)
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts import constraint_hessians
from spatial_v2.engine.parts.constraint_arrays import RowVectors, ends, new_row_vectors
from spatial_v2.engine.parts.constraint_hessians import Weighted, add_hessians
from spatial_v2.engine.parts.paths import Paths, find_paths, new_paths
from spatial_v2.engine.parts.pushed_forces import push_forces
from spatial_v2.engine.parts.row_vectors import row_sweep
from spatial_v2.engine.parts.stage_products import add_product, fours
from spatial_v2.engine.parts.sweep import Sweep, forward_pass, inertial, new_sweep
from spatial_v2.engine.tree import Floats

Two = tuple[Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


@within
def without_gains(of: ConstraintArrays) -> ConstraintArrays:
    """Return the constraints without Baumgarte gains."""
    zero = np.zeros(of.Kp.size)
    return ConstraintArrays(of.tree, of.ends, of.E, of.r, of.T, zero, zero, of.length)


@part
def weighted_solution(first: Two, b: int, lam: Floats, D: Floats, w: Floats, z: Floats) -> None:
    """Compute w and z of state b from the weights lam, and the matrix D of first derivatives: of
    the accelerations, above those of the multipliers with the sign changed.
    """
    dqdd, dlambda = first
    m, nv = dlambda.shape[2], lam.size
    for i in range(nv):
        w[i] = 0.0
        for j in range(nv):
            w[i] += dqdd[b, 2, i, j] * lam[j]
    for k in range(m):
        z[k] = 0.0
        for j in range(nv):
            z[k] -= dlambda[b, 2, k, j] * lam[j]
    for t in range(3):
        for j in range(nv):
            for i in range(nv):
                D[i, t * nv + j] = dqdd[b, t, i, j]
            for k in range(m):
                D[nv + k, t * nv + j] = -dlambda[b, t, k, j]


@part
def add_rows(
    of: ConstraintArrays, weight: Floats, sweep: Sweep, rows: RowVectors, paths: Paths,
    room: Weighted, qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Add the second derivatives of the weighted accelerations of all rows; to qq alone if vv is
    empty.
    """
    for c in range(of.ends.shape[0]):
        ends(of, c, sweep.R, sweep.p, rows.Rc, rows.pc)
        find_paths(of, c, paths)
        add_hessians(of, c, weight, sweep, rows, paths, room, qq, qv, vv)


@part
def add_pushes(
    of: ConstraintArrays, weight: Floats, sweep: Sweep, rows: RowVectors, paths: Paths,
    N: Floats,
) -> None:  # fmt: skip
    """Add the derivatives of the joint forces ``G^T weight`` with respect to q to N."""
    index, first, last = paths.var[0], paths.first[0], paths.last[0]
    for c in range(of.ends.shape[0]):
        push_forces(of, c, weight, sweep, rows, index, first, last, N)


@part
def combine(blocks: Four, rows: Four, C: Floats, out: Four) -> None:
    """Compute the blocks of the Hessian: `blocks` are those of ``w . ID``, `rows` those of the
    rows, and C the products of the first derivatives with N and B.
    """
    (A, B, M, _), (turned, qq, qv, vv), (H_qq, H_vv, H_vq, H_tq) = blocks, rows, out
    n = A.shape[0]
    for j in range(n):
        for k in range(n):
            own = turned[j, k] - A[j, k] - qq[j, k]
            H_qq[j, k] = own - C[j, k] - C[k, j]
            H_vv[j, k] = -B[j, k] - vv[j, k]
            H_vq[j, k] = -C[n + j, k] - M[k, j] - qv[k, j]
            H_tq[j, k] = -C[2 * n + j, k]


@jit
def KKT_hessian(
    of: ConstraintArrays, q: Floats, qd: Floats, qdd: Floats, lam: Floats, mu: Floats, first: Two,
    out: Four,
) -> None:  # fmt: skip
    """Compute the Hessian of ``mu . qdd``, the blocks qq, vv, vq and tq (B, nv, nv) with v for qd
    and t for tau.

    qdd and lam are the accelerations and multipliers; `first` are their derivatives, dqdd
    (B, 3, nv, nv) and dlambda (B, 3, m, nv), with respect to q, qd and tau.
    """
    qq, vv, vq, tq = out
    tree, m, nv = of.tree, of.T.shape[0], qd.shape[1]
    sweep, rows = new_sweep(q, tree.parent.size, nv), new_row_vectors(q, m, nv)
    sums, room = new_weighted(q, tree.parent.size, nv), constraint_hessians.new_weighted(q)
    paths, none = new_paths(nv), empty(q, 1, 0)
    vJ, alpha, rest = empty(q, 6), empty(q, m), empty(q, nv)
    w, z, wide = empty(q, nv), empty(q, m), fours(3 * nv)
    D, NB, C = empty(q, nv + m, wide), empty(q, nv + m, nv), empty(q, wide, nv)
    A, V, M, spare = empty(q, nv, nv), empty(q, nv, nv), empty(q, nv, nv), empty(q, m, nv)
    R, R_qq, R_qv, R_vv = empty(q, nv, nv), empty(q, nv, nv), empty(q, nv, nv), empty(q, nv, nv)
    light, turning = inertial(tree), without_gains(of)
    rest[:] = 0.0
    D[:, 3 * nv :] = 0.0
    N, B = NB[:nv], NB[nv:]
    for b in range(q.shape[0]):
        weighted_solution(first, b, mu[b], D, w, z)
        # The derivatives of H w + G^T z and of G w: at rest, with w as the acceleration.
        N[:, :] = 0.0
        R[:, :] = 0.0
        forward_pass(light, q[b], rest, w, sweep)
        inward_derivatives(light, sweep, N, A)
        row_sweep(turning, q[b], rest, w, sweep, vJ, rows, alpha)
        row_derivatives(
            turning, sweep.S, sweep.psid, sweep.psidd, sweep.rate, rows.Y, rows.Z, rows.X, B, spare
        )
        add_pushes(turning, z, sweep, rows, paths, N)
        add_rows(turning, lam[b], sweep, rows, paths, room, R, none, none)
        R_qq[:, :] = 0.0
        R_qv[:, :] = 0.0
        R_vv[:, :] = 0.0
        row_sweep(of, q[b], qd[b], qdd[b], sweep, vJ, rows, alpha)
        add_rows(of, z, sweep, rows, paths, room, R_qq, R_qv, R_vv)
        A[:, :] = 0.0
        V[:, :] = 0.0
        M[:, :] = 0.0
        forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        weigh(tree, w, sweep.S, sums.w)
        inward_hessian(tree, w, sweep, sums, Hessian(none[0], none[0], A, V, M, none, none))
        C[:, :] = 0.0
        add_product(D, NB, C, False)
        combine((A, V, M, N), (R, R_qq, R_qv, R_vv), C, (qq[b], vv[b], vq[b], tq[b]))
