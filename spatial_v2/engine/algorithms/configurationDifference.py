"""Displacements in the configuration space of joints with quaternions."""

from __future__ import annotations

import math

import numpy as np

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.rotation_maps import LOGARITHM, coefficients, matrix, turn
from spatial_v2.engine.tree import Floats

__all__ = ["configurationDifference"]


@jit
def configurationDifference(q0: Floats, q1: Floats, out: Floats) -> None:
    """Compute the shortest displacements (B, 3) or (B, 6) from q0 to q1."""
    f, a, b, d = np.empty(9), np.empty(3), np.empty(3), np.empty((2, 3))
    M = np.empty((3, 3))
    for i in range(len(q0)):
        r, u, v, z = q0[i, 0], -q0[i, 1], -q0[i, 2], -q0[i, 3]
        c, x, y, e = q1[i, 0], q1[i, 1], q1[i, 2], q1[i, 3]
        w = r * c - u * x - v * y - z * e
        k0 = r * x + u * c + v * e - z * y
        k1 = r * y - u * e + v * c + z * x
        k2 = r * e + u * y - v * x + z * c
        size = math.sqrt(k0 * k0 + k1 * k1 + k2 * k2)
        largest = k0 if abs(k0) >= max(abs(k1), abs(k2)) else k1 if abs(k1) >= abs(k2) else k2
        if w < 0.0 or (w == 0.0 and largest < 0.0):
            w, k0, k1, k2 = -w, -k0, -k1, -k2
        scale = 2.0 * math.atan2(size, w) / size if size > 1e-150 else 2.0 / w
        out[i, 0], out[i, 1], out[i, 2] = scale * k0, scale * k1, scale * k2
        if out.shape[1] == 6:
            for j in range(3):
                d[0, j] = q1[i, 4 + j] - q0[i, 4 + j]
            turn(q0[i], -1.0, d[0], d[1])
            s = out[i, 0] ** 2 + out[i, 1] ** 2 + out[i, 2] ** 2
            coefficients(LOGARITHM, s, f, a, b)
            M[:] = 0.0
            matrix(-0.5, b[0], out[i, :3], M)
            for j in range(3):
                out[i, 3 + j] = d[1, j]
                for k in range(3):
                    out[i, 3 + j] += M[j, k] * d[1, k]
