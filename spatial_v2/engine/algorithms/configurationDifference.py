"""Displacements in the configuration spaces of joints.

`spaces` (k, 4) has a row for each joint with a quaternion and each sequence of other joints: 1 for
a quaternion or 0, the indices of the first position and velocity variable, and the number of
velocity variables.
"""

import math

import numpy as np

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.parts.rotation_maps import LOGARITHM, coefficients, matrix, turn
from spatial_v2.engine.tree import Floats, Ints


@part
def turn_between(q0: Floats, q1: Floats, f: Floats, d: Floats, M: Floats, out: Floats) -> None:
    """Compute the shortest displacement from q0 to q1 of a spherical joint, out (3,), or of a
    floating one, out (6,).

    f (9,), d (4, 3) and M (3, 3) are workspaces.
    """
    r, u, v, z = q0[0], -q0[1], -q0[2], -q0[3]
    c, x, y, e = q1[0], q1[1], q1[2], q1[3]
    w = r * c - u * x - v * y - z * e
    k0 = r * x + u * c + v * e - z * y
    k1 = r * y - u * e + v * c + z * x
    k2 = r * e + u * y - v * x + z * c
    size = math.sqrt(k0 * k0 + k1 * k1 + k2 * k2)
    largest = k0 if abs(k0) >= max(abs(k1), abs(k2)) else k1 if abs(k1) >= abs(k2) else k2
    if w < 0.0 or (w == 0.0 and largest < 0.0):
        w, k0, k1, k2 = -w, -k0, -k1, -k2
    scale = 2.0 * math.atan2(size, w) / size if size > 1e-150 else 2.0 / w
    out[0], out[1], out[2] = scale * k0, scale * k1, scale * k2
    if out.size == 6:
        for j in range(3):
            d[0, j] = q1[4 + j] - q0[4 + j]
        turn(q0, -1.0, d[0], d[1])
        s = out[0] ** 2 + out[1] ** 2 + out[2] ** 2
        coefficients(LOGARITHM, s, f, d[2], d[3])
        M[:] = 0.0
        matrix(-0.5, d[3, 0], out[:3], M)
        for j in range(3):
            out[3 + j] = d[1, j]
            for k in range(3):
                out[3 + j] += M[j, k] * d[1, k]


@part
def displacement(
    spaces: Ints, q0: Floats, q1: Floats, f: Floats, d: Floats, M: Floats, out: Floats
) -> None:
    """Compute the shortest displacement out (NV,) from q0 to q1; see `turn_between`."""
    for r in range(len(spaces)):
        turns, a, b, n = spaces[r, 0], spaces[r, 1], spaces[r, 2], spaces[r, 3]
        if turns:
            turn_between(q0[a : a + n + 1], q1[a : a + n + 1], f, d, M, out[b : b + n])
        else:
            for k in range(n):
                out[b + k] = q1[a + k] - q0[a + k]


@jit
def configurationDifference(spaces: Ints, q0: Floats, q1: Floats, out: Floats) -> None:
    """Compute the shortest displacements out (B, NV) from q0 to q1; few rows of them repeat."""
    f, d, M = np.empty(9), np.empty((4, 3)), np.empty((3, 3))
    for i in range(len(out)):
        displacement(spaces, q0[i % len(q0)], q1[i % len(q1)], f, d, M, out[i])
