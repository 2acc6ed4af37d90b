"""The arrays of constraints and packed tensors that second derivatives under constraints take."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.constrained import Constrained
from spatial_v2.engine.tensors.sums import Paired
from spatial_v2.engine.tree import Ints

__all__ = ["SecondOrder"]


class SecondOrder(NamedTuple):
    """Constraints of a tree, and the packed tensors of its inverse dynamics.

    Attributes
    ----------
    first : Constrained
        The argument of `KKT_FO_derivatives`.
    pairs : Paired
        Entries of the packed tensors.
    many : (4,) int64
        Numbers of their values.
    """

    first: Constrained
    pairs: Paired
    many: Ints
