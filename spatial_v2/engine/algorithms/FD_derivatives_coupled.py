"""First derivatives of forward dynamics of a coupled model, from those of inverse dynamics."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.algorithms.HandC import HandC
from spatial_v2.engine.algorithms.Hinverse_coupled import invert
from spatial_v2.engine.algorithms.ID_derivatives import ID_derivatives
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.coupling import factor
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.parts.sparse_products import pull_back, pull_back_matrix, spread
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats

__all__ = [
    "FD_derivatives_coupled",
    "Factored",
    "accelerate",
    "by_inverse_dynamics",
    "new_factored",
]


class Factored(NamedTuple):
    """Motions of the tree and coefficients of its dynamics for B states, and scratch space.

    Attributes
    ----------
    q, qd : (B, nq), (B, nv)
    H, C : (B, nv, nv), (B, nv)
    least : (n,)
    L : (B, n, n)
        Factors of the inertia matrix of y.
    both : (n, 2 n)
    """

    q: Floats
    qd: Floats
    H: Floats
    C: Floats
    least: Floats
    L: Floats
    both: Floats


@within
def new_factored(of: Coupled, y: Floats, n: int) -> Factored:
    """Allocate a `Factored` for n variables, for the kind of number of y."""
    B, nq, nv = y.shape[0], of.q.shift.size, of.v.shift.size
    return Factored(
        empty(y, B, nq), empty(y, B, nv), empty(y, B, nv, nv), empty(y, B, nv), empty(y, n),
        empty(y, B, n, n), empty(y, n, 2 * n),
    )  # fmt: skip


@jit
def accelerate(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, w: Factored,
    ydd: Floats,
) -> None:  # fmt: skip
    """Compute the accelerations ydd (B, n), and w."""
    x = empty(y, ydd.shape[1], 1)
    w.H[:, :, :] = 0.0
    for b in range(y.shape[0]):
        spread(of.q, y[b], w.q[b])
        spread(of.v, yd[b], w.qd[b])
    HandC(of.tree, w.q, w.qd, f_ext, f_body, w.H, w.C)
    for b in range(y.shape[0]):
        pull_back_matrix(of.v, w.H[b], w.L[b])
        factor(of, w.least, w.L[b])
        pull_back(of.v, w.C[b], ydd[b])
        for k in range(ydd.shape[1]):
            x[k, 0] = tau[b, k] - ydd[b, k]
        ltdl_columns(of.above, w.L[b], x)
        for k in range(ydd.shape[1]):
            ydd[b, k] = x[k, 0]


@part
def by_inverse_dynamics(
    of: Coupled, w: Factored, b: int, ID_q: Floats, ID_qd: Floats,
    out: tuple[Floats, Floats, Floats],
) -> None:  # fmt: skip
    """Compute the derivatives `out` (n, n) of the accelerations of y in state b with respect to y,
    yd and tau, from those of inverse dynamics of the tree (nv, nv).
    """
    (dq, dqd, Minv), both, n = out, w.both, w.both.shape[0]
    pull_back_matrix(of.v, ID_q, dq)
    pull_back_matrix(of.v, ID_qd, dqd)
    for k in range(n):
        for c in range(n):
            both[k, c], both[k, n + c] = -dq[k, c], -dqd[k, c]
    ltdl_columns(of.above, w.L[b], both)
    for k in range(n):
        for c in range(n):
            dq[k, c], dqd[k, c] = both[k, c], both[k, n + c]
    invert(of.above, w.L[b], Minv)


@jit
def FD_derivatives_coupled(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats, Minv: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives dq, dqd and Minv (B, n, n) of the accelerations of independent
    variables with respect to y, yd and tau.
    """
    B, n, nv, w = y.shape[0], yd.shape[1], of.v.shift.size, new_factored(of, y, yd.shape[1])
    ydd, qdd = empty(y, B, n), empty(y, B, nv)
    ID_q, ID_qd = empty(y, B, nv, nv), empty(y, B, nv, nv)
    ID_q[:, :, :] = 0.0
    ID_qd[:, :, :] = 0.0
    accelerate(of, y, yd, tau, f_ext, f_body, w, ydd)
    for b in range(B):
        spread(of.v, ydd[b], qdd[b])
    ID_derivatives(of.tree, w.q, w.qd, qdd, f_ext, f_body, ID_q, ID_qd)
    for b in range(B):
        by_inverse_dynamics(of, w, b, ID_q[b], ID_qd[b], (dq[b], dqd[b], Minv[b]))
