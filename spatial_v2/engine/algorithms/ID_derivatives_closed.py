"""First derivatives of inverse dynamics of a tree with closed loops, in independent variables.

At constant multipliers of the loops, ``T = ID - J^T lambda`` has no components along the dependent
variables, so that its derivatives need no derivative of G; see the theory of closed loops.
"""

from typing import Annotated, NamedTuple

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
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.constraint_arrays import RowVectors
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
from spatial_v2.engine.parts.sweep import Sweep, forward_pass
from spatial_v2.engine.tree import Floats, Ints

Two = tuple[Floats, Floats]


@within
def new_moved(G: Floats, q: Floats, entries: int) -> Moved:
    """Allocate a `Moved` with the entries of G."""
    return Moved(G, empty(q, entries), empty(q, entries), empty(q, entries))


class RowSlopes(NamedTuple):
    """Derivatives of the rows of all loops in one state."""

    sweep: Annotated[Sweep, "q, of.constraints.tree.parent.size, nv"]
    rows: Annotated[RowVectors, "q, m, nv"]
    vJ: Annotated[Floats, "6"]
    T: Annotated[Floats, "2, m, 6"]
    qdd: Annotated[Floats, "nv"]  # accelerations of the loops' joints
    z: Annotated[Floats, "nv"]  # joint forces
    lam: Annotated[Floats, "m"]  # multipliers of the rows
    alpha: Annotated[Floats, "m"]  # accelerations of the rows, and their derivatives
    alpha_q: Annotated[Floats, "m, nv"]
    alpha_qd: Annotated[Floats, "m, nv"]
    w_q: Annotated[Floats, "m, nv"]  # derivatives of the velocities of the rows along q
    P: Annotated[Floats, "m, nv"]  # scratch space
    push: Annotated[Floats, "nv, nv"]  # derivatives of ``J^T lam`` along q
    loops: Moved  # derivatives of entries of loops
    moved: Moved  # and of those of `Followers`
    var: Annotated[Ints, "nv"]  # workspaces of `path_variables`
    first: Annotated[Ints, "nv"]
    last: Annotated[Ints, "nv"]


_rows = allocator(RowSlopes, "of, q, m, nv, loops, moved")


@within
def new_row_slopes(of: Linkage, x: Followed, q: Floats) -> RowSlopes:
    """Allocate a `RowSlopes`, for the kind of number of q."""
    loops, moved = new_moved(x.E, q, x.E.size), new_moved(x.G, q, x.G.size)
    return _rows(of, q, of.row_scale.size, of.v.size, loops, moved)


@part
def row_slopes(of: Linkage, x: Followed, b: int, s: RowSlopes) -> None:
    """Compute `moved` and the derivatives of rows at the motion of state b."""
    loops, moved = s.loops, s.moved
    for i in range(of.v.size):
        s.qdd[i] = x.qdd[b, of.v[i]]
    row_sweep(of.constraints, x.steps.q, x.w.qd, s.qdd, s.sweep, s.vJ, s.rows, s.alpha)
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
    """Derivatives of the dynamics of a tree with closed loops in one state."""

    rows: Annotated[RowSlopes, "of, x, q"]
    sweep: Annotated[Sweep, "q, nb, nv"]
    e: Annotated[Floats, "(nb + 1) * (f_ext.size > 0), 6"]  # forces constant in the base, if any
    ID_q: Annotated[Floats, "nv, nv"]  # derivatives of the forces of the tree, less those of loops
    ID_qd: Annotated[Floats, "nv, nv"]
    F_y: Annotated[Floats, "nv, n"]  # scratch space
    F_yd: Annotated[Floats, "nv, n"]


_allocate = allocator(Slopes, "of, x, q, f_ext, nb, nv, n")


@within
def new_slopes(of: Linkage, x: Followed, q: Floats, f_ext: Floats) -> Slopes:
    """Allocate a `Slopes`, for the kind of number of q."""
    made = _allocate(of, x, q, f_ext, of.tree.parent.size, x.C.size, x.L.shape[0])
    made.ID_qd[:, :] = 0.0
    return made


@part
def differentiate(
    of: Linkage, x: Followed, s: Slopes, b: int, ydd: Floats, forces: Two, out: Two
) -> None:
    """Compute the derivatives (n, n) of the forces of state b by y and yd, after `coefficients`."""
    (f_ext, f_body), (dq, dqd), ID_q, ID_qd = forces, out, s.ID_q, s.ID_qd
    accelerations(of, ydd, x, b)
    row_slopes(of, x, b, s.rows)
    ID_q[:, :] = 0.0
    o = forward_pass(of.tree, x.tree_q[b], x.qd[b], x.qdd[b], s.sweep)
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
