"""Timed calls of this library: compiled kernels, and reference implementations in NumPy."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.engine.functions import FUNCTIONS
from benchmarks.timing import Round, round_of
from spatial_v2 import Model

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
    for function in FUNCTIONS.values():
        textbook = getattr(function.call, "reference", None)
        for who, call in (("here", function.call), ("reference implementation, NumPy", textbook)):
            if call is None or function.name not in NAMES:
                continue
            for form, which, count in (("one call", 0, 1), ("batch", slice(0, BATCH), BATCH)):
                ready = partial(call, model, *function.chosen(states, which))
                yield NAMES[function.name], f"{who}, {form}", count, round_of(ready)
