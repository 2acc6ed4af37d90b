"""Inertia matrices of trees, pulled back to variables that their joints follow state by state."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.loop import Followers
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["add_left", "add_right", "left", "pulled_back_inertia", "right"]


@inline
def add_left(of: Followers, entries: Floats, X: Floats, out: Floats) -> None:
    """Add ``A^T X`` to out (n, k), where A has the entries and X is (nv, k)."""
    for e in range(of.row.size):
        for c in range(out.shape[1]):
            out[of.column[e], c] += entries[e] * X[of.row[e], c]


@inline
def add_right(of: Followers, X: Floats, entries: Floats, out: Floats) -> None:
    """Add ``X A`` to out (k, n), where A has the entries and X is (k, nv)."""
    for i in range(out.shape[0]):
        for e in range(of.row.size):
            out[i, of.column[e]] += X[i, of.row[e]] * entries[e]


@inline
def left(of: Followers, G: Floats, x: Floats, out: Floats) -> None:
    """Compute ``out = G^T x`` for a matrix x (nv, k)."""
    for k in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[k, c] = x[of.own[k], c]
    add_left(of, G, x, out)


@inline
def right(of: Followers, H: Floats, G: Floats, out: Floats) -> None:
    """Compute ``out = H G`` for a matrix H (k, nv)."""
    for i in range(out.shape[0]):
        for k in range(out.shape[1]):
            out[i, k] = H[i, of.own[k]]
    add_right(of, H, G, out)


@jit
def pulled_back_inertia(of: Followers, H: Floats, G: Floats, out: Floats) -> None:
    """Compute ``out = G^T H G`` (B, n, n) from H (B, nv, nv) and the entries G (B, entries)."""
    x = empty(H, H.shape[1], out.shape[1])
    for b in range(H.shape[0]):
        right(of, H[b], G[b], x)
        left(of, G[b], x, out[b])
