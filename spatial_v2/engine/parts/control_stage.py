"""One stage of a Riccati recursion: optimal controls within bounds, and the cost to go."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.parts.stage_products import add_product, fours
from spatial_v2.engine.parts.stage_workspace import Stage
from spatial_v2.engine.tree import Floats

__all__ = ["controls", "factorise", "gains", "value_function"]

SMALLEST = 1e-12
"""Smallest pivot of a matrix that counts as positive definite, relative to its diagonal entry."""
MOST = 60
"""Maximum number of iterations of the projected Newton method in a stage."""


@part
def gradient_of(w: Stage, n: int, x: Floats, grad: Floats) -> float:
    """Compute the gradient ``grad = h_u + A_uu x``; return the cost at the controls x."""
    m, value = x.size, 0.0
    for i in range(m):
        total = 0.0
        for j in range(m):
            total += w.A[n + min(i, j), n + max(i, j)] * x[j]
        grad[i] = w.h[n + i] + total
        value += x[i] * (w.h[n + i] + total / 2)
    return value


@part
def factorise(w: Stage, n: int) -> bool:
    """Compute the Cholesky factor of A_uu for the free controls; return False if it fails.

    Rows and columns of controls at their bounds are those of the identity.
    """
    m = w.x.size
    for i in range(m):
        for j in range(i + 1):
            both = w.free[i] * w.free[j]
            total = both * w.A[n + j, n + i] + (1.0 - w.free[i]) * (1.0 if i == j else 0.0)
            least = SMALLEST * abs(total)
            for k in range(j):
                total -= w.L[i, k] * w.L[j, k]
            if i > j:
                w.L[i, j] = total * w.inverse[j]
            elif total > least:
                w.L[i, i] = np.sqrt(total)
                w.inverse[i] = 1.0 / w.L[i, i]
            else:
                return False
    return True


@part
def project(w: Stage, length: float, lower: Floats, upper: Floats) -> float:
    """Compute the trial point x + length step within the bounds.

    Returns the change of the cost that the gradient predicts.
    """
    slope = 0.0
    for i in range(w.x.size):
        w.trial[i] = min(max(w.x[i] + length * w.step[i], lower[i]), upper[i])
        slope += w.grad[i] * (w.trial[i] - w.x[i])
    return slope


@part
def controls(w: Stage, n: int, lower: Floats, upper: Floats) -> bool:
    """Compute the controls x of least cost within their bounds; return False if there are none.

    The algorithm is the projected Newton method of Tassa, Mansard and Todorov (2014).
    """
    m, full, bounded = w.x.size, False, False
    for i in range(m):
        w.x[i] = min(max(0.0, lower[i]), upper[i])
        bounded = bounded or lower[i] > -np.inf or upper[i] < np.inf
    for round_ in range(MOST):
        value, changed = gradient_of(w, n, w.x, w.grad), round_ == 0
        for i in range(m):
            held = (w.x[i] <= lower[i] and w.grad[i] > 0.0) or (
                w.x[i] >= upper[i] and w.grad[i] < 0.0
            )
            w.now[i] = 0.0 if held else 1.0
            changed = changed or w.now[i] != w.free[i]
        if full and not changed:
            return True
        for i in range(m):
            w.free[i] = w.now[i]
        if changed and not factorise(w, n):
            return False
        for i in range(m):
            w.step[i] = -w.free[i] * w.grad[i]
        for i in range(m):
            for k in range(i):
                w.step[i] -= w.L[i, k] * w.step[k]
            w.step[i] *= w.inverse[i]
        for i in range(m - 1, -1, -1):
            for k in range(i + 1, m):
                w.step[i] -= w.L[k, i] * w.step[k]
            w.step[i] *= w.inverse[i]
        if not bounded:
            for i in range(m):
                w.x[i] = w.step[i]
            return True
        length, slope = 1.0, project(w, 1.0, lower, upper)
        while gradient_of(w, n, w.trial, w.now) > value + 0.1 * slope and length > 1e-9:
            length /= 2
            slope = project(w, length, lower, upper)
        for i in range(m):
            w.x[i] = w.trial[i]
        full = length == 1.0
    return True


@part
def gains(w: Stage, n: int, feed: Floats, K: Floats) -> None:
    """Compute the step and the gains of the controls, and in w.A_xx the Hessian of the cost to go:
    ``A_xx - W^T W`` with W the inverse factor times A_ux.
    """
    m = feed.size
    for i in range(m):
        feed[i] = w.x[i]
        for j in range(n):
            w.W[i, j] = w.free[i] * w.A[j, n + i]
        for j in range(w.Ws.shape[1]):
            y = w.Ws[i, j]
            for k in range(i):
                y -= w.L[i, k] * w.Ws[k, j]
            w.Ws[i, j] = y * w.inverse[i]
            w.Ks[i, j] = -w.Ws[i, j]
    add_product(w.K, w.Ws, w.As[: fours(n)], True)
    for i in range(m - 1, -1, -1):
        for j in range(w.Ks.shape[1]):
            y = w.Ks[i, j]
            for k in range(i + 1, m):
                y -= w.L[k, i] * w.Ks[k, j]
            w.Ks[i, j] = y * (w.free[i] * w.inverse[i])
        for j in range(n):
            K[i, j] = w.K[i, j]


@part
def value_function(w: Stage, feed: Floats, p: Floats, P: Floats) -> None:
    """Compute gradient p and Hessian P of the cost to go, at the state of the stage; call
    `gains` before.
    """
    n, m = p.size, feed.size
    for i in range(n):
        total = w.h[i]
        for j in range(m):
            total += w.A[i, n + j] * feed[j]
        p[i] = total
        own, upper = w.A[i, i:n], P[i, i:n]
        for j in range(own.size):
            upper[j] = own[j]
    for i in range(n):
        for j in range(i):
            P[i, j] = P[j, i]
