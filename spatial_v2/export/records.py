"""Numba types of the first arguments of kernels, for kernels that are compiled ahead."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

__all__ = ["arrays_of", "record_type"]


def arrays_of(axes: Sequence[int], kind: str = "float64") -> list[Any]:
    """Return the Numba types of contiguous arrays.

    Parameters
    ----------
    axes : sequence of int
        Numbers of axes.
    kind : str
        Their numbers.

    Returns
    -------
    list of numba type
    """
    from spatial_v2.engine.compile.extend import types

    return [types.Array(getattr(types, kind), n, "C") for n in axes]


@functools.cache
def record_type(name: str) -> Any:
    """Return the Numba type of a kernel's first argument.

    Parameters
    ----------
    name : str
        ``tree``, ``view`` of a frame, ``coupled`` for joints that follow others, ``sums`` and
        ``pairs`` for second derivatives of forward dynamics, and with constraints ``rows``,
        ``equations``, ``whole`` for both, ``second``, and
        ``loop``, ``branch`` and ``followers`` of a
        closed one, ``linkage`` and ``branches`` of all closed ones.

    Returns
    -------
    numba type
        That of a named tuple of `engine`.
    """
    from spatial_v2.engine.compile.extend import types
    from spatial_v2.engine.compile.memory import TREE
    from spatial_v2.engine.constrained import Constrained, ConstraintArrays, Equations
    from spatial_v2.engine.loop import (
        BranchArrays,
        Branches,
        Followers,
        Gears,
        Linkage,
        LoopArrays,
        Products,
    )
    from spatial_v2.engine.shared import Shared
    from spatial_v2.engine.spread import Coupled, Matrix
    from spatial_v2.engine.tensors.sums import Paired, SecondOrder, Sums, TreeAndSums
    from spatial_v2.engine.tree import View

    def tuple_of(kind: Any, *items: Any) -> Any:
        if len(items) != len(kind._fields):
            raise TypeError(f"{kind.__name__}: want {len(kind._fields)} types, got {len(items)}")
        return types.NamedTuple(list(items), kind)

    def whole(*axes: int) -> list[Any]:
        return arrays_of(axes, "int64")

    real = types.float64
    match name:
        case "tree":
            return TREE
        case "view":
            return tuple_of(View, TREE, types.int64, types.boolean)
        case "coupled":
            matrix = tuple_of(Matrix, *whole(1, 1, 1), *arrays_of([1, 1]))
            shared = tuple_of(Shared, *whole(1, 1, 2, 1, 1), *arrays_of([1]))
            return tuple_of(Coupled, TREE, matrix, matrix, *whole(1), *arrays_of([1]), shared)
        case "sums":
            signless = arrays_of([1, 2], "uint64"), arrays_of([2], "uint64")
            sums = tuple_of(Sums, *signless[0], *whole(1, 1, 2), *signless[1])
            return tuple_of(TreeAndSums, TREE, sums, *whole(1), types.boolean)
        case "pairs":
            return tuple_of(Paired, *whole(1, 1, 2, 1))
        case "rows":
            return tuple_of(ConstraintArrays, TREE, *whole(2), *arrays_of([4, 3, 2, 1, 1]), real)
        case "equations":
            return tuple_of(Equations, *whole(1), *arrays_of([1]), real)
        case "whole":
            return tuple_of(Constrained, record_type("rows"), record_type("equations"))
        case "loop":
            scales = arrays_of([1, 1])
            return tuple_of(LoopArrays, record_type("rows"), *whole(1, 1, 1), *scales)
        case "branch":
            places = *whole(2, 1), *arrays_of([1]), real
            return tuple_of(BranchArrays, record_type("loop"), *places)
        case "followers":
            return tuple_of(Followers, *whole(1, 1, 1))
        case "linkage":
            places = *whole(1, 1, 2, 1, 1, 1), *arrays_of([1, 1])
            factors, gears = arrays_of([1]), [*whole(1, 1), *arrays_of([1])]
            products = tuple_of(Products, *factors, *whole(1, 1), *factors)
            parts = record_type("followers"), products, tuple_of(Gears, *gears, *gears)
            return tuple_of(Linkage, TREE, record_type("rows"), *places, *parts, *whole(1))
        case "branches":
            numbers = arrays_of([1, 2])
            return tuple_of(Branches, record_type("linkage"), *whole(1), *numbers)
        case "second":
            return tuple_of(SecondOrder, record_type("whole"), record_type("pairs"), *whole(1))
    raise ValueError(f"record: got {name!r}")
