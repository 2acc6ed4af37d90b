"""Variables that several joints share, and the bodies at which their equations can be solved.

A variable that alone moves one joint as it is, without a factor, is the joint's own. All others are
*shared*. From the outermost of its joints inward a shared variable is open: it is solved for at the
first body beyond which all its joints are. That is at one of its joints, or where the branches with
its joints part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.tree import Floats, Ints, Tree


class Shared(NamedTuple):
    """The m shared variables of a tree, whose velocities are ``qd = G yd``, by bodies.

    Attributes
    ----------
    variable : (m,)
        The shared variables.
    own : (nv,)
        For each row of G the variable that is its joint's own, or -1.
    ends : (nb + 1, 4)
        Of each body, and last of the base, the variables that are open there have the places
        ends[i, 0] to ends[i, 3]: first those that are solved for before the joint of the body is
        passed, up to ends[i, 1], then those after it, up to ends[i, 2], then those that stay open.
    which, up, factor : (places,)
        At each place the number of the variable, 0 to m - 1; the place of a variable that stays
        open at the parent, or -1; and the entry of G by which the joint of the body follows it, or
        0.
    """

    variable: Ints
    own: Ints
    ends: Ints
    which: Ints
    up: Ints
    factor: Floats


def shared_of(tree: Tree, G: np.ndarray) -> Shared:
    """Return the shared variables of a matrix G (nv, n)."""
    nb, entries, total = len(tree.parent), G != 0, np.count_nonzero(G, axis=0)
    row = entries.argmax(axis=0)
    alone = (total == 1) & (G[row, np.arange(G.shape[1])] == 1) & (entries.sum(axis=1)[row] == 1)
    own = np.full(len(G), -1)
    own[row[alone]] = np.flatnonzero(alone)
    moved, count = np.zeros((nb + 1, G.shape[1]), np.int64), np.where(alone, -1, total)
    for i, (first, n) in enumerate(tree.joint[:, 3:5]):
        moved[i] = entries[first : first + n].sum(axis=0)
    beyond, lists = np.zeros_like(moved), list[list[np.ndarray]]()
    for i in range(nb - 1, -2, -1):
        here = beyond[i] + moved[i]
        stays = (here > 0) & (here < count)
        before, after = beyond[i] == count, (moved[i] > 0) & (here == count)
        lists.append([np.flatnonzero(x) for x in (before, after, stays)])
        if i >= 0:
            beyond[tree.parent[i]] += np.where(stays, here, 0)
    lists = [*lists[-2::-1], lists[-1]]
    sizes = np.cumsum([0, *(len(x) for three in lists for x in three)])
    ends = np.stack([sizes[j : j + 3 * nb + 1 : 3] for j in range(4)], axis=1)
    variable, which = np.flatnonzero(~alone), np.concatenate([x for y in lists for x in y])
    body = np.repeat(np.arange(nb + 1), ends[:, 3] - ends[:, 0])
    place = {pair: k for k, pair in enumerate(zip(body.tolist(), which.tolist(), strict=True))}
    up, factor = np.full(len(which), -1), np.zeros(len(which))
    for (i, k), at in place.items():
        if at >= ends[i, 2]:
            up[at] = place[(int(tree.parent[i]) % (nb + 1), k)]
        if i < nb and at >= ends[i, 1]:
            rows = slice(tree.joint[i, 3], tree.joint[i, 3:5].sum())
            factor[at] = G[rows, k].sum()
    number = np.cumsum(~alone) - 1
    return Shared(variable, own, np.ascontiguousarray(ends), number[which], up, factor)
