"""Costs of distances from desired states and controls, with derivatives; see `control.StateCost`.

`spaces` is described in `configurationDifference`. The desired states q0 and v0 and controls u0,
and the weights W of displacements, V of velocities and R of controls, repeat if they have fewer
rows than there are instants.
"""

import numpy as np

from spatial_v2.engine.algorithms.configurationAddition_derivatives import derivatives_of_map
from spatial_v2.engine.algorithms.configurationDifference import displacement
from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.parts.rotation_maps import LOGARITHM
from spatial_v2.engine.tree import Floats, Ints

Three = tuple[Floats, Floats, Floats]


@part
def add_line(w: Floats, x: Floats, x0: Floats, h: float, g: Floats, Q: Floats, at: int) -> None:
    """Add the derivatives of ``h (x - x0) . W (x - x0) / 2`` to the entries of g and the diagonal
    of Q from `at` on.
    """
    for k in range(x.size):
        g[at + k] += h * w[k] * (x[k] - x0[k])
        Q[at + k, at + k] += h * w[k]


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


@part
def add_turned(
    w: Floats, x: Floats, h: float, exact: bool, f: Floats, t: Floats, maps: Floats, g: Floats,
    Q: Floats,
) -> None:  # fmt: skip
    """Add the derivatives of ``h x . W x / 2`` to g (n,) and Q (n, n), for the displacement x of a
    joint with a quaternion. f (9,), t (6, 3), maps (4, 6, 6) are workspaces.
    """
    n = x.size
    maps[:] = 0.0
    K, D, P, pull, scaled = maps[0, :n, :n], maps[1, :n, :n], maps[2], maps[3, 0], maps[3, 1, :n]
    for k in range(n):
        scaled[k] = h * w[k]
        pull[k] = scaled[k] * x[k]
    derivatives_of_map(LOGARITHM, x, pull[:n], f, t, K, D)
    add_square(K, scaled, x, g, Q)
    if exact:
        for j in range(n):
            for k in range(n):
                for l in range(n):
                    P[j, l] += D[j, k] * K[k, l]
        for j in range(n):
            for k in range(n):
                Q[j, k] += (P[j, k] + P[k, j]) / 2


@jit
def StateCost(
    spaces: Ints, wanted: Three, weight: Three, at: Three, factor: Floats, exact: bool,
    cost: Floats, gradient: Floats, hessian: Floats,
) -> None:  # fmt: skip
    """Add the costs of N instants, times factors that repeat, to those of as many instants, or of
    motions with several instants; and their derivatives to gradients (B, S, z) and Hessians
    (B, S, z, z) with N = B S, unless these are empty.

    The variables of derivatives are displacements, velocities, and at last the controls. The
    derivatives of Jacobians are left out unless `exact`.
    """
    (q0, v0, u0), (W, V, R), (q, v, u) = wanted, weight, at
    nv, m, S, z = v.shape[1], u.shape[1], gradient.shape[1], gradient.shape[2]
    f, t, maps, M, e = (
        np.empty(9), np.empty((6, 3)), np.empty((4, 6, 6)), np.empty((3, 3)), np.empty(nv)
    )  # fmt: skip
    each = len(q) // max(cost.size, 1)
    for i in range(len(q)):
        h, d = factor[i % factor.size], q0[i % len(q0)]
        w, y, r, v1, u1 = (
            W[i % len(W)], V[i % len(V)], R[i % len(R)], v0[i % len(v0)], u0[i % len(u0)]
        )  # fmt: skip
        displacement(spaces, d, q[i], f, t[:4], M, e)
        total = 0.0
        for k in range(nv):
            total += w[k] * e[k] ** 2 + y[k] * (v[i, k] - v1[k]) ** 2
        for k in range(m):
            total += r[k] * (u[i, k] - u1[k]) ** 2
        if cost.size:
            cost[i // each] += h * total / 2
        if not gradient.size:
            continue
        g, Q = gradient[i // S, i % S], hessian[i // S, i % S]
        add_line(y, v[i], v1, h, g, Q, nv)
        add_line(r, u[i], u1, h, g, Q, z - m)
        for s in range(len(spaces)):
            b, n = spaces[s, 2], spaces[s, 3]
            x, own, block = e[b : b + n], w[b : b + n], Q[b : b + n, b : b + n]
            if spaces[s, 0]:
                add_turned(own, x, h, exact, f, t, maps, g[b : b + n], block)
                continue
            for k in range(n):
                g[b + k] += h * own[k] * x[k]
                block[k, k] += h * own[k]
