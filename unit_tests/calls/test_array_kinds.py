"""Every function of a model takes arrays of the strict array API; with dual numbers it has the
derivatives of complex steps.
"""

from __future__ import annotations

from typing import Any

import array_kinds as kinds
import calls
import numpy as np
import pytest
import zoo
from calls import Call
from helpers import near
from library_kinds import flat
from parameters import chosen

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
MODELS = ["chain", "mixed", "planar_tree", "floating_rotors"]


DUAL = {"ID", "FDab", "HandC", "forward_kinematics", "ID_derivatives", "ID_SO_derivatives"}
"""Functions that are called with dual numbers; `test_objects` calls all with numbers of others."""


def cases(names: Any) -> list[Any]:
    """Return calls of functions; a default run tries functions of every kind, each once."""
    made = [
        pytest.param(call, id=f"{name}-{call.name}")
        for name in MODELS
        for call in calls.of_model(zoo.build(name), shape=(2,))
        if call.name in names
    ]
    last = {x.values[0].name: x.values[0] for x in made}
    return chosen(made, lambda x: x.name in calls.CHOSEN and last[x.name] is x)


STANDARD = calls.public().keys() - calls.REAL_ALONE.keys() - calls.WITH_CONSTRAINTS
"""Functions of real and complex numbers; constraints are made of NumPy arrays."""


def arrays_of(call: Call, *arrays: Any) -> list[Any]:
    """Return the arrays of a result that depend on the arguments."""
    result = call.function(*arrays)
    return flat(result.first if call.name == "StructureConstants" else result)


@pytest.mark.parametrize("call", cases(STANDARD))
def test_reference_implementations_use_only_the_array_api(call: Call) -> None:
    found = arrays_of(call, *map(kinds.strict, call.arrays))
    for x, y in zip(found, arrays_of(call, *call.arrays), strict=True):
        near(kinds.from_strict(x), y, 1e-10)


@pytest.mark.parametrize("call", cases(DUAL))
def test_slopes_of_dual_numbers_are_complex_steps(call: Call) -> None:
    one = [x[0] if x.shape[:1] == (2,) else x for x in call.arrays]
    found = arrays_of(call, *(kinds.dual(x, np.sin(3 * x)) for x in one))
    steps = arrays_of(call, *(x + 1e-20j * np.sin(3 * x) for x in one))
    for x, y in zip(found, steps, strict=True):
        near(kinds.slope(x), np.imag(y) / 1e-20, 1e-9)
