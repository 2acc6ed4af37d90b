"""Sparsity patterns of second derivatives along the variables of a mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.mechanisms.entries import entries_of, gears_of
from spatial_v2.mechanisms.formula import Formula
from spatial_v2.mechanisms.joined import Joined
from spatial_v2.model import Model
from spatial_v2.packed.gears import join, patterns_of
from spatial_v2.packed.pattern import TensorPattern

__all__ = ["pulled_back_patterns"]


def pulled_back_patterns(tree: Model, coupling: Any, runs: Runs) -> tuple[TensorPattern, ...]:
    """Return the patterns of an algorithm's tensors along y, a block for the variables of a loop.

    An entry of the tree reaches y through G. Where G varies, along variables of one loop or
    function, the tensors of an algorithm are added, and two variables of a loop stand beside any
    third one that its joints act on.
    """
    G, bends = _entries(coupling)
    fine, moved = patterns_of(tree, runs), G.astype(float)
    bent = G[bends].any(axis=0)
    own = [_mask(join(x, moved)[0]) for x in fine]
    mixed = _turned(np.any(own, axis=0))
    mixed &= bent[:, None, None] | bent[:, None] | bent
    loops = _turned(_of_loops(G[bends], (_related(tree) @ G)[bends]))
    return tuple(_pattern(x | mixed | loops) for x in own)


def _entries(coupling: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return masks of the entries of G that may not be zero, and of rows that vary with y."""
    if isinstance(coupling, Joined):
        G, bends = _entries(coupling.outer)
        if isinstance(coupling.inner, Formula):
            inner, more = _entries(coupling.inner)
            return G @ inner, bends | (G @ more)
        return G @ (coupling.inner.matrix != 0), bends
    if isinstance(coupling, Formula):
        G, bends = coupling.fixed != 0, np.zeros(len(coupling.fixed), dtype=bool)
        G[np.ix_(coupling.rows_v, coupling.own_v)] = True
        bends[coupling.rows_v] = True
        return G, bends
    bends = np.zeros(coupling.NV, dtype=bool)
    bends[coupling.dependent] = True
    none = gears_of(None, coupling.dependent)
    return entries_of(coupling, np.eye(len(coupling.v_of_y)), none)[2], bends


def _related(tree: Model) -> np.ndarray:
    """Return a mask (NV, NV) of variables on one path of a tree."""
    related = np.zeros((tree.NV, tree.NV), dtype=bool)
    for i in range(tree.NB):
        own, j = tree.vinds[i], i
        while j >= 0:
            related[own, tree.vinds[j]] = related[tree.vinds[j], own] = True
            j = tree.parent[j]
    return related


def _of_loops(G: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Return a mask of two variables that move one of some rows, beside a third that it acts on."""
    mask = np.zeros((G.shape[1],) * 3, dtype=bool)
    for row, others in zip(G, near, strict=True):
        mask |= row[:, None, None] & row[:, None] & others
    return mask


def _turned(mask: np.ndarray) -> np.ndarray:
    """Return a mask (n, n, n) for its indices in any order."""
    orders = (0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)
    return np.asarray(np.any([mask.transpose(x) for x in orders], axis=0))


def _mask(pattern: TensorPattern) -> np.ndarray:
    mask = np.zeros(pattern.shape, dtype=bool)
    mask[pattern.i, pattern.j, pattern.k] = True
    return mask


def _pattern(mask: np.ndarray) -> TensorPattern:
    return TensorPattern.of(np.stack(np.nonzero(mask)), len(mask))
