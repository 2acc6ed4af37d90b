"""Packs of numbers of one state: those that lie side by side in a row of a matrix.

Tensors of one state can be computed as many numbers at a time as a pack has lanes, too. A matrix
whose rows are filled up to whole packs is read as one of packs; a row of packs that results from it
is as many rows of numbers.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.engine.extend import cgutils, intrinsic, make_array, overload, types
from spatial_v2.engine.lanes.arrays import wide
from spatial_v2.engine.lanes.pack import VECTOR, pack
from spatial_v2.engine.lanes.turn import tail_out, whole_out
from spatial_v2.engine.lanes.width import LANES
from spatial_v2.engine.tree import Floats

__all__ = ["lanes", "packs", "put_beside", "take", "turn_rows"]


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


def take(x: Floats, i: int, k: int) -> float:
    """The pack of numbers x[i, k], x[i, k + 1], ..., wherever they lie."""
    return float(x[i, k])


def _place(context: Any, builder: Any, kind: Any, x: Any, i: Any, k: Any) -> Any:
    array = make_array(kind)(context, builder, x)
    n = cgutils.unpack_tuple(builder, array.shape)[1]
    place = builder.gep(array.data, [builder.add(builder.mul(i, n), k)])
    return builder.bitcast(place, VECTOR.as_pointer())


@intrinsic
def _take_pack(typing: Any, x: Any, i: Any, k: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, x, *args), align=8)

    return pack(x, types.intp, types.intp), generate


@overload(take, jit_options={"forceinline": True})
def _take(x: Any, i: Any, k: Any) -> Any:
    def of_lanes(x: Any, i: Any, k: Any) -> Any:
        return _take_pack(x, i, k)

    def of_one(x: Any, i: Any, k: Any) -> Any:
        return x[i, k]

    return of_lanes if LANES > 1 else of_one


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
        for c in range(x.shape[1]):
            x[0, c] = X[0, c]

    return of_lanes if LANES > 1 else of_one


@intrinsic
def _put_pack(typing: Any, X: Any, x: Any, k: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        X, *where = args
        builder.store(X, _place(context, builder, x, *where), align=8)

    return types.void(pack, x, types.intp, types.intp), generate


@overload(put_beside, jit_options={"forceinline": True})
def _put_beside(X: Any, x: Any, k: Any, at: Any) -> Any:
    def of_lanes(X: Any, x: Any, k: Any, at: Any) -> None:
        _put_pack(X, x, k, at)

    def of_one(X: Any, x: Any, k: Any, at: Any) -> None:
        x[k, at] = X

    return of_lanes if X is pack and x.dtype is not pack else of_one
