"""Matrices of the exponentials and logarithms of rotations and poses, with their derivatives."""

import numpy as np

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.parts.rotation_maps import (
    coefficients,
    matrix,
    matrix_along,
    weighted,
    weighted_along,
)
from spatial_v2.engine.tree import Floats


@part
def derivatives_of_map(
    kind: int, x: Floats, p: Floats, f: Floats, t: Floats, M: Floats, D: Floats
) -> None:
    """Add to M (n, n) the matrix of a vector x (n,) that `kind` selects, such as
    `rotation_maps.LOGARITHM`, and to D its derivatives, with entries [j, k]
    ``d (p . M e_j) / dx_k``.

    f (9,) and t (6, 3) are workspaces.
    """
    w, a, b, n = x[:3], t[4], t[5], x.size
    coefficients(kind, w[0] * w[0] + w[1] * w[1] + w[2] * w[2], f, a, b)
    for j in range(n):
        M[j, j] += 1.0
    matrix(a[0], b[0], w, M[:3, :3])
    weighted(a, b, w, p[:3], t, D[:3, :3])
    if n == 6:
        v, last = x[3:], p[3:]
        rate = 2 * (w[0] * v[0] + w[1] * v[1] + w[2] * v[2])
        matrix(a[0], b[0], w, M[3:, 3:])
        matrix_along(rate * a[1], rate * b[1], a[0], b[0], w, v, M[3:, :3])
        weighted_along(a, b, w, v, last, t, D[:3, :3])
        weighted(a, b, w, last, t, D[:3, 3:])
        weighted(a, b, w, last, t, D[3:, :3])


@jit
def configurationAddition_derivatives(
    kind: int, x: Floats, p: Floats, M: Floats, D: Floats
) -> None:
    """Compute the matrices M (B, n, n) of vectors x (B, n), and D; see `derivatives_of_map`. M and
    D must be zero on entry.
    """
    f, t = np.empty(9), np.empty((6, 3))
    for i in range(len(x)):
        derivatives_of_map(kind, x[i], p[i], f, t, M[i], D[i])
