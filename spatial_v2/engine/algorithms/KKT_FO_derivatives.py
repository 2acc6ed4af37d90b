"""First derivatives of constrained dynamics, from the state."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.algorithms.constraint_derivatives import constraint_derivatives
from spatial_v2.engine.algorithms.ID_derivatives import ID_derivatives
from spatial_v2.engine.algorithms.KKT import solve_refined
from spatial_v2.engine.algorithms.KKT_FD import new_posed, pose
from spatial_v2.engine.compile.decorators import inline, jit, part, within
from spatial_v2.engine.compile.subkernels import subkernel
from spatial_v2.engine.constrained import Constrained, Equations
from spatial_v2.engine.numbers.kinds import empty, simd_columns
from spatial_v2.engine.numbers.simd_columns import as_simd
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.kkt_arrays import Factors, new_factors
from spatial_v2.engine.parts.kkt_factors import factorise
from spatial_v2.engine.parts.kkt_solution import solve, solve_blocks
from spatial_v2.engine.parts.nonzero_columns import columns_on_paths
from spatial_v2.engine.parts.outcomes import NEAR, TRUST, ZERO
from spatial_v2.engine.tree import Floats


class Linear(NamedTuple):
    """Coefficients of the KKT equations of B states, and their derivatives."""

    H: Annotated[Floats, "q.shape[0], nv, nv"]  # inertia matrix
    G: Annotated[Floats, "q.shape[0], m, nv"]  # Jacobian
    ID_q: Annotated[Floats, "q.shape[0], nv, nv"]  # derivatives of inverse dynamics
    ID_qd: Annotated[Floats, "q.shape[0], nv, nv"]
    push: Annotated[Floats, "q.shape[0], nv, nv"]  # derivatives of ``G^T lambda`` along q
    alpha_q: Annotated[Floats, "q.shape[0], m, nv"]  # of accelerations of rows minus desired ones
    alpha_qd: Annotated[Floats, "q.shape[0], m, nv"]


new_linear = allocator(Linear, "q, nv, m")


class Sides(NamedTuple):
    """Right-hand sides of the derivatives with respect to q, qd and tau, side by side, and views of
    them in blocks of columns: (nv, 3 nv) and (m, 3 nv) with padding.
    """

    x: Floats
    x_blocks: Floats
    y: Floats
    y_blocks: Floats


@subkernel
def linearise(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    z: Floats, out: Linear, w: Factors, doubt: Floats,
) -> None:  # fmt: skip
    """Solve the KKT equations for z (B, nv + m), accelerations and multipliers, and compute their
    coefficients at the solution; doubt (B, 1) and the factors w are those of `KKT.solve_refined`.
    """
    B, nv = qd.shape
    m = z.shape[1] - nv
    x, y = empty(q, B, nv, 1), empty(q, B, m, 1)
    qdd, lam = empty(q, B, nv), empty(q, B, m)
    H, G, ID_q, ID_qd, push, alpha_q, alpha_qd = out
    ID_q[:, :, :] = 0.0
    ID_qd[:, :, :] = 0.0
    posed = new_posed(q, nv, m)
    pose(of, q, qd, tau, f_ext, f_body, posed)
    solve_refined(of.equations, posed, w, TRUST, NEAR * ZERO, x, y, doubt)
    for b in range(B):
        for i in range(nv):
            z[b, i] = qdd[b, i] = x[b, i, 0]
            for j in range(nv):
                H[b, i, j] = posed.H[b, i, j]
        for k in range(m):
            z[b, nv + k] = lam[b, k] = y[b, k, 0]
    ID_derivatives(of.constraints.tree, q, qd, qdd, f_ext, f_body, ID_q, ID_qd)
    constraint_derivatives(of.constraints, q, qd, qdd, lam, G, alpha_q, alpha_qd, push)


@inline
def alone(q: Floats) -> bool:
    """Test for a state that is no batch: the factors of `linearise` are then its own. Those of a
    batch are computed again, for all states by the same code.
    """
    return q.shape[0] == 1 and simd_columns(q) > 1


@within
def new_sides(q: Floats, nv: int, m: int) -> Sides:
    """Allocate the right-hand sides of `solve_first`, for the kind of number of q; none for SIMD
    batches.
    """
    size = simd_columns(q)
    n = -(-3 * nv // size) * size if size > 1 else 0
    x, y = empty(q, nv, n), empty(q, m, n)
    return Sides(x, as_simd(x), y, as_simd(y))


@part
def solve_side_by_side(
    of: Equations, at: Linear, b: int, w: Factors, s: Sides, dqdd: Floats, dlambda: Floats
) -> None:
    """Do what `solve_first` does for one state: all derivatives at once."""
    (m, nv), x, y = dlambda.shape[1:], s.x, s.y
    for i in range(nv):
        for c in range(nv):
            x[i, c] = at.push[b, i, c] - at.ID_q[b, i, c]
            x[i, nv + c] = -at.ID_qd[b, i, c]
            x[i, 2 * nv + c] = 0.0
        x[i, 2 * nv + i] = 1.0
        for c in range(3 * nv, x.shape[1]):
            x[i, c] = 0.0
    for k in range(m):
        for c in range(nv):
            y[k, c] = -at.alpha_q[b, k, c]
            y[k, nv + c] = -at.alpha_qd[b, k, c]
        for c in range(2 * nv, y.shape[1]):
            y[k, c] = 0.0
    solve_blocks(of.above, w, s.x_blocks, s.y_blocks)
    for t in range(3):
        for i in range(nv):
            for c in range(nv):
                dqdd[t, i, c] = x[i, t * nv + c]
        for k in range(m):
            for c in range(nv):
                dlambda[t, k, c] = y[k, t * nv + c]


@part
def solve_first(
    of: Equations, at: Linear, b: int, w: Factors, s: Sides, dqdd: Floats, dlambda: Floats
) -> None:
    """Compute dqdd (3, nv, nv) and dlambda (3, m, nv) in state b, after `factorise`."""
    if s.x.size > 0:
        solve_side_by_side(of, at, b, w, s, dqdd, dlambda)
        return
    m, nv = dlambda.shape[1:]
    for c in range(nv):
        for i in range(nv):
            dqdd[0, i, c] = at.push[b, i, c] - at.ID_q[b, i, c]
            dqdd[1, i, c] = -at.ID_qd[b, i, c]
            dqdd[2, i, c] = 1.0 if i == c else 0.0
        for k in range(m):
            dlambda[0, k, c] = -at.alpha_q[b, k, c]
            dlambda[1, k, c] = -at.alpha_qd[b, k, c]
            dlambda[2, k, c] = 0.0
    for t in range(3):
        solve(of.above, w, dqdd[t], dlambda[t])


@jit
def KKT_FO_derivatives(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    z: Floats, dqdd: Floats, dlambda: Floats, doubt: Floats,
) -> None:  # fmt: skip
    """Compute first derivatives of the accelerations qdd and of the m multipliers lambda, for
    independent rows.

    z (B, nv + m) is qdd, then lambda. dqdd (B, 3, nv, nv) and dlambda (B, 3, m, nv) are their
    derivatives with respect to q, qd and tau; doubt (B, 1) is that of `KKT.solve_refined`.
    """
    nv, m = qd.shape[1], z.shape[1] - qd.shape[1]
    at = new_linear(q, nv, m)
    w, sides = new_factors(q, nv, m), new_sides(q, nv, m)
    columns_on_paths(of.constraints, w.first, w.last)
    linearise(of, q, qd, tau, f_ext, f_body, z, at, w, doubt)
    for b in range(q.shape[0]):
        if not alone(q):
            factorise(of.equations, at.H[b], at.G[b], w)
        solve_first(of.equations, at, b, w, sides, dqdd[b], dlambda[b])
