"""Packs of numbers of one state: those that lie side by side in a row of a matrix.

Tensors of one state can be computed as many numbers at a time as a pack has lanes, too. A matrix
whose rows are filled up to whole packs is read as one of packs; a row of packs that results from it
is as many rows of numbers.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.engine.extend import intrinsic, make_array, overload, types
from spatial_v2.engine.lanes.arrays import wide
from spatial_v2.engine.lanes.pack import VECTOR, pack
from spatial_v2.engine.lanes.turn import tail_out, whole_out
from spatial_v2.engine.lanes.width import LANES
from spatial_v2.engine.tree import Floats

__all__ = ["lanes", "packs", "put_beside", "turn_rows"]


def packs(x: Floats) -> Floats:
    """The matrix x (n, m LANES), its rows aligned, as one (n, m) of packs; itself if it is one."""
    return x


def lanes() -> int:
    """Numbers in a pack."""
    return 1


def turn_rows(X: Floats, x: Floats) -> None:
    """x (LANES, m) are the lanes of packs X (1, m)."""
    x[0] = X[0]


def put_beside(X: float, x: Floats, k: int, at: int) -> None:
    """The numbers of a pack X to x[k, at:]; or the pack itself if x is one of packs."""
    x[k, at] = X


@overload(packs, jit_options={"forceinline": True})
def _packs(x: Any) -> Any:
    def of_lanes(x: Any) -> Any:
        return wide(x)

    def of_one(x: Any) -> Any:
        return x

    return of_lanes if LANES > 1 and x.dtype is not pack else of_one


@overload(lanes, jit_options={"forceinline": True})
def _lanes() -> Any:
    return lambda: LANES


@overload(turn_rows)
def _turn_rows(X: Any, x: Any) -> Any:
    def of_lanes(X: Any, x: Any) -> None:
        m = x.shape[1]
        for c in range(0, m - LANES + 1, LANES):
            whole_out(X, 0, c, LANES, x, 0, c)
        if m % LANES:
            tail_out(X, 0, m - m % LANES, m % LANES, x, 0, m - m % LANES)

    def of_one(X: Any, x: Any) -> None:
        x[0] = X[0]

    return of_lanes if LANES > 1 else of_one


@intrinsic
def _spread(typing: Any, X: Any, x: Any, at: Any) -> Any:
    """The numbers of a pack to x[at:]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.gep(make_array(x)(context, builder, args[1]).data, [args[2]])
        builder.store(args[0], builder.bitcast(place, VECTOR.as_pointer()), align=8)

    return types.void(pack, x, types.intp), generate


@overload(put_beside, jit_options={"forceinline": True})
def _put_beside(X: Any, x: Any, k: Any, at: Any) -> Any:
    def of_lanes(X: Any, x: Any, k: Any, at: Any) -> None:
        _spread(X, x[k], at)

    def of_one(X: Any, x: Any, k: Any, at: Any) -> None:
        x[k, at] = X

    return of_lanes if X is pack and x.dtype is not pack else of_one
