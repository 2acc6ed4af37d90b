"""Product of the inverse joint-space inertia matrix with vectors, at rest and without gravity."""

from __future__ import annotations

from spatial_v2.engine.articulate import articulate, respond
from spatial_v2.engine.compile import jit
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.rotors import rows
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["aba_zero"]


@jit
def aba_zero(tree: Tree, q: Floats, f: Floats, out: Floats) -> None:
    """out = H(q)^-1 f (B, nv); states with the same q as the one before reuse its factors."""
    nb, nv, m = tree.parent.size, f.shape[1], rows(tree)
    R, d, a = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S, U, D = empty(q, m, 6), empty(q, m, 6), empty(q, nb, 6, 6)
    IC, IA, W = empty(q, nb, 10), empty(q, nb + 1, 6, 6), empty(q, 2, 6, 6)
    c, pA, u, w = empty(q, nb, 6), empty(q, nb + 1, 6), empty(q, nv), empty(q, 6)
    c[:, :] = 0.0
    a[-1, :] = 0.0
    for b in range(q.shape[0]):
        same = b > 0
        for k in range(q.shape[1]):
            same = same and q[b, k] == q[b - 1, k]
        if not same:
            articulate(tree, q[b], R, d, S, IC, IA, U, D, W)
        pA[:, :] = 0.0
        respond(tree, d, S, U, D, c, pA, a, f[b], u, w, out[b])
