"""First derivatives of constrained dynamics, from the state."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.algorithms.constraint_derivatives import constraint_derivatives
from spatial_v2.engine.algorithms.CRBA import CRBA
from spatial_v2.engine.algorithms.ID_derivatives import ID_derivatives
from spatial_v2.engine.algorithms.KKT import Equations, factorise, solve
from spatial_v2.engine.algorithms.KKT_FD import KKT_FD, Constrained
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["KKT_FO_derivatives", "Linear", "linearise", "new_linear", "solve_first"]


class Linear(NamedTuple):
    """Coefficients of the KKT equations of B states, and their derivatives.

    Attributes
    ----------
    H, G : (B, nv, nv), (B, m, nv)
        Inertia matrix and Jacobian.
    ID_q, ID_qd : (B, nv, nv)
        Derivatives of inverse dynamics.
    push : (B, nv, nv)
        Derivatives of ``G^T lambda`` with respect to q.
    alpha_q, alpha_qd : (B, m, nv)
        Derivatives of the accelerations of the rows minus the desired ones.
    """

    H: Floats
    G: Floats
    ID_q: Floats
    ID_qd: Floats
    push: Floats
    alpha_q: Floats
    alpha_qd: Floats


@within
def new_linear(q: Floats, nv: int, m: int) -> Linear:
    """Allocate the result of `linearise`, for the kind of number of q."""
    B = q.shape[0]
    return Linear(
        empty(q, B, nv, nv), empty(q, B, m, nv), empty(q, B, nv, nv), empty(q, B, nv, nv),
        empty(q, B, nv, nv), empty(q, B, m, nv), empty(q, B, m, nv),
    )  # fmt: skip


@jit
def linearise(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    z: Floats, out: Linear, left: Floats,
) -> None:  # fmt: skip
    """Solve the KKT equations for z (B, nv + m), accelerations and multipliers, and compute their
    coefficients at the solution; left (B, 2 m + nv) is that of `KKT_FD`.
    """
    B, nv = qd.shape
    m = z.shape[1] - nv
    x, y = empty(q, B, nv, 1), empty(q, B, m, 1)
    qdd, lam = empty(q, B, nv), empty(q, B, m)
    H, G, ID_q, ID_qd, push, alpha_q, alpha_qd = out
    H[:, :, :] = 0.0
    ID_q[:, :, :] = 0.0
    ID_qd[:, :, :] = 0.0
    KKT_FD(of, q, qd, tau, f_ext, f_body, x, y, left)
    for b in range(B):
        for i in range(nv):
            z[b, i] = qdd[b, i] = x[b, i, 0]
        for k in range(m):
            z[b, nv + k] = lam[b, k] = y[b, k, 0]
    CRBA(of.constraints.tree, q, H)
    ID_derivatives(of.constraints.tree, q, qd, qdd, f_ext, f_body, ID_q, ID_qd)
    constraint_derivatives(of.constraints, q, qd, qdd, lam, G, alpha_q, alpha_qd, push)


@part
def solve_first(
    of: Equations, at: Linear, b: int, factors: tuple[Floats, Floats, Floats], dqdd: Floats,
    dlambda: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives dqdd (3, nv, nv) and dlambda (3, m, nv) in state b; the factors L, HG
    and W are those of `factorise`.
    """
    m, nv = dlambda.shape[1:]
    L, HG, W = factors
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
        solve(of.above, L, HG, W, at.G[b], dqdd[t], dlambda[t])


@jit
def KKT_FO_derivatives(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    z: Floats, dqdd: Floats, dlambda: Floats, left: Floats,
) -> None:  # fmt: skip
    """Compute first derivatives of the accelerations qdd and of the m multipliers lambda, for
    independent rows.

    z (B, nv + m) is qdd, then lambda. dqdd (B, 3, nv, nv) and dlambda (B, 3, m, nv) are their
    derivatives with respect to q, qd and tau; left (B, 2 m + nv) is that of `KKT_FD`.
    """
    nv, m = qd.shape[1], z.shape[1] - qd.shape[1]
    at = new_linear(q, nv, m)
    L, HG, W, pivots = empty(q, nv, nv), empty(q, nv, m), empty(q, m, m), empty(q, m + nv)
    linearise(of, q, qd, tau, f_ext, f_body, z, at, left)
    for b in range(q.shape[0]):
        factorise(of.equations, at.H[b], at.G[b], L, HG, W, pivots)
        solve_first(of.equations, at, b, (L, HG, W), dqdd[b], dlambda[b])
