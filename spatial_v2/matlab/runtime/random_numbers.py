"""Random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import sizes_of, whole
from spatial_v2.matlab.runtime.value_types import (
    Text,
    empty,
)

__all__ = ["GENERATOR", "generator"]


GENERATOR: list[Any] = []
"""The generator of random numbers, once one is drawn."""


def generator() -> Any:
    """Return the generator of random numbers of the program."""
    if not GENERATOR:
        GENERATOR.append(np.random.default_rng(0))
    return GENERATOR[0]


@matlab()
def rand(*args: Any) -> Any:
    if args and isinstance(args[0], Text):
        return None
    return np.asarray(generator().random(sizes_of(args)[0]))


@matlab()
def randn(*args: Any) -> Any:
    if args and isinstance(args[0], Text):
        return None
    return np.asarray(generator().standard_normal(sizes_of(args)[0]))


@matlab()
def randi(limits: Any, *args: Any) -> Any:
    ends = [int(x) for x in limits.a.ravel()]
    low, high = (1, ends[0]) if len(ends) == 1 else ends
    return np.asarray(generator().integers(low, high + 1, sizes_of(args)[0])).astype(float)


@matlab()
def randperm(n: Any, k: Any = None) -> Any:
    found = generator().permutation(whole(n)) + 1.0
    return found[None, : whole(n) if k is None else whole(k)]


@matlab("rng")
def _rng(*_: Any) -> Any:
    return empty()
