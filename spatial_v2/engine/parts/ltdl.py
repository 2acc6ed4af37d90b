"""Factors ``L^T D L`` of joint-space inertia matrices, which have zeros where paths part.

Variable ``above[i]`` is the one before variable i on the path from the base, or -1.
"""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.tree import Floats, Ints


@inline
def ltdl(above: Ints, L: Floats) -> None:
    """Factor the inertia matrix in place, ``H = L^T D L`` (Featherstone 2008, Table 6.3).

    L is below the diagonal and 1 / D on it.
    """
    for k in range(above.size - 1, -1, -1):
        d = 1.0 / L[k, k]
        i = above[k]
        while i >= 0:
            x = L[k, i] * d
            j = i
            while j >= 0:
                L[i, j] -= x * L[k, j]
                j = above[j]
            L[k, i] = x
            i = above[i]
        L[k, k] = d


@inline
def ltdl_inward(above: Ints, L: Floats, x: Floats) -> None:
    """Replace x (nv, n) by L^-T x, with the factors L of `ltdl`."""
    for i in range(above.size - 1, -1, -1):
        j = above[i]
        while j >= 0:
            f = L[i, j]
            for c in range(x.shape[1]):
                x[j, c] -= f * x[i, c]
            j = above[j]


@inline
def ltdl_outward(above: Ints, L: Floats, x: Floats) -> None:
    """Replace x (nv, n) by L^-1 D^-1 x, with the factors L of `ltdl`."""
    for i in range(above.size):
        d, j = L[i, i], above[i]
        for c in range(x.shape[1]):
            x[i, c] *= d
        while j >= 0:
            f = L[i, j]
            for c in range(x.shape[1]):
                x[i, c] -= f * x[j, c]
            j = above[j]


@part
def ltdl_columns(above: Ints, L: Floats, x: Floats) -> None:
    """Replace x (nv, n) by H^-1 x, with the factors L of `ltdl`."""
    ltdl_inward(above, L, x)
    ltdl_outward(above, L, x)
