"""Entries of the matrix G of a tree with closed loops, rotors, and joints that follow others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spatial_v2.engine.loop import Followers, Gears, Products
from spatial_v2.model import Model

if TYPE_CHECKING:
    from spatial_v2.mechanisms.closed import Closed

__all__ = ["Geared", "entries_of", "gears_of"]


class Geared(NamedTuple):
    """The rotors of a tree: arrays for kernels, and the matrix of the velocities of all bodies."""

    of: Gears
    T: np.ndarray
    """``qd_e = T qd``, with rotors after all joints; no rows without a model."""


def gears_of(model: Model | None, dependent: np.ndarray) -> Geared:
    """Return the rotors of a tree whose velocity variables `dependent` follow others."""
    none, no = np.zeros(0, np.int64), np.zeros(0)
    if model is None or not model.has_rotors:
        n = 0 if model is None else model.NV
        return Geared(Gears(none, none, no, none, none, no), np.eye(n))
    has = np.flatnonzero(model.has_rotor)
    link, v = (np.ascontiguousarray(model.layout.joint[has, k], dtype=np.int64) for k in (2, 3))
    ratio = np.array(model.gr[has], dtype=float)
    count = np.arange(len(has))
    turned = [(int(np.flatnonzero(dependent == v[k])[0]), model.NV + k, ratio[k])
              for k in count if v[k] in dependent]  # fmt: skip
    of, row, factor = (
        (np.array(x) for x in zip(*turned, strict=True)) if turned else (none, none, no)
    )
    gears = Gears(link, model.NQ + count, ratio, of, row, factor)
    return Geared(gears, np.concatenate([np.eye(model.NV), ratio[:, None] * np.eye(model.NV)[v]]))


def entries_of(
    coupling: Closed, L: np.ndarray, gears: Geared
) -> tuple[Followers, Products, np.ndarray]:
    """Return the entries of G, how they follow from those of loops, and the mask of all that may
    not be zero.
    """
    NV, y = coupling.NV, np.arange(len(coupling.v_of_y))
    T = gears.T if gears.T.size else np.eye(NV)
    fixed = np.zeros((NV, len(y)))
    fixed[coupling.v_of_y, y] = 1.0
    constant = T @ fixed @ L
    pairs = zip(coupling.branches, coupling.places, strict=True)
    places = [(d, x) for b, p in pairs for d in p.v[b.d] for x in p.y]
    parts = [(e, i, k, T[i, d] * L[x, k]) for e, (d, x) in enumerate(places)
             for i in np.flatnonzero(T[:, d]) for k in np.flatnonzero(L[x])]  # fmt: skip
    pattern = constant != 0
    for _, i, k, _ in parts:
        pattern[i, k] = True
    single = (pattern.sum(axis=1) == 1) & (constant == 1).any(axis=1)
    own = np.array([np.flatnonzero(single & (constant[:, k] == 1))[0] for k in range(L.shape[1])])
    rest = pattern.copy()
    rest[own] = False
    row, column = np.nonzero(rest)
    at = {place: k for k, place in enumerate(zip(row.tolist(), column.tolist(), strict=True))}
    into = [at[int(i), int(k)] for _, i, k, _ in parts]
    products = Products(
        constant[row, column], np.array(into, np.int64), np.array([p[0] for p in parts], np.int64),
        np.array([p[3] for p in parts], float),
    )  # fmt: skip
    return Followers(*(np.array(x, np.int64) for x in (own, row, column))), products, pattern
