"""Inertia matrices of trees, pulled back to variables that their joints follow state by state."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.loop import Followers
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["left", "pulled_back_inertia", "right"]


@inline
def left(of: Followers, G: Floats, x: Floats, out: Floats) -> None:
    """Compute ``out = G^T x`` for a matrix x (nv, k)."""
    for k in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[k, c] = x[of.own[k], c]
    for j in range(of.row.size):
        for c in range(out.shape[1]):
            out[of.column[j], c] += G[j] * x[of.row[j], c]


@inline
def right(of: Followers, H: Floats, G: Floats, out: Floats) -> None:
    """Compute ``out = H G`` for a matrix H (k, nv)."""
    for i in range(out.shape[0]):
        for k in range(out.shape[1]):
            out[i, k] = H[i, of.own[k]]
        for j in range(of.row.size):
            out[i, of.column[j]] += H[i, of.row[j]] * G[j]


@jit
def pulled_back_inertia(of: Followers, H: Floats, G: Floats, out: Floats) -> None:
    """Compute ``out = G^T H G`` (B, n, n) from H (B, nv, nv) and the entries G (B, entries)."""
    x = empty(H, H.shape[1], out.shape[1])
    for b in range(H.shape[0]):
        right(of, H[b], G[b], x)
        left(of, G[b], x, out[b])
