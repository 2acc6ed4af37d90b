"""Riccati recursion of optimal control with bounds on the controls, and passes that belong to it.

There are B quadratic problems with S stages each, in changes x (n) of the states and u (m) of the
controls, z = [x, u]: minimise the sum of ``g_k . z_k + z_k . Q_k z_k / 2`` under ``x_(k+1) = F_k
z_k + c_k`` and ``lower_k <= u_k <= upper_k``. There are no controls after the last stage, but g and
Q have entries for them there too.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.cache_lines import LINE
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.prefetch import prefetch
from spatial_v2.engine.numbers.simd_columns import as_simd
from spatial_v2.engine.parts.control_stage import controls, gains, value_function
from spatial_v2.engine.parts.stage_equations import add_multiple, dot
from spatial_v2.engine.parts.stage_products import AHEAD, add_product, copy, expand
from spatial_v2.engine.parts.stage_workspace import new_stage, padded
from spatial_v2.engine.tree import Floats

__all__ = ["compliances", "costates", "linear_rollout", "merit", "riccati"]

Four = tuple[Floats, Floats, Floats, Floats]


@jit
def riccati(
    of: Four, lower: Floats, upper: Floats, shift: Floats, feedback: Four, failed: Floats
) -> None:
    """Compute controls ``feed + K x`` of least cost for a state x, and the cost to go
    ``p . x + x . P x / 2``.

    The problem `of` is F, c, g and Q, the result `feedback` is feed, K, p and P.
    `shift` (B, m) is added to the diagonal of Q for the controls. `failed` (B,) becomes 1 if the
    Hessian is not positive definite in the controls: then the problem has no minimum.
    """
    (F, c, g, Q), (feed, K, p, P) = of, feedback
    B, S, n, z = F.shape
    w = new_stage(F, n, z)
    for b in range(B):
        for i in range(n):
            p[b, S, i] = g[b, S, i]
            for j in range(n):
                P[b, S, i, j] = Q[b, S, i, j]
        failed[b] = 0.0
        for k in range(S - 1, -1, -1):
            expand(P[b, k + 1], F[b, k], Q[b, k], w)
            for i in range(z):
                w.h[i] = g[b, k, i]
            for i in range(n):
                add_multiple(p[b, k + 1, i] + dot(P[b, k + 1, i], c[b, k]), F[b, k, i], w.h)
            for i in range(n, z):
                w.A[i, i] += shift[b, i - n]
            if not controls(w, n, lower[b, k], upper[b, k]):
                failed[b] = 1.0
                break
            gains(w, n, feed[b, k], K[b, k])
            value_function(w, feed[b, k], p[b, k], P[b, k])


@jit
def linear_rollout(
    F: Floats, c: Floats, feedback: Four, lower: Floats, upper: Floats, x: Floats, u: Floats,
    multiplier: Floats,
) -> None:  # fmt: skip
    """Compute changes x and u under the feedback of `riccati`, with x_0 = 0, and the multipliers
    ``p + P x``.
    """
    feed, K, p, P = feedback
    B, S, n, z = F.shape
    for b in range(B):
        x[b, 0] = 0.0
        for k in range(S + 1):
            for i in range(n):
                multiplier[b, k, i] = p[b, k, i] + dot(P[b, k, i], x[b, k])
            if k == S:
                break
            for i in range(z - n):
                total = feed[b, k, i] + dot(K[b, k, i], x[b, k])
                u[b, k, i] = min(max(total, lower[b, k, i]), upper[b, k, i])
            for i in range(n):
                of_x, of_u = dot(x[b, k], F[b, k, i]), dot(u[b, k], F[b, k, i, n:])
                x[b, k + 1, i] = c[b, k, i] + of_x + of_u


@jit
def costates(F: Floats, g: Floats, p: Floats, slope: Floats) -> None:
    """Compute the costates ``p_k = g_x + F_x^T p_(k+1)``, backwards, and the gradient `slope` with
    respect to u.
    """
    B, S, n, z = F.shape
    h = np.empty(z)
    for b in range(B):
        for i in range(n):
            p[b, S, i] = g[b, S, i]
        for k in range(S - 1, -1, -1):
            copy(g[b, k], h)
            for j in range(n):
                for i in range(0, z, LINE):
                    prefetch(F[b, k, j], i - AHEAD)
                add_multiple(p[b, k + 1, j], F[b, k, j], h)
            for i in range(n):
                p[b, k, i] = h[i]
            for i in range(n, z):
                slope[b, k, i - n] = h[i]


@jit
def compliances(F: Floats, K: Floats, own: Floats, Z: Floats) -> None:
    """Compute the blocks Z (B, S + 1, z, z) of the inverse Hessian of each instant.

    `own` (B, S, m, m) are the inverse Hessians with respect to the controls of each stage.
    """
    B, S, n, z = F.shape
    m, N, M, Z_ = z - n, padded(n), padded(z - n), padded(z)
    X, Y, KX, KT, G, P, PG = (
        empty(F, N, N), empty(F, m, N), empty(F, M, N), empty(F, n, M), empty(F, m + N, N),
        empty(F, z, Z_), empty(F, Z_, N),
    )  # fmt: skip
    for A in (Y, KT, G, P):
        A[:] = 0.0
    Xs, KXs, Gs, PGs = as_simd(X), as_simd(KX), as_simd(G), as_simd(PG)
    for b in range(B):
        X[:] = 0.0
        for k in range(S + 1):
            Z[b, k] = 0.0
            for i in range(n):
                for j in range(n):
                    Z[b, k, i, j] = X[i, j]
            if k == S:
                break
            for i in range(m):
                for j in range(n):
                    Y[i, j] = KT[j, i] = K[b, k, i, j]
            KXs[:] = 0.0
            add_product(KT, Xs[:n], KXs, False)
            for i in range(m):
                for j in range(n):
                    Z[b, k, n + i, j] = Z[b, k, j, n + i] = KX[i, j]
                for j in range(m):
                    P[i, j] = own[b, k, i, j]
                    Z[b, k, n + i, n + j] = own[b, k, i, j] + dot(Y[j], KX[i])
            # X of the next state is G' P G with G = [F_u, F_x + F_u K]' and P = diag(own, X).
            for i in range(n):
                for j in range(m):
                    G[j, i] = F[b, k, i, n + j]
                for j in range(n):
                    G[m + j, i], P[m + i, m + j] = F[b, k, i, j], X[i, j]
            add_product(Y, Gs[:m], Gs[m:], False)
            PGs[:], Xs[:] = 0.0, 0.0
            add_product(P, Gs[:z], PGs, False)
            add_product(G, PGs[:z], Xs, True)
            for i in range(n):
                for j in range(i):
                    X[i, j] = X[j, i]


@jit
def merit(
    c: Floats, w: Floats, stiffness: Floats, g: Floats, x: Floats, u: Floats, found: Floats
) -> None:  # fmt: skip
    """Compute three numbers of each problem for the line search, found (B, 3).

    They are the sum of squares of the defects c times their stiffness (B, n), w . c for multipliers
    w (B, S + 1, n), and the slope of the costs along x and u.
    """
    B, S, n = c.shape
    for b in range(B):
        square, weighted, slope = 0.0, 0.0, 0.0
        for k in range(S + 1):
            for i in range(n):
                if k < S:
                    square += stiffness[b, i] * c[b, k, i] ** 2
                    weighted += w[b, k + 1, i] * c[b, k, i]
                slope += g[b, k, i] * x[b, k, i]
            for i in range(u.shape[2] if k < S else 0):
                slope += g[b, k, n + i] * u[b, k, i]
        found[b, 0], found[b, 1], found[b, 2] = square, weighted, slope
