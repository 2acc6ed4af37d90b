"""One stage of a Riccati recursion: optimal controls within bounds, and the cost to go."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.tree import Floats

__all__ = ["Stage", "controls", "expand", "feedback", "value_function"]

SMALLEST = 1e-12
"""Smallest pivot of a matrix that counts as positive definite, relative to its diagonal entry."""
MOST = 60
"""Maximum number of iterations of the projected Newton method in a stage."""


class Stage(NamedTuple):
    """Workspace of one stage.

    PF and FT are P F and F^T, h is the gradient of the stage, and L the Cholesky factor of A_uu.
    The projected Newton method uses the gradient `grad`, the step, the controls x, the trial point,
    and masks (1 or 0) of the free controls: the present ones, and in `now` the new ones.
    """

    PF: Floats
    FT: Floats
    A: Floats
    """Upper triangle of the Hessian ``Q + F^T P F`` of the stage."""
    h: Floats
    L: Floats
    W: Floats
    """Factor of A times the gains of the free controls; later the gains themselves."""
    grad: Floats
    step: Floats
    x: Floats
    trial: Floats
    free: Floats
    now: Floats


@part
def add_scaled(C: Floats, i: int, k: int, X: Floats, y: Floats, z: Floats) -> None:
    """Add the rows X[k : k + 4] to y and z, times C[i, k : k + 4] and C[i + 1, k : k + 4]."""
    a, b, c, d = C[i, k], C[i, k + 1], C[i, k + 2], C[i, k + 3]
    e, f, g, h = C[i + 1, k], C[i + 1, k + 1], C[i + 1, k + 2], C[i + 1, k + 3]
    for j in range(y.size):
        p, q, r, s = X[k, j], X[k + 1, j], X[k + 2, j], X[k + 3, j]
        y[j] += a * p + b * q + c * r + d * s
        z[j] += e * p + f * q + g * r + h * s


@part
def subtract_rows(C: Floats, i: int, first: int, last: int, X: Floats, y: Floats) -> None:
    """Subtract the scaled rows ``C[k, i] X[k]`` with k in first:last from y."""
    four = last - (last - first) % 4
    for k in range(first, four, 4):
        a, b, c, d = C[k, i], C[k + 1, i], C[k + 2, i], C[k + 3, i]
        for j in range(y.size):
            y[j] -= a * X[k, j] + b * X[k + 1, j] + c * X[k + 2, j] + d * X[k + 3, j]
    for k in range(four, last):
        for j in range(y.size):
            y[j] -= C[k, i] * X[k, j]


@part
def add_product(C: Floats, i: int, X: Floats, y: Floats, z: Floats) -> None:
    """Add the rows i and i + 1 of C X to y and z."""
    four = X.shape[0] - X.shape[0] % 4
    for k in range(0, four, 4):
        add_scaled(C, i, k, X, y, z)
    for k in range(four, X.shape[0]):
        for j in range(y.size):
            y[j] += C[i, k] * X[k, j]
            z[j] += C[i + 1, k] * X[k, j]


@part
def expand(P: Floats, F: Floats, Q: Floats, w: Stage) -> None:
    """Compute the upper triangle of the Hessian A = Q + F^T P F of the stage.

    The number n of state variables must be even.
    """
    n, z = F.shape
    for i in range(0, n, 2):
        w.PF[i], w.PF[i + 1] = 0.0, 0.0
        add_product(P, i, F, w.PF[i], w.PF[i + 1])
    for i in range(z):
        for k in range(n):
            w.FT[i, k] = F[k, i]
    for i in range(0, z - 1, 2):
        for j in range(i, z):
            w.A[i, j], w.A[i + 1, j] = Q[i, j], Q[i + 1, j]
        add_product(w.FT, i, w.PF[:, i:], w.A[i, i:], w.A[i + 1, i:])
    if z % 2:
        total = Q[z - 1, z - 1]
        for k in range(n):
            total += F[k, z - 1] * w.PF[k, z - 1]
        w.A[z - 1, z - 1] = total


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
                w.L[i, j] = total / w.L[j, j]
            elif total > least:
                w.L[i, i] = np.sqrt(total)
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
    m, full = w.x.size, False
    for i in range(m):
        w.x[i] = min(max(0.0, lower[i]), upper[i])
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
            w.step[i] /= w.L[i, i]
        for i in range(m - 1, -1, -1):
            for k in range(i + 1, m):
                w.step[i] -= w.L[k, i] * w.step[k]
            w.step[i] /= w.L[i, i]
        length, slope = 1.0, project(w, 1.0, lower, upper)
        while gradient_of(w, n, w.trial, w.now) > value + 0.1 * slope and length > 1e-9:
            length /= 2
            slope = project(w, length, lower, upper)
        for i in range(m):
            w.x[i] = w.trial[i]
        full = length == 1.0
    return True


@part
def feedback(w: Stage, n: int, feed: Floats, K: Floats) -> None:
    """Compute the step and the gains of the controls; W becomes the inverse factor times A_ux."""
    m, LT = feed.size, w.L.T
    for i in range(m):
        feed[i] = w.x[i]
        for j in range(n):
            w.W[i, j] = w.free[i] * w.A[j, n + i]
        subtract_rows(LT, i, 0, i, w.W, w.W[i])
        for j in range(n):
            w.W[i, j] /= w.L[i, i]
            K[i, j] = -w.W[i, j]
    for i in range(m - 1, -1, -1):
        subtract_rows(w.L, i, i + 1, m, K, K[i])
        for j in range(n):
            K[i, j] *= w.free[i] / w.L[i, i]


@part
def value_function(w: Stage, feed: Floats, p: Floats, P: Floats) -> None:
    """Compute gradient p and Hessian P of the cost to go, at the state of the stage."""
    n, m = p.size, feed.size
    for i in range(n):
        total = w.h[i]
        for j in range(m):
            total += w.A[i, n + j] * feed[j]
        p[i] = total
        y = w.A[i, i:n]
        subtract_rows(w.W, i, 0, m, w.W[:, i:], y)
        for j in range(y.size):
            P[i, i + j] = y[j]
            P[i + j, i] = y[j]
