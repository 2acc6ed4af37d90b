"""The velocity variables on the paths from the base to both bodies of a constraint."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import part, within
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.parts.path import path_variables
from spatial_v2.engine.tree import Ints

__all__ = ["Paths", "find_paths", "new_paths"]


class Paths(NamedTuple):
    """The variables between the bodies of a constraint and the base; see `path_variables`.

    Attributes
    ----------
    var, first, last : (2, nv) int64
        Results of `path_variables` for each end of the constraint.
    place : (2, nv) int64
        Index of each variable on the path to each end, or -1.
    counts : (2,) int64
        Number of variables on the path to each end.
    """

    var: Ints
    first: Ints
    last: Ints
    place: Ints
    counts: Ints


@within
def new_paths(nv: int) -> Paths:
    """Allocate the result of `find_paths`."""
    return Paths(
        np.empty((2, nv), dtype=np.int64), np.empty((2, nv), dtype=np.int64),
        np.empty((2, nv), dtype=np.int64), np.empty((2, nv), dtype=np.int64),
        np.empty(2, dtype=np.int64),
    )  # fmt: skip


@part
def find_paths(constraints: ConstraintArrays, c: int, paths: Paths) -> None:
    """Compute the paths to both ends of constraint c."""
    var, first, last, place, count = paths
    for e in range(2):
        i = constraints.ends[c, e]
        place[e, :] = -1
        count[e] = path_variables(constraints.tree, i, var[e], first[e], last[e])
        for k in range(count[e]):
            place[e, var[e, k]] = k
