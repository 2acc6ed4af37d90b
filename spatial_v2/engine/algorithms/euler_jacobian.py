"""Jacobians of steps of semi-implicit Euler, from derivatives of the accelerations.

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
from spatial_v2.engine.tree import Floats, Ints

Three = tuple[Floats, Floats, Floats]


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
