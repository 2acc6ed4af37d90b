"""Matrices of the exponentials and logarithms of rotations and poses, with their derivatives."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.rotation_maps import (
    coefficients,
    matrix,
    matrix_along,
    weighted,
    weighted_along,
)
from spatial_v2.engine.tree import Floats

__all__ = ["configurationAddition_derivatives"]


@jit
def configurationAddition_derivatives(
    kind: int, x: Floats, p: Floats, M: Floats, D: Floats
) -> None:
    """Compute M (B, n, n) of vectors x (B, n), and D with entries [j, k] ``d (p . M e_j) / dx_k``.

    M is the matrix that `kind` selects, such as `rotation_maps.LOGARITHM`. M and D must be zero on
    entry.
    """
    f, a, b, t = np.empty(9), np.empty(3), np.empty(3), np.empty((4, 3))
    n = x.shape[1]
    for i in range(len(x)):
        w, last = x[i, :3], p[i, n - 3 :]
        coefficients(kind, w[0] * w[0] + w[1] * w[1] + w[2] * w[2], f, a, b)
        for j in range(n):
            M[i, j, j] = 1.0
        matrix(a[0], b[0], w, M[i, :3, :3])
        weighted(a, b, w, p[i, :3], t, D[i, :3, :3])
        if n == 6:
            v = x[i, 3:]
            rate = 2 * (w[0] * v[0] + w[1] * v[1] + w[2] * v[2])
            matrix(a[0], b[0], w, M[i, 3:, 3:])
            matrix_along(rate * a[1], rate * b[1], a[0], b[0], w, v, M[i, 3:, :3])
            weighted_along(a, b, w, v, last, t, D[i, :3, :3])
            weighted(a, b, w, last, t, D[i, :3, 3:])
            weighted(a, b, w, last, t, D[i, 3:, :3])
