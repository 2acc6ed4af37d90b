"""First derivatives of inverse dynamics of a tree with closed loops, in independent variables.

At constant multipliers of the loops, ``T = ID - J^T lambda`` has no components along the dependent
variables, so that its derivatives need no derivative of G; see the theory of closed loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.algorithms.constraint_derivatives import row_derivatives
from spatial_v2.engine.algorithms.FDab_closed import (
    Followed,
    accelerations,
    begin,
    coefficients,
    follow,
    new_followed,
)
from spatial_v2.engine.algorithms.ID_derivatives import inward_derivatives
from spatial_v2.engine.algorithms.open_loops import with_errors
from spatial_v2.engine.algorithms.pulled_back_derivatives import Moved, pull_back
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.loop import Branches, Linkage
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.constraint_arrays import RowVectors, new_row_vectors
from spatial_v2.engine.parts.external import external, stationary_matrix
from spatial_v2.engine.parts.joint_terms import add_diagonal
from spatial_v2.engine.parts.loop_products import (
    add_through,
    dependents,
    from_loops,
    multipliers,
    subtract,
    through,
)
from spatial_v2.engine.parts.pushed_forces import push_forces
from spatial_v2.engine.parts.row_vectors import row_sweep
from spatial_v2.engine.parts.row_velocities import velocity_derivatives
from spatial_v2.engine.parts.sweep import Sweep, forward_pass, new_sweep
from spatial_v2.engine.tree import Floats, Ints

__all__ = [
    "ID_derivatives_closed",
    "RowSlopes",
    "Slopes",
    "differentiate",
    "new_slopes",
    "push",
    "row_slopes",
]

Two = tuple[Floats, Floats]


class RowSlopes(NamedTuple):
    """Derivatives of the rows of all loops in one state.

    Attributes
    ----------
    sweep, rows, vJ, T : Sweep, RowVectors, (6,), (2, m, 6)
        Workspaces of `row_sweep` and `velocity_derivatives`.
    qdd, z, lam : (nv,), (nv,), (m,)
        Accelerations of the loops' joints, joint forces, and multipliers of the rows.
    alpha, alpha_q, alpha_qd, w_q : (m,), (m, nv), (m, nv), (m, nv)
        Accelerations of the rows and their derivatives; those of velocities along q.
    P : (m, nv)
        Scratch space.
    push : (nv, nv)
        Derivatives of ``J^T lam`` along q.
    loops, moved : Moved
        Derivatives of the motion: entries of loops, and those of `Followers`.
    var, first, last : (nv,) int64
        Workspaces of `path_variables`.
    """

    sweep: Sweep
    rows: RowVectors
    vJ: Floats
    T: Floats
    qdd: Floats
    z: Floats
    lam: Floats
    alpha: Floats
    alpha_q: Floats
    alpha_qd: Floats
    w_q: Floats
    P: Floats
    push: Floats
    loops: Moved
    moved: Moved
    var: Ints
    first: Ints
    last: Ints


@within
def new_row_slopes(of: Linkage, x: Followed, q: Floats) -> RowSlopes:
    """Allocate a `RowSlopes`, for the kind of number of q."""
    m, nv, e, E = of.row_scale.size, of.v.size, x.G.size, x.E.size
    return RowSlopes(
        new_sweep(q, of.constraints.tree.parent.size, nv), new_row_vectors(q, m, nv), empty(q, 6),
        empty(q, 2, m, 6), empty(q, nv), empty(q, nv), empty(q, m), empty(q, m), empty(q, m, nv),
        empty(q, m, nv), empty(q, m, nv), empty(q, m, nv), empty(q, nv, nv),
        Moved(x.E, empty(q, E), empty(q, E), empty(q, E)),
        Moved(x.G, empty(q, e), empty(q, e), empty(q, e)),
        np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64),
    )  # fmt: skip


@part
def row_slopes(of: Linkage, x: Followed, b: int, s: RowSlopes) -> None:
    """Compute `moved` and the derivatives of rows at the motion of state b."""
    loops, moved = s.loops, s.moved
    for i in range(of.v.size):
        s.qdd[i] = x.qdd[b, of.v[i]]
    row_sweep(of.constraints, x.q, x.w.qd, s.qdd, s.sweep, s.vJ, s.rows, s.alpha)
    S, psid, psidd, rate = s.sweep.S, s.sweep.psid, s.sweep.psidd, s.sweep.rate
    Y, Z, X = s.rows.Y, s.rows.Z, s.rows.X
    row_derivatives(of.constraints, S, psid, psidd, rate, Y, Z, X, s.alpha_q, s.alpha_qd)
    velocity_derivatives(of.constraints, s.sweep, s.rows, s.T, s.w_q)
    through(of, s.w_q, x.E, s.P)
    dependents(of, x.W, s.P, loops.qd_y)
    through(of, s.alpha_qd, x.E, s.P)
    dependents(of, x.W, s.P, loops.qdd_v)
    through(of, s.alpha_q, x.E, s.P)
    add_through(of, s.alpha_qd, loops.qd_y, s.P)
    dependents(of, x.W, s.P, loops.qdd_y)
    from_loops(of.products, 0.0, loops.qd_y, moved.qd_y)
    from_loops(of.products, 0.0, loops.qdd_v, moved.qdd_v)
    from_loops(of.products, 0.0, loops.qdd_y, moved.qdd_y)


@part
def push(of: Linkage, x: Followed, ydd: Floats, s: RowSlopes, ID_q: Floats) -> None:
    """Subtract the derivatives of the joint forces ``J^T lam`` of the loops along q from ID_q
    (nv, nv), after `row_slopes`; ``J_d^T lam`` are the joint forces of dependents.
    """
    for i in range(of.v.size):
        s.z[i] = x.C[of.v[i]]
        for k in range(ydd.size):
            s.z[i] += x.right[of.v[i], k] * ydd[k]
    for k in range(of.gears.of.size):
        row, f = of.gears.row[k], x.C[of.gears.row[k]]
        for i in range(ydd.size):
            f += x.right[row, i] * ydd[i]
        s.z[of.d[of.gears.of[k]]] += of.gears.factor[k] * f
    multipliers(of, x.W, s.z, s.lam)
    s.push[:, :] = 0.0
    for c in range(of.constraints.ends.shape[0]):
        push_forces(of.constraints, c, s.lam, s.sweep, s.rows, s.var, s.first, s.last, s.push)
    subtract(of, s.push, ID_q)


class Slopes(NamedTuple):
    """Derivatives of the dynamics of a tree with closed loops in one state.

    Attributes
    ----------
    rows : RowSlopes
    sweep : Sweep
    e : (nb + 1, 6)
        Forces constant in the base; empty without them.
    ID_q, ID_qd : (nv, nv)
        Derivatives of the forces of the tree, less those of the loops.
    F_y, F_yd : (nv, n)
        Scratch space.
    """

    rows: RowSlopes
    sweep: Sweep
    e: Floats
    ID_q: Floats
    ID_qd: Floats
    F_y: Floats
    F_yd: Floats


@within
def new_slopes(of: Linkage, x: Followed, q: Floats, f_ext: Floats) -> Slopes:
    """Allocate a `Slopes`, for the kind of number of q."""
    nb, nv, n = of.tree.parent.size, x.C.size, x.L.shape[0]
    ID_qd = empty(q, nv, nv)
    ID_qd[:, :] = 0.0
    return Slopes(
        new_row_slopes(of, x, q), new_sweep(q, nb, nv), empty(q, (nb + 1) * (f_ext.size > 0), 6),
        empty(q, nv, nv), ID_qd, empty(q, nv, n), empty(q, nv, n),
    )  # fmt: skip


@part
def differentiate(
    of: Linkage, x: Followed, s: Slopes, b: int, ydd: Floats, forces: Two, out: Two
) -> None:
    """Compute the derivatives (n, n) of the forces of state b along y and with respect to yd, after
    `coefficients`.
    """
    (f_ext, f_body), (dq, dqd), ID_q, ID_qd = forces, out, s.ID_q, s.ID_qd
    accelerations(of, ydd, x, b)
    row_slopes(of, x, b, s.rows)
    ID_q[:, :] = 0.0
    o = forward_pass(of.tree, x.at[b], x.qd[b], x.qdd[b], s.sweep)
    external(f_ext, f_body, b, o, s.sweep, s.e)
    inward_derivatives(of.tree, s.sweep, ID_q, ID_qd)
    add_diagonal(of.tree.stiffness, ID_q)
    add_diagonal(of.tree.damping, ID_qd)
    if f_ext.size:
        stationary_matrix(of.tree, s.sweep.S, s.e, ID_q)
    push(of, x, ydd, s.rows, ID_q)
    pull_back(of.followers, (ID_q, ID_qd, x.H), s.rows.moved, s.F_y, s.F_yd, dq, dqd)


@jit
def ID_derivatives_closed(
    of: Branches, q: Floats, yd: Floats, ydd: Floats, f_ext: Floats, f_body: Floats,
    results: Two, gap: Floats, bound: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives (B, n, n) of the forces of independent variables along y and with
    respect to yd, for the arguments and with gap and bound of `FDab_closed`.
    """
    (dq, dqd), link, constraints = results, of.of, with_errors(of.of.constraints)
    x = new_followed(of, q, yd.shape[1])
    s = new_slopes(link, x, q, f_ext)
    begin(of, constraints, q, x)
    for b in range(q.shape[0]):
        follow(of, constraints, (q[b], yd[b]), x, b, gap[b], bound[b])
        coefficients(link, f_ext, f_body, b, x)
        differentiate(link, x, s, b, ydd[b], (f_ext, f_body), (dq[b], dqd[b]))
