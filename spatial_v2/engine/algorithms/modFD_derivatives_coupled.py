"""Gradient of weighted accelerations of a coupled model."""

from __future__ import annotations

from spatial_v2.engine.algorithms.FD_derivatives_coupled import Factored, accelerate, new_factored
from spatial_v2.engine.algorithms.modID_derivatives import modID_derivatives
from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.parts.sparse_products import pull_back, spread
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats

__all__ = ["modFD_derivatives_coupled", "weights"]


@part
def weights(of: Coupled, w: Factored, lam: Floats, b: int, x: Floats, mu: Floats) -> None:
    """Compute ``mu = H_y^-1 lam`` for state b; x (n, 1) is scratch space."""
    for k in range(mu.size):
        x[k, 0] = lam[k]
    ltdl_columns(of.above, w.L[b], x)
    for k in range(mu.size):
        mu[k] = x[k, 0]


@jit
def modFD_derivatives_coupled(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats, mu: Floats,
) -> None:  # fmt: skip
    """Compute the gradients dq, dqd and mu (B, n) of the accelerations of independent variables
    with the weights lam, with respect to y, yd and tau.
    """
    B, n, nv = y.shape[0], yd.shape[1], of.v.shift.size
    ydd, qdd, weight, x = empty(y, B, n), empty(y, B, nv), empty(y, B, nv), empty(y, n, 1)
    by_q, by_qd, w = empty(y, B, nv), empty(y, B, nv), new_factored(of, y, n)
    accelerate(of, y, yd, tau, f_ext, f_body, w, ydd)
    for b in range(B):
        weights(of, w, lam[b], b, x, mu[b])
        spread(of.v, ydd[b], qdd[b])
        spread(of.v, mu[b], weight[b])
    modID_derivatives(of.tree, w.q, w.qd, qdd, weight, f_ext, f_body, by_q, by_qd)
    for b in range(B):
        pull_back(of.v, by_q[b], dq[b])
        pull_back(of.v, by_qd[b], dqd[b])
        for k in range(n):
            dq[b, k] = -dq[b, k]
            dqd[b, k] = -dqd[b, k]
