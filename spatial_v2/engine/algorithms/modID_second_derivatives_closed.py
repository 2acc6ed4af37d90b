"""Hessian of weighted forces of a tree with closed loops, in its independent variables.

Second derivatives of the motion are eliminated by multipliers eta, zeta and kappa of the rows, so
that no tensor is formed; see the theory of closed loops.
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
from spatial_v2.engine.algorithms.ID_derivatives_closed import (
    RowSlopes,
    Slopes,
    new_slopes,
    push,
    row_slopes,
)
from spatial_v2.engine.algorithms.KKT_hessian import add_pushes, add_rows
from spatial_v2.engine.algorithms.modID_derivatives import weigh
from spatial_v2.engine.algorithms.modID_second_derivatives import (
    Hessian,
    Weighted,
    copy_rows,
    inward_hessian,
)
from spatial_v2.engine.algorithms.open_loops import with_errors
from spatial_v2.engine.algorithms.pulled_back_derivatives import pull_back, pull_back_second
from spatial_v2.engine.compile.decorators import inline, jit, part, within
from spatial_v2.engine.loop import Branches, Linkage
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.bend import Bend
from spatial_v2.engine.parts.external import external, stationary_hessian, stationary_matrix
from spatial_v2.engine.parts.joint_terms import add_diagonal
from spatial_v2.engine.parts.loop_products import (
    dependents,
    from_loops,
    less,
    move,
    multipliers,
    subtract,
    through,
    weigh_forces,
)
from spatial_v2.engine.parts.row_vectors import row_sweep
from spatial_v2.engine.parts.sweep import forward_pass, inertial
from spatial_v2.engine.tree import Floats, Tree

Two = tuple[Floats, Floats]
Three = tuple[Floats, Floats, Floats]


@inline
def at_rest(of: Linkage, q: Floats, s: RowSlopes, k: Bend) -> None:
    """Compute the rows at rest with the accelerations qdd."""
    row_sweep(of.constraints, q, k.zero, k.qdd, k.sweep, s.vJ, k.rows, s.alpha)


@part
def bend(of: Linkage, x: Followed, b: Floats, forces: Three, s: RowSlopes, k: Bend) -> None:
    """Compute the second derivatives of rows of ``b . (ID - J^T lam)`` and b_y, after `push`.

    `forces` are the derivatives of ``ID - J^T lam`` with respect to qdd, qd and q.
    """
    H, T_v, T_q = forces
    z, c, spare = s.z, of.constraints, k.spare
    weigh_forces(of, b, H, z)
    multipliers(of, x.W, z, k.eta)
    weigh_forces(of, b, T_v, z)
    less(k.eta, s.alpha_qd, z)
    multipliers(of, x.W, z, k.zeta)
    weigh_forces(of, b, T_q, z)
    less(k.eta, s.alpha_q, z)
    less(k.zeta, s.w_q, z)
    multipliers(of, x.W, z, k.kappa)
    k.qq[:, :] = 0.0
    k.qv[:, :] = 0.0
    k.vv[:, :] = 0.0
    k.qa[:, :] = 0.0
    spare[:, :] = 0.0
    add_rows(c, k.eta, s.sweep, s.rows, k.paths, k.room, k.qq, k.qv, k.vv)
    add_pushes(c, k.kappa, s.sweep, s.rows, k.paths, k.qq)
    add_pushes(c, k.eta, s.sweep, s.rows, k.paths, k.qa)
    add_pushes(c, k.zeta, s.sweep, s.rows, k.paths, spare)
    for i in range(of.v.size):
        for j in range(of.v.size):
            k.qv[i, j] += spare[j, i]
        k.qdd[i] = x.w.qd[i]
    at_rest(of, x.steps.q, s, k)
    add_rows(c, k.zeta, k.sweep, k.rows, k.paths, k.room, k.qq, spare, spare)
    for i in range(of.v.size):
        k.qdd[i] = b[of.v[i]]
    at_rest(of, x.steps.q, s, k)
    add_rows(c, s.lam, k.sweep, k.rows, k.paths, k.room, k.qq, spare, spare)
    S, psid, psidd, rate = k.sweep.S, k.sweep.psid, k.sweep.psidd, k.sweep.rate
    row_derivatives(c, S, psid, psidd, rate, k.rows.Y, k.rows.Z, k.rows.X, k.alpha_q, k.alpha_qd)
    through(of, k.alpha_q, x.E, s.P)
    dependents(of, x.W, s.P, k.b_loops)
    from_loops(of.products, 0.0, k.b_loops, k.b_y)


class Curves(NamedTuple):
    """Second derivatives of the weighted forces of a tree with closed loops in one state."""

    bend: Annotated[Bend, "of, x.E.size, q"]
    sums: Annotated[Weighted, "q, nb, nv"]  # workspaces of the tree's
    c: Annotated[Floats, "(nb + 1) * (f_ext.size > 0), 6"]
    K18: Annotated[Floats, "(nb + 1) * (f_ext.size > 0), 18"]
    light: Tree  # the tree without gravity
    w: Annotated[Floats, "nv"]  # weights of the tree's forces
    rest: Annotated[Floats, "nv"]  # zeros
    gq: Annotated[Floats, "nv"]  # gradients
    gv: Annotated[Floats, "nv"]
    K: Annotated[Floats, "nv, nv"]  # derivatives of ``H w`` along q
    K_T: Annotated[Floats, "nv, nv"]  # transposed
    qq: Annotated[Floats, "nv, nv"]  # blocks of the tree's Hessian, less those of the loops
    qv: Annotated[Floats, "nv, nv"]
    vv: Annotated[Floats, "nv, nv"]
    T_y: Annotated[Floats, "nv, n"]  # derivatives of the tree's forces
    T_yd: Annotated[Floats, "nv, n"]
    Y: Annotated[Floats, "nv, n"]  # scratch space
    V: Annotated[Floats, "nv, n"]
    turn: Annotated[Floats, "n, n"]


_allocate = allocator(Curves, "of, x, q, f_ext, nb, nv, n, light")


@within
def new_curves(of: Linkage, x: Followed, q: Floats, f_ext: Floats) -> Curves:
    """Allocate a `Curves`, for the kind of number of q."""
    nb, light = of.tree.parent.size, inertial(of.tree)
    made = _allocate(of, x, q, f_ext, nb, x.C.size, x.L.shape[0], light)
    made.rest[:] = 0.0
    return made


@part
def curve(
    of: Linkage, x: Followed, s: Slopes, k: Curves, b: int, ydd: Floats, weight: Floats,
    forces: Two, first: Two, second: Three,
) -> None:  # fmt: skip
    """Compute the derivatives `first` (n, n) of the forces of state b, and the blocks `second`
    (n, n), by (y, y), (y, yd) and (yd, yd), of their sum with weights (n,), after `coefficients`.
    """
    (f_ext, f_body), tree, T_q, T_v, sweep = forces, of.tree, s.ID_q, s.ID_qd, s.sweep
    move(of.followers, x.G, weight, k.w)
    accelerations(of, ydd, x, b)
    row_slopes(of, x, b, s.rows)
    k.K[:, :] = 0.0
    T_q[:, :] = 0.0
    k.qq[:, :] = 0.0
    k.qv[:, :] = 0.0
    k.vv[:, :] = 0.0
    forward_pass(k.light, x.tree_q[b], k.rest, k.w, sweep)
    inward_derivatives(k.light, sweep, k.K, k.K_T)
    o = forward_pass(tree, x.tree_q[b], x.qd[b], x.qdd[b], sweep)
    external(f_ext, f_body, b, o, sweep, s.e)
    weigh(tree, k.w, sweep.S, k.sums.w)
    inward_hessian(tree, k.w, sweep, k.sums, Hessian(k.gq, k.gv, k.qq, k.vv, k.qv, T_q, T_v))
    add_diagonal(tree.stiffness, T_q)
    add_diagonal(tree.damping, T_v)
    if f_ext.size:
        copy_rows(s.e, k.c)
        stationary_matrix(tree, sweep.S, k.c, T_q)
        stationary_hessian(tree, k.w, sweep.S, s.e, k.K18, k.qq)
    push(of, x, ydd, s.rows, T_q)
    bend(of, x, k.w, (x.H, T_v, T_q), s.rows, k.bend)
    subtract(of, k.bend.qq, k.qq)
    subtract(of, k.bend.qv, k.qv)
    subtract(of, k.bend.vv, k.vv)
    subtract(of, k.bend.qa, k.K)
    for i in range(k.w.size):
        for j in range(k.w.size):
            k.K_T[i, j] = k.K[j, i]
    moved = s.rows.moved
    pull_back(of.followers, (T_q, T_v, x.H), moved, k.T_y, k.T_yd, first[0], first[1])
    pull_back_second(
        of.followers, (k.qq, k.qv, k.vv, k.K_T), moved, k.bend.b_y, (k.T_y, k.T_yd),
        (k.Y, k.V, k.turn), second,
    )  # fmt: skip


@jit
def modID_second_derivatives_closed(
    of: Branches, q: Floats, yd: Floats, ydd: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    results: Hessian, gap: Floats, bound: Floats,
) -> None:  # fmt: skip
    """Compute the gradient and the Hessian of ``lam . ID`` of independent variables, and first
    derivatives of ID, for the arguments and with gap and bound of `FDab_closed`.
    """
    gq, gv, yy, vv, yv, dq, dqd = results
    link, constraints, x = of.of, with_errors(of.of.constraints), new_followed(of, q, yd.shape[1])
    s, k = new_slopes(link, x, q, f_ext), new_curves(link, x, q, f_ext)
    begin(of, constraints, q, x)
    for b in range(q.shape[0]):
        follow(of, constraints, (q[b], yd[b]), x, b, gap[b], bound[b])
        coefficients(link, f_ext, f_body, b, x)
        first, second = (dq[b], dqd[b]), (yy[b], yv[b], vv[b])
        curve(link, x, s, k, b, ydd[b], lam[b], (f_ext, f_body), first, second)
        for j in range(lam.shape[1]):
            gq[b, j] = gv[b, j] = 0.0 * lam[b, j]
            for i in range(lam.shape[1]):
                gq[b, j] += lam[b, i] * dq[b, i, j]
                gv[b, j] += lam[b, i] * dqd[b, i, j]
