"""Times of functions on one robot, of this library and of the C++ program in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from benchmarks.cpp.peer import CppPeer
from benchmarks.engine.functions import Function, takes
from benchmarks.results_file import Row
from benchmarks.timing import Round, least, round_of
from derivatives import SO_pattern
from spatial_v2 import Model

__all__ = ["confirm", "measure", "rounds"]

BATCH = 256
CACHE = 4 * 2**20
"""Bytes of tensors that one call may fill; larger batches are divided, so that these
stay in cache.
"""
PACK = 8


def parts(result: Any) -> list[np.ndarray]:
    """Return the arrays of a result: itself, all of a tuple, or the values of packed tensors."""
    if isinstance(result, np.ndarray):
        return [result]
    if isinstance(result, tuple | list):
        return [array for part in result for array in parts(part)]
    return parts(result.values)


def batch_of(function: Function, model: Model, states: dict[str, np.ndarray]) -> int:
    """Return the number of states of one call.

    It is 256, or for tensors as many as stay in cache, but at least one SIMD batch.
    """
    arrays = parts(function.of(model, states, slice(0, 1)))
    tensors = sum(array.nbytes for array in arrays if array.size > model.NV**2)
    most = min(BATCH, len(states["q"]))
    return min(most, max(PACK, CACHE // tensors)) if tensors else most


def rounds(function: Function, model: Model, states: dict[str, np.ndarray]) -> dict[str, Round]:
    """Return functions that time the forms of a call that this version of the library supports, by
    name.

    A form whose name begins with ``batch`` computes all states of `batch_of` in one call.
    """
    for option in function.options:
        if not takes(partial(function.of, model, states, 0), option):
            return {}
    batch = batch_of(function, model, states)
    many, one = (function.chosen(states, which) for which in (slice(0, batch), 0))
    call = partial(function.call, **function.options)
    found: dict[str, Round] = {}
    for form in function.forms:
        args = many if form.startswith("batch") else one
        if form.endswith("out="):
            ready = partial(call, model, *args, out=call(model, *args))
            if not takes(ready, "out"):
                continue
        elif form == "prepared" or form.endswith("zeros kept"):
            bind = getattr(function.call, "bind", None)
            if bind is None:
                continue
            ready = partial(bind(model), *args, **function.options)
            if form != "prepared":
                ready = partial(ready, out=zeros(model, args[0].shape[:-1]))
        else:
            ready = partial(call, model, *args)
        found[form] = round_of(ready)
    return found


def zeros(model: Model, lead: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Allocate arrays for second derivatives, whose structural zeros are not written again."""
    return tuple(pattern.zeros(lead) for pattern in SO_pattern(model))


def confirm(function: Function, model: Model, states: dict[str, np.ndarray], peer: CppPeer) -> None:
    """Check that both libraries compute the same, by the norms of all results at the
    first state.
    """
    ours = np.sqrt(sum((array**2).sum() for array in parts(function.of(model, states, 0))))
    theirs = peer.norm(function.peer)
    if not abs(ours - theirs) <= 1e-8 * ours:
        raise ArithmeticError(
            f"the norms of results differ: {function.name} {ours!r}, {function.peer} {theirs!r}"
        )


def measure(
    model: Model,
    states: dict[str, np.ndarray],
    functions: Iterable[Function],
    peer: CppPeer | None,
    python: Mapping[str, Callable[[], object]] | None = None,
    **effort: Any,
) -> Iterator[Row]:
    """Yield a row for each function: times [us] of each form of a call, and those of Pinocchio."""
    for function in functions:
        calls = rounds(function, model, states)
        row: Row = {"function": function.name, "peer": function.peer}
        if calls:
            row["states"] = batch_of(function, model, states)
        if peer and not function.own:
            if calls and function.exact:
                confirm(function, model, states, peer)
            calls["C++"] = peer.round(function.peer)
        if python and function.peer in python:
            calls["Pinocchio, Python"] = round_of(python[function.peer])
        times = least(calls, **effort)
        for form in times:
            times[form] /= row["states"] if form.startswith("batch") else 1
        yield row | times
