"""Every public function takes batches of any leading axes, strict arrays and dual numbers."""

import functools
from typing import Any

import array_kinds as kinds
import calls
import numpy as np
import pytest
import zoo
from calls import Call
from helpers import all_near, for_each, near, parts
from parameters import chosen

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
LEAD = (2, 4)
"""Leading axes that cannot be mistaken for rows of a matrix."""
MODELS = ["planar_tree", "mixed", "SE3", "floating_rotors"]
NO_BATCH = {
    "StructureConstants": "does not depend on the state",
    "gcontact": "its points are an axis",
    "entropicDivergence": "its Hessian depends on one argument alone",
}
NO_DUALS = {
    **dict.fromkeys(["entropicDivergence", "logdetBregmanDivergence"], "Dual has no logarithm"),
    **dict.fromkeys(["tens_norm", "crm"], "decides by plain numbers"),
    **dict.fromkeys(
        ["fbkin", "floating_base_joints", "planar_transform_parts", "plnr", "rotToEulerAngles",
         "rotToFixedAngles", *(f"{x}ToRpy" for x in ("angleAxis", "cayley", "mrp", "quat", "rot"))],
        "Dual has no arc tangent of two arguments",
    ),
}  # fmt: skip
"""Functions that a law leaves out, and the reasons."""


@functools.cache
def stacked(seeds: int = LEAD[0] * LEAD[1]) -> list[Call]:
    """Return calls of all functions without a model, with batches of arguments."""
    batches = []
    for same in zip(*map(calls.without_model, range(seeds)), strict=True):
        arrays = zip(*(call.arrays for call in same), strict=True)
        stacks = [np.stack(x).reshape(*LEAD, *x[0].shape) for x in arrays]
        batches.append(same[0]._replace(arrays=tuple(stacks)))
    return tried(batches)


def of_model(name: str) -> list[Call]:
    return tried(calls.of_model(zoo.build(name), 5, LEAD))


def tried(of: list[Call]) -> list[Call]:
    return [call for call in of if call.name.split()[0] not in calls.REAL_ALONE]


def results(call: Call, arrays: Any) -> list[Any]:
    """Return all arrays of a result, including those in lists."""
    found = parts(call.function(*arrays))
    return [y for x in found for y in (x if isinstance(x, list) else parts(x))]


def of_state(call: Call, index: Any) -> list[np.ndarray]:
    """Return the arguments for some states; those without leading axes are the same for all."""
    return [x[index] if x.shape[:2] == LEAD else x for x in call.arrays]


def a_batch_is_its_states(call: Call) -> None:
    """A batch of none has no results; one argument may serve all states."""
    if call.name.split()[0] in NO_BATCH:
        return
    whole = results(call, call.arrays)
    for k in np.ndindex(*LEAD):
        all_near([x[k] for x in whole], results(call, of_state(call, k)))
    for x, y in zip(results(call, of_state(call, np.s_[:0])), whole, strict=True):
        assert x.shape == (0, *y.shape[1:])
    for j, x in enumerate(call.arrays[1:] and call.arrays):
        mixed, same = list(call.arrays), list(call.arrays)
        if x.shape[:2] == LEAD:
            mixed[j], same[j] = x[0, 0], np.broadcast_to(x[0, 0], x.shape)
        all_near(results(call, mixed), results(call, same))


def strict_arrays_are_enough(call: Call) -> None:
    """Only operations of the array API standard are used, and its arrays returned."""
    if call.name in {*calls.WITH_CONSTRAINTS, "StructureConstants"}:
        return  # rows are chosen by lists of indices
    one = of_state(call, (0, 0))
    found = results(call, map(kinds.strict, one))
    all_near([kinds.from_strict(x) for x in found], results(call, one), 1e-11)


@for_each(stacked())
def test_a_batch_is_its_states(call: Call) -> None:
    a_batch_is_its_states(call)


@for_each(stacked())
def test_strict_arrays_are_enough(call: Call) -> None:
    """One of the arguments decides for the others."""
    strict_arrays_are_enough(call)
    one = of_state(call, (0, 0))
    for k in range(len(one) * (call.name.split()[0] not in calls.WITH_MODEL)):
        given = [kinds.strict(x) if j == k else x for j, x in enumerate(one)]
        all_near(map(kinds.from_strict, results(call, given)), results(call, one), 1e-11)


@pytest.mark.parametrize("name", chosen(MODELS, MODELS[:2].__contains__))
@pytest.mark.parametrize("law", [a_batch_is_its_states, strict_arrays_are_enough])
def test_functions_of_a_model_take_arrays_of_every_kind(name: str, law: Any) -> None:
    for_each(of_model(name))(law)()


@for_each(stacked())
def test_dual_numbers_are_complex_steps(call: Call) -> None:
    if call.name.split()[0] in NO_DUALS:
        return
    one, rng = of_state(call, (0, 0)), np.random.default_rng(1)
    rates = [rng.normal(size=x.shape) for x in one]
    stepped = results(call, [x + 1e-20j * dx for x, dx in zip(one, rates, strict=True)])
    found = results(call, map(kinds.dual, one, rates))
    for x, y, step in zip(found, results(call, one), stepped, strict=True):
        near(kinds.value(x), y, 1e-11)
        near(kinds.slope(x), np.imag(step) * 1e20, 1e-9)
