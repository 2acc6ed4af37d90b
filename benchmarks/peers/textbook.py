"""Timed calls of this library: compiled kernels, and reference implementations in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.engine.functions import FUNCTIONS
from benchmarks.timing import Round, round_of
from spatial_v2 import Model, get_compilation, set_compilation

__all__ = ["rounds"]

BATCH = 64
NAMES = {
    "ID": "ID", "FDab": "FDab", "HandC": "HandC", "Hinverse": "Hinverse",
    "ID_derivatives": "ID_derivatives", "FD_derivatives": "FD_derivatives",
    "CoriolisMatrix": "CoriolisMatrix", "ID_SO dense, fresh": "ID_SO", "FD_SO dense": "FD_SO",
}  # fmt: skip
"""Rows of `FUNCTIONS`, by the name that all libraries share in this table."""


def rounds(
    name: str, model: Model, states: dict[str, np.ndarray]
) -> Iterator[tuple[str, str, int, Round]]:
    """Yield function, form, number of states, and timed call: for one state, and for a batch."""
    fresh = model.replace()
    for function in (FUNCTIONS[name] for name in NAMES):
        for form, which, count in (("one call", 0, 1), ("batch", slice(0, BATCH), BATCH)):
            arrays = function.chosen(states, which)
            ours = round_of(partial(function.call, model, *arrays))
            yield NAMES[function.name], f"here, {form}", count, ours
            plain = without_kernels(partial(function.call, fresh, *arrays))
            yield NAMES[function.name], f"reference implementation, NumPy, {form}", count, plain


def without_kernels(call: Callable[[], object]) -> Round:
    """Return a function that times a call in which no function uses its kernel, at any depth.

    The model of the call must not be used elsewhere, since calls with kernels leave plans in it.
    """

    def seconds(count: int) -> float:
        mode = get_compilation()
        set_compilation("never")
        try:
            return round_of(call)(count)
        finally:
            set_compilation(mode)

    return seconds
