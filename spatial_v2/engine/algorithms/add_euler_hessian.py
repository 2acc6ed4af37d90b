"""Hessians of steps of semi-implicit Euler; see `euler_jacobian`."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.algorithms.configurationAddition_derivatives import derivatives_of_map
from spatial_v2.engine.algorithms.euler_jacobian import multiply
from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.parts.rotation_maps import EXPONENTIAL, TRANSPORT
from spatial_v2.engine.parts.stage_equations import add_multiple
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["add_euler_hessian", "euler_weights"]

Four = tuple[Floats, Floats, Floats, Floats]


@part
def pull(A: Floats, p: Floats, out: Floats) -> None:
    """Compute ``A^T p`` for the first rows and columns of A."""
    for r in range(p.size):
        out[r] = 0.0
        for k in range(p.size):
            out[r] += A[k, r] * p[k]


@jit
def euler_weights(
    h: Floats, spaces: Ints, x: Floats, K: Floats, p: Floats, w: Floats, mu: Floats
) -> None:
    """Compute the weights mu (N, n) of the accelerations in the Hessian of ``w . [q', v']``.

    w (N, 2 n) are the weights of displacements of the ends: p, or, unless K is empty, those that
    belong to the weights p of the defects; see `defect_charts`.
    """
    n = mu.shape[1]
    f, t, maps, turned = np.empty(9), np.empty((6, 3)), np.empty((2, 6, 6)), np.empty(6)
    for i in range(len(mu)):
        d = h[i % h.size]
        for r in range(2 * n):
            w[i, r] = p[i, r]
        for r in range(n):
            mu[i, r] = d * (w[i, n + r] + d * w[i, r])
        for s in range(len(spaces)):
            b, m = spaces[s, 2], spaces[s, 3]
            if spaces[s, 0]:
                y, J, none = x[i, b : b + m], maps[0, :m, :m], maps[1, :m, :m]
                if K.size:
                    pull(K[i, b : b + m], p[i, b : b + m], w[i, b : b + m])
                maps[:] = 0.0
                derivatives_of_map(EXPONENTIAL, y, y, f, t, J, none)
                pull(J, w[i, b : b + m], turned)
                for r in range(m):
                    mu[i, b + r] = d * (w[i, n + b + r] + d * turned[r])


@part
def bracket_form(w: Floats, B: Floats) -> None:
    """Compute the matrix B with ``y . B z = w . [y, z]`` for the Lie bracket of rotations or twists
    y and z.
    """
    n = w.size
    for j in range(3):
        k, l = (j + 1) % 3, (j + 2) % 3
        B[j, k], B[k, j] = w[l], -w[l]
        if n == 6:
            for r, c in ((0, 3), (3, 0)):
                B[r + j, c + k], B[r + k, c + j] = w[3 + l], -w[3 + l]


@part
def add_turning(
    d: float, x: Floats, w: Floats, b: int, f: Floats, t: Floats, maps: Floats, rows: Floats,
    F_v: Floats, Q: Floats,
) -> None:  # fmt: skip
    """Add the second derivatives of ``w . (q (+) x)`` to the Hessian Q (z, z), for a joint with a
    quaternion whose first velocity variable is b.

    x_z = d F_v is the Jacobian of x. f (9,), t (6, 3), maps (5, 6, 6) and rows (3, 6, z) are
    workspaces.
    """
    m, z = x.size, Q.shape[0]
    maps[:] = 0.0
    J, D, X, B, P = maps[0, :m, :m], maps[1, :m, :m], maps[2, :m, :m], maps[3, :m, :m], maps[4]
    derivatives_of_map(TRANSPORT, x, w, f, t, X, D)
    D[:, :] = 0.0
    derivatives_of_map(EXPONENTIAL, x, w, f, t, J, D)
    bracket_form(w, B)
    multiply(B, J, P)
    cross, bend, moved = rows[0], rows[1], rows[2]
    rows[:, :, :] = 0.0
    for r in range(m):
        add_multiple(d, F_v[b + r], moved[r])
    for r in range(m):
        for k in range(m):
            turned = 0.0
            for l in range(m):
                turned += X[l, r] * P[l, k] / 2
            add_multiple(turned, moved[k], cross[r])
            add_multiple((D[r, k] + D[k, r]) / 2, moved[k], bend[r])
    for r in range(0, m, 3):
        for i in range(z):
            x0, x1, x2, row = moved[r, i], moved[r + 1, i], moved[r + 2, i], Q[i]
            for j in range(z):
                row[j] += x0 * bend[r, j] + x1 * bend[r + 1, j] + x2 * bend[r + 2, j]
    for r in range(m):
        for j in range(z):
            Q[b + r, j] += cross[r, j]
            Q[j, b + r] += cross[r, j]


@jit
def add_euler_hessian(
    h: Floats, blocks: Four, entries: Ints, S: Floats, spaces: Ints, x: Floats, p: Floats,
    F: Floats, Q: Floats,
) -> None:  # fmt: skip
    """Add to Q (N, 2 n + m, 2 n + m) the symmetric Hessian of ``p . [q', v']``.

    The blocks qq, vv, vq and tau_q (N, n, n) are those of the Hessian of the accelerations,
    weighted as in `euler_weights`; qq may be not symmetric. F are the Jacobians.
    """
    qq, vv, vq, tau_q = blocks
    n, z = qq.shape[1], Q.shape[1]
    f, t = np.empty(9), np.empty((6, 3))
    maps, rows = np.empty((5, 6, 6)), np.empty((3, 6, z))
    for i in range(len(Q)):
        for r in range(n):
            for c in range(n):
                Q[i, r, c] += (qq[i, r, c] + qq[i, c, r]) / 2
                Q[i, r, n + c] += vq[i, c, r]
                Q[i, n + r, c] += vq[i, r, c]
                Q[i, n + r, n + c] += vv[i, r, c]
        for k in range(S.size):
            u = 2 * n + entries[k, 1]
            for c in range(n):
                y = S[k] * tau_q[i, entries[k, 0], c]
                Q[i, u, c] += y
                Q[i, c, u] += y
        for s in range(len(spaces)):
            b, m = spaces[s, 2], spaces[s, 3]
            if spaces[s, 0]:
                step, w = x[i, b : b + m], p[i, b : b + m]
                d, F_v = h[i % h.size], F[i, n:]
                add_turning(d, step, w, b, f, t, maps, rows, F_v, Q[i])
