"""Costs of the distance from desired states, with derivatives; see `control.StateCost`.

`spaces` is described in `configurationDifference`. The desired states q0 and v0 and the weights W
of displacements and V of velocities repeat if they have fewer rows than there are states.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.algorithms.configurationAddition_derivatives import derivatives_of_map
from spatial_v2.engine.algorithms.configurationDifference import displacement
from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.parts.rotation_maps import LOGARITHM
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["StateCost", "add_StateCost", "add_square"]


@jit
def StateCost(
    spaces: Ints, q0: Floats, v0: Floats, W: Floats, V: Floats, q: Floats, v: Floats, cost: Floats
) -> None:
    """Compute the costs (B,) of states q (B, NQ) and v (B, NV)."""
    f, d, M, e = np.empty(9), np.empty((4, 3)), np.empty((3, 3)), np.empty(v.shape[1])
    for i in range(len(q)):
        wanted, w, y = v0[i % len(v0)], W[i % len(W)], V[i % len(V)]
        displacement(spaces, q0[i % len(q0)], q[i], f, d, M, e)
        total = 0.0
        for k in range(e.size):
            total += w[k] * e[k] ** 2 + y[k] * (v[i, k] - wanted[k]) ** 2
        cost[i] = total / 2


@part
def add_square(K: Floats, w: Floats, x: Floats, g: Floats, Q: Floats) -> None:
    """Add the gradient K^T W x and the Hessian K^T W K of ``r . W r / 2`` for the residual r = x
    with the Jacobian K (m, n) to g (n,) and Q (n, n).
    """
    for r in range(K.shape[0]):
        for j in range(K.shape[1]):
            a = w[r] * K[r, j]
            g[j] += a * x[r]
            for k in range(K.shape[1]):
                Q[j, k] += a * K[r, k]


@jit
def add_StateCost(
    spaces: Ints, q0: Floats, v0: Floats, W: Floats, V: Floats, q: Floats, v: Floats, exact: bool,
    gradient: Floats, hessian: Floats,
) -> None:  # fmt: skip
    """Add to gradients (B, S, z) and Hessians (B, S, z, z) for B S states, with respect to
    displacements, velocities and z - 2 NV controls; without derivatives of Jacobians unless
    `exact`.
    """
    B, S, nv = gradient.shape[0], gradient.shape[1], v.shape[1]
    f, t, M, e = np.empty(9), np.empty((6, 3)), np.empty((3, 3)), np.empty(nv)
    maps, pull = np.empty((3, 6, 6)), np.empty(6)
    for i in range(B * S):
        wanted, w, y = v0[i % len(v0)], W[i % len(W)], V[i % len(V)]
        g, Q = gradient[i // S, i % S], hessian[i // S, i % S]
        displacement(spaces, q0[i % len(q0)], q[i], f, t[:4], M, e)
        for k in range(nv):
            g[nv + k] += y[k] * (v[i, k] - wanted[k])
            Q[nv + k, nv + k] += y[k]
        for r in range(len(spaces)):
            turns, b, n = spaces[r, 0], spaces[r, 2], spaces[r, 3]
            x, u, block = e[b : b + n], w[b : b + n], Q[b : b + n, b : b + n]
            if not turns:
                for k in range(n):
                    g[b + k] += u[k] * x[k]
                    block[k, k] += u[k]
                continue
            for k in range(n):
                pull[k] = u[k] * x[k]
            maps[:] = 0.0
            K, D, P = maps[0, :n, :n], maps[1, :n, :n], maps[2, :n, :n]
            derivatives_of_map(LOGARITHM, x, pull[:n], f, t, K, D)
            add_square(K, u, x, g[b : b + n], block)
            if exact:
                for j in range(n):
                    for k in range(n):
                        for l in range(n):
                            P[j, l] += D[j, k] * K[k, l]
                for j in range(n):
                    for k in range(n):
                        block[j, k] += (P[j, k] + P[k, j]) / 2
