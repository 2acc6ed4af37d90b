"""Logarithms of poses relative to targets."""

import math

import numpy as np

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.parts.rotation_maps import LOGARITHM, coefficients, matrix
from spatial_v2.engine.tree import Floats


@part
def position(X: Floats, r: Floats) -> None:
    """Compute the origin r of the frame to which the transform X leads, in coordinates of the
    base.
    """
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        r[i] = 0.0
        for l in range(3):
            r[i] += (X[l, j] * X[3 + l, k] - X[l, k] * X[3 + l, j]) / 2


@part
def rotation_vector(R: Floats, q: Floats, w: Floats) -> None:
    """Compute the rotation vector w of R; for half a turn, its largest entry is positive.

    q (4,) is a workspace for the quaternion.
    """
    trace, largest = R[0, 0] + R[1, 1] + R[2, 2], 3
    best = trace
    for i in range(3):
        if R[i, i] > best:
            best, largest = R[i, i], i
    if largest == 3:
        q[0] = 1.0 + trace
        for i in range(3):
            q[1 + i] = R[(i + 2) % 3, (i + 1) % 3] - R[(i + 1) % 3, (i + 2) % 3]
    else:
        j, k = (largest + 1) % 3, (largest + 2) % 3
        q[0] = R[k, j] - R[j, k]
        q[1 + largest] = 1.0 + 2 * R[largest, largest] - trace
        q[1 + j] = R[largest, j] + R[j, largest]
        q[1 + k] = R[largest, k] + R[k, largest]
    if q[0] < 0.0:
        for i in range(4):
            q[i] = -q[i]
    size = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    scale = 2.0 * math.atan2(size, q[0]) / size if size > 1e-150 else 2.0 / q[0]
    for i in range(3):
        w[i] = scale * q[1 + i]


@jit
def log6_residual(X: Floats, target: Floats, e: Floats) -> None:
    """Compute the logarithms e (B, 6) of poses X (B, 6, 6) relative to targets, which repeat if
    there are fewer of them.
    """
    f, a, b, q, M = np.empty(9), np.empty(3), np.empty(3), np.empty(4), np.empty((3, 3))
    r, R = np.empty((3, 3)), np.empty((3, 3))
    for i in range(len(X)):
        Y = target[i % len(target)]
        for j in range(3):
            for k in range(3):
                R[j, k] = Y[j, 0] * X[i, k, 0] + Y[j, 1] * X[i, k, 1] + Y[j, 2] * X[i, k, 2]
        rotation_vector(R, q, e[i, :3])
        position(X[i], r[0])
        position(Y, r[1])
        for j in range(3):
            r[2, j] = 0.0
            for k in range(3):
                r[2, j] += Y[j, k] * (r[0, k] - r[1, k])
        s = e[i, 0] ** 2 + e[i, 1] ** 2 + e[i, 2] ** 2
        coefficients(LOGARITHM, s, f, a, b)
        M[:] = 0.0
        matrix(-0.5, b[0], e[i, :3], M)
        for j in range(3):
            e[i, 3 + j] = r[2, j]
            for k in range(3):
                e[i, 3 + j] += M[j, k] * r[2, k]
