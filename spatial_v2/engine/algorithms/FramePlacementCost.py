"""Costs of the poses of a frame, with derivatives; see `control.FramePlacementCost`.

The target poses and the weights W repeat if there are fewer of them than poses X (B, 6, 6).
"""

import numpy as np

from spatial_v2.engine.algorithms.configurationAddition_derivatives import derivatives_of_map
from spatial_v2.engine.algorithms.log6_residual import log6_residual
from spatial_v2.engine.algorithms.StateCost import add_square
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.rotation_maps import LOGARITHM
from spatial_v2.engine.tree import Floats


@jit
def FramePlacementCost(X: Floats, target: Floats, W: Floats, cost: Floats) -> None:
    """Compute the costs (B,) of poses."""
    e = np.empty((len(X), 6))
    log6_residual(X, target, e)
    for i in range(len(X)):
        w, total = W[i % len(W)], 0.0
        for k in range(6):
            total += w[k] * e[i, k] ** 2
        cost[i] = total / 2


@jit
def add_FramePlacementCost(
    X: Floats, target: Floats, W: Floats, J: Floats, exact: bool, force: Floats, gradient: Floats,
    hessian: Floats,
) -> None:  # fmt: skip
    """Add to gradients (B, S, z) and Hessians (B, S, z, z) for B S poses; J (B S, 6, NV) are the
    Jacobians.

    If `exact`, the derivatives of the logarithm are included. Those of J are not: they are to be
    weighted by the results `force` (B S, 6).
    """
    S, n = gradient.shape[1], J.shape[2]
    e, pull, f, t = np.empty((len(X), 6)), np.empty(6), np.empty(9), np.empty((6, 3))
    maps, moved = np.empty((2, 6, 6)), np.empty((2, 6, n))
    K, D, A, P = maps[0], maps[1], moved[0], moved[1]
    log6_residual(X, target, e)
    for i in range(len(X)):
        w, g, Q = W[i % len(W)], gradient[i // S, i % S], hessian[i // S, i % S]
        for k in range(6):
            pull[k] = w[k] * e[i, k]
        maps[:] = 0.0
        derivatives_of_map(LOGARITHM, e[i], pull, f, t, K, D)
        moved[:] = 0.0
        for r in range(6):
            for k in range(6):
                for j in range(n):
                    A[r, j] += K[r, k] * J[i, k, j]
        add_square(A, w, e[i], g, Q)
        force[i] = 0.0
        if exact:
            for r in range(6):
                for k in range(6):
                    force[i, k] += K[r, k] * pull[r]
                    for j in range(n):
                        P[r, j] += D[r, k] * A[k, j]
            for r in range(6):
                for j in range(n):
                    for k in range(n):
                        Q[j, k] += (J[i, r, j] * P[r, k] + P[r, j] * J[i, r, k]) / 2
