"""Jacobians and Hessians of steps of semi-implicit Euler, from derivatives of the accelerations.

A step of length h leads from q and v to ``v' = v + h a(q, v, S u)`` and ``q' = q (+) x`` with
``x = h v'``, the accelerations a and the joint forces S u of the m controls u. There are N steps,
of states with n velocity variables; the variables of derivatives are z = [q, v, u].

S is given by its entries: `entries` (k, 2) has their rows and columns, `S` (k,) their values.
`spaces` is described in `configurationDifference`. The lengths h repeat if there are more steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.algorithms.configurationAddition_derivatives import derivatives_of_map
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.parts.rotation_maps import EXPONENTIAL, LOGARITHM, TRANSPORT
from spatial_v2.engine.parts.stage_equations import add_multiple
from spatial_v2.engine.tree import Floats, Ints

__all__ = [
    "add_euler_hessian", "defect_charts", "euler_jacobian", "euler_jacobian_joined",
    "euler_weights",
]  # fmt: skip

Three = tuple[Floats, Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


class Room(NamedTuple):
    """Workspaces of derivatives of maps and of products with them."""

    f: Floats
    t: Floats
    maps: Floats
    rows: Floats


@within
def new_room(z: int) -> Room:
    """Allocate workspaces for rows of z numbers."""
    return Room(np.empty(9), np.empty((6, 3)), np.empty((3, 6, 6)), np.empty((6, z)))


@part
def jacobian_of_step(
    d: float, first: Three, entries: Ints, S: Floats, spaces: Ints, x: Floats, F: Floats,
    c: Floats, K: Floats, w: Room,
) -> None:  # fmt: skip
    """Compute the Jacobian F (2 n, 2 n + m) of one step of length d; see `euler_jacobian`."""
    (a_q, a_v, a_tau), z = first, F.shape[1]
    n = len(a_q)
    for r in range(n):
        v, q = F[n + r], F[r]
        for j in range(n):
            v[j] = d * a_q[r, j]
            v[n + j] = d * a_v[r, j]
        for j in range(2 * n, z):
            v[j] = 0.0
        for k in range(S.size):
            v[2 * n + entries[k, 1]] += d * a_tau[r, entries[k, 0]] * S[k]
        v[n + r] += 1.0
        for j in range(z):
            q[j] = d * v[j]
    for s in range(len(spaces)):
        turns, b, m = spaces[s, 0], spaces[s, 2], spaces[s, 3]
        for r in range(b, b if turns else b + m):
            F[r, r] += 1.0
        if turns:
            y, maps = x[b : b + m], w.maps
            J, X, none = maps[0, :m, :m], maps[1, :m, :m], maps[2, :m, :m]
            maps[:] = 0.0
            derivatives_of_map(EXPONENTIAL, y, y, w.f, w.t, J, none)
            derivatives_of_map(TRANSPORT, y, y, w.f, w.t, X, none)
            turn_rows(J, F[b : b + m], w.rows)
            for r in range(m):
                for j in range(m):
                    F[b + r, b + j] += X[r, j]
            if K.size:
                turn_defect(c[b : b + m], w, F[b : b + m], K[b : b + m])


@jit
def euler_jacobian(
    h: Floats, blocks: Three, entries: Ints, S: Floats, spaces: Ints, x: Floats, F: Floats,
    c: Floats, K: Floats,
) -> None:  # fmt: skip
    """Compute the Jacobians F (N, 2 n, 2 n + m) of q' and v'. Rows of q' are derivatives of
    displacements, or, unless K is empty, of the defects c; see `defect_charts`.

    The blocks (N, n, n) are the derivatives of the accelerations with respect to q, v and tau.
    """
    (a_q, a_v, a_tau), w = blocks, new_room(F.shape[2])
    for i in range(len(F)):
        d, first = h[i % h.size], (a_q[i], a_v[i], a_tau[i])
        jacobian_of_step(d, first, entries, S, spaces, x[i], F[i], c[i], K[i], w)


@jit
def euler_jacobian_joined(
    h: Floats, blocks: Floats, entries: Ints, S: Floats, spaces: Ints, x: Floats, F: Floats,
    c: Floats, K: Floats,
) -> None:  # fmt: skip
    """Do as `euler_jacobian` for the blocks of a state side by side, (N, 3, n, n)."""
    w = new_room(F.shape[2])
    for i in range(len(F)):
        d, first = h[i % h.size], (blocks[i, 0], blocks[i, 1], blocks[i, 2])
        jacobian_of_step(d, first, entries, S, spaces, x[i], F[i], c[i], K[i], w)


@part
def multiply(A: Floats, B: Floats, out: Floats) -> None:
    """Write the product A B into the first rows and columns of out."""
    for r in range(A.shape[0]):
        for j in range(B.shape[1]):
            out[r, j] = 0.0
        for k in range(A.shape[1]):
            for j in range(B.shape[1]):
                out[r, j] += A[r, k] * B[k, j]


@part
def turn_rows(A: Floats, F: Floats, rows: Floats) -> None:
    """Replace F by A F. `rows` is a workspace."""
    multiply(A, F, rows)
    for r in range(F.shape[0]):
        for j in range(F.shape[1]):
            F[r, j] = rows[r, j]


@part
def turn_defect(c: Floats, w: Room, F: Floats, K: Floats) -> None:
    """Do as `defect_charts` for one joint in one step."""
    m = c.size
    w.maps[:] = 0.0
    M, none = w.maps[0, :m, :m], w.maps[1, :m, :m]
    derivatives_of_map(LOGARITHM, c, c, w.f, w.t, M, none)
    turn_rows(M, F, w.rows)
    for r in range(m):
        for j in range(m):
            K[r, j] = M[r, j]


@jit
def defect_charts(spaces: Ints, c: Floats, F: Floats, K: Floats) -> None:
    """Replace the rows of positions of the Jacobians F (N, 2 n, z) of the ends of steps by those of
    the defects c (N, 2 n), displacements to the ends, for joints with quaternions.

    The blocks of the matrices K (N, n, 6) are the derivatives of the defects with respect to
    displacements of the ends.
    """
    w = new_room(F.shape[2])
    for i in range(len(F)):
        for s in range(len(spaces)):
            b, e = spaces[s, 2], spaces[s, 2] + spaces[s, 3]
            if spaces[s, 0]:
                turn_defect(c[i, b:e], w, F[i, b:e], K[i, b:e])


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
