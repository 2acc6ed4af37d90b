"""Trees whose joints follow fewer variables: the matrices that the extension in C multiplies by.

The variables of the tree are ``G y + shift``, where most rows of G are rows of an identity. Rotors
follow the joints that drive them, and coupled joints their independent variables. Arguments are
multiplied by G, and each axis of a result that belongs to velocities; see `extension/spread.c`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.shared import Shared
from spatial_v2.engine.tree import Floats, Ints, Tree


class Matrix(NamedTuple):
    """A sparse matrix G from given variables to those of the tree."""

    own: Ints  # for each variable a row in which it alone is 1; -1 if there is none
    row: Ints  # the other entries
    column: Ints
    factor: Floats
    shift: Floats  # values of the tree's variables where the given ones are zero

    def in_order(self) -> Matrix:
        """Return the same matrix, its first entry of each row that no variable owns first."""
        first = np.unique(self.row, return_index=True)[1]
        order = np.append(first, np.setdiff1d(np.arange(len(self.row)), first))
        entries = self.row[order], self.column[order], self.factor[order]
        return self._replace(row=entries[0], column=entries[1], factor=entries[2])

    @property
    def begun(self) -> int:
        """Number of rows that begin with an entry: the first ones of `in_order`."""
        return len(np.unique(self.row))

    def places(self) -> list[Ints]:
        """Return the integers of `struct spread` but the shift.

        A variable without a row of its own gets a home among the rows that no variable owns.
        """
        rows, alone = len(self.shift), self.own < 0
        free = np.setdiff1d(np.arange(rows), self.own)
        apart = np.where(alone, np.cumsum(alone) - 1, -1)
        home = np.where(alone, np.append(free, 0)[apart], self.own)
        source, scale, k = np.zeros(rows, np.int64), np.zeros(rows), self.begun
        source[self.own[~alone]], scale[self.own[~alone]] = np.flatnonzero(~alone), 1.0
        source[self.row[:k]], scale[self.row[:k]] = self.column[:k], self.factor[:k]
        entries = [self.row, self.column, self.factor.view(np.int64)]
        return [home, apart, source, scale.view(np.int64), *entries]


class Sums(NamedTuple):
    """The values of a packed tensor as sums of those of the tree's tensor: value k is the sum of
    ``factor[j] * values[place[j]]`` for j from begin[k] to begin[k + 1].
    """

    begin: Ints
    place: Ints
    factor: Floats
    values: int  # number of values of the tree's tensor,
    row: int  # and of a row of them in a batch

    @property
    def more(self) -> int:
        """Number of terms that are not the first one of a value."""
        return len(self.place) - len(self.begin) + 1

    def entries(self) -> list[Ints]:
        """Return the integers of `struct spread`: first terms, then others, by their values."""
        first, every = self.begin[:-1], np.arange(len(self.place))
        row, others = np.repeat(np.arange(len(first)), np.diff(self.begin)), np.delete(every, first)
        parts = [self.place[first], self.factor[first].view(np.int64), row[others]]
        return [*parts, self.place[others], self.factor[others].view(np.int64)]


class Coupled(NamedTuple):
    """A tree and the variables y that its joints follow, for kernels that solve for y.

    Attributes
    ----------
    tree : Tree
    q, v : Matrix
        From positions and velocities of y to those of the tree.
    above : (n,)
        For each variable the one before it on its path, or -1: where ``H_y = L^T D L``, row i of L
        is zero outside the path to i.
    least : (n,)
        For each variable a share of the inertia that it carries at the neutral configuration: a
        pivot of that size is a rounding error.
    shared : Shared
        Variables that several joints share.
    """

    tree: Tree
    q: Matrix
    v: Matrix
    above: Ints
    least: Floats
    shared: Shared


class Spread(NamedTuple):
    """The arrays of a kernel for one tree, in terms of the variables of a call."""

    q: Matrix  # from given positions to those of the tree
    v: Matrix  # and velocities
    bodies: int = 0  # number of rotors among the bodies of the tree, which are the last ones
    sums: tuple[Sums, ...] = ()  # for each result, if results are the values of tensors

    def words(self) -> list[Ints]:
        """Return the integers that follow places of quaternions in a call's description."""
        sums = [y for x in self.sums for y in x.entries()]
        shift = [self.q.shift.view(np.int64)] if self.q.shift.any() else []
        return [*self.q.places(), *shift, *self.v.places(), *sums]

    def counts(self) -> list[int]:
        """Return the numbers of variables, rows and entries of both matrices, of entries with which
        rows begin, and 1 if there is a shift.
        """
        q, v = self.q, self.v
        sizes = [(len(x.own), len(x.shift), len(x.row), x.begun) for x in (q, v)]
        return [*(n for pair in zip(*sizes, strict=True) for n in pair), int(q.shift.any())]

    def length(self, dim: str, n: int) -> int:
        """Return the length on the tree of an axis that has length n for a call."""
        lengths = {"q": len(self.q.shift), "v": len(self.v.shift), "b": n + self.bodies}
        return lengths.get(dim, n)
