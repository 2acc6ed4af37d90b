"""Steps in the configuration space of joints with quaternions."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.rotation_maps import family, matrix, turn
from spatial_v2.engine.tree import Floats

__all__ = ["configurationAddition"]


@jit
def configurationAddition(q: Floats, x: Floats, out: Floats) -> None:
    """Compute the configurations q (+) x of spherical joints, with 4 and 3 entries, or of floating
    joints, with 7 and 6.
    """
    f, d, M = np.empty(9), np.empty((2, 3)), np.empty((3, 3))
    for i in range(len(x)):
        w = x[i, :3]
        s = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
        family(s / 4, f)
        a, b, c, e = f[0], f[1] / 2 * w[0], f[1] / 2 * w[1], f[1] / 2 * w[2]
        r, u, v, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
        if x.shape[1] == 6:
            family(s, f)
            M[:] = 0.0
            matrix(f[2], f[3], w, M)
            for j in range(3):
                d[0, j] = x[i, 3 + j]
                for k in range(3):
                    d[0, j] += M[j, k] * x[i, 3 + k]
            turn(q[i], 1.0, d[0], d[1])
            for j in range(3):
                out[i, 4 + j] = q[i, 4 + j] + d[1, j]
        out[i, 0] = r * a - u * b - v * c - z * e
        out[i, 1] = r * b + u * a + v * e - z * c
        out[i, 2] = r * c - u * e + v * a + z * b
        out[i, 3] = r * e + u * c - v * b + z * a
