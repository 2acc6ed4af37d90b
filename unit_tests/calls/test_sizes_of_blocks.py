"""Functions under constraints say that a state needs no fewer floats than they return."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from helpers import parts
from public_functions import arguments, functions_of_state

from spatial_v2 import Model, PointConstraint, autoTree, floatbase
from spatial_v2.constraints.compiled import evaluate

FOUND: dict[str, tuple[Any, list[str], Callable[[int, int], int]]] = {
    name: (f, required, composed.args[0].size)
    for name, f, required in functions_of_state()
    if isinstance(composed := getattr(getattr(f, "work", None), "composed", None), partial)
    and composed.func is evaluate
}


def held(count: int, model: Model) -> list[PointConstraint]:
    ends = [model.NB - 1, model.NB - 2, 5][:count]
    return [PointConstraint(b, [0.1, 0.2 * b, -0.3], point1=[0.0, 0.0, 0.0]) for b in ends]


def test_the_functions_are_found() -> None:
    assert len(FOUND) >= 8


@pytest.mark.parametrize(("count", "bodies"), [(1, 7), (2, 7), (3, 7), (2, 2)])
@pytest.mark.parametrize("name", FOUND)
def test_a_state_needs_at_least_what_it_returns(name: str, count: int, bodies: int) -> None:
    """The number is at least that of the results, and at most a few hundred times as much."""
    function, required, size = FOUND[name]
    model = floatbase(autoTree(bodies, 2))
    given = arguments(model, required, np.random.default_rng(3), ())
    sets = held(count, model)
    given["constraints"] = sets
    given |= {x: np.ones(3 * count) for x in ("forces", "nu") if x in given}
    results = sum(np.size(x) for x in parts(function(model, **given)))
    said = size(model.NV, 3 * count)
    assert results <= said <= 300 * results
