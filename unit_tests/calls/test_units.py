"""Units of length, mass and time do not affect results, other than by the factors that follow from
their dimensions.

Every public function of a state is called for a robot and for the same robot in other units, whose
numbers may also be read as a larger or a heavier robot. `dimensions` has the dimension of each
argument and result. Powers of two as units cause no rounding; then results agree to the last
digits.
"""

from dataclasses import replace
from typing import Any

import dimensions
import numpy as np
import pytest
import zoo
from helpers import near
from joint_term_samples import with_terms
from numpy.testing import assert_allclose, assert_array_equal
from public_functions import STATE, Function, arguments, functions, suits
from units import Units, rescaled

from derivatives import CoriolisMatrix, KKT_FO_derivatives
from spatial_v2 import KKT_FD, FrameConstraint, Model, PointConstraint, RankWarning, SpatialError
from spatial_v2.models import autoTree

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

SYSTEMS = {
    "powers of two": (Units(2.0**10, 2.0**-16, 2.0**4), 1e-12),
    "mm, g, ms": (Units(1e3, 1e3, 1e3), 1e-10),
    "small and light": (Units(1e-3, 1e-3), 1e-10),
    "large and heavy": (Units(1e3, 1e3), 1e-10),
}
"""Systems of units, with the tolerance of results."""
MODELS = ["mixed", "planar_tree", "floating_rotors", "prismatic", "joint terms"]
CALLS = [f for f in functions() if f.name not in dimensions.EXEMPT]


def build(name: str) -> Model:
    """Make a model of the zoo, or one with joint terms."""
    return with_terms(zoo.build("floating")) if name == "joint terms" else zoo.build(name)


def refuses_terms(call: Function) -> bool:
    """Return True if the function does not support joint terms."""
    function: Any = call.function
    return hasattr(function, "work") and not function.work.joint_terms


def given(model: Model, call: Function) -> dict[str, Any]:
    """Return arguments of a function."""
    every = arguments(model, [*STATE, "f_ext"], np.random.default_rng(5))
    if "C" in call.parameters:
        every["C"] = CoriolisMatrix(model, every["q"], every["qd"]).C
    return {name: every[name] for x in call.parameters if (name := x.strip("*")) in every}


def constraints_in(units: Units, model: Model, constraints: Any) -> list[FrameConstraint]:
    """Return frame constraints in other units; their rows keep their numbers."""
    return [replace(x, rows=units.scaled(model, x.rows, "w .")) for x in constraints]


def option_in(units: Units, name: str, value: Any) -> Any:
    """Return the value of an option in other units."""
    dimension = dimensions.OPTIONS.get(name)
    if isinstance(dimension, tuple):
        return tuple(x * units.factor(d) for x, d in zip(value, dimension, strict=True))
    return value * units.factor(dimension) if dimension else value


def in_units(units: Units, model: Model, call: Function) -> tuple[Function, dict[str, Any]]:
    """Return a function with its options, and its arguments, in other units."""
    changed = {}
    for name, x in given(model, call).items():
        dimension = dimensions.of_argument(call, name)
        if name == "constraints":
            changed[name] = constraints_in(units, model, x)
        else:
            changed[name] = x if dimension == "=" else units.scaled(model, x, dimension)
    options = {name: option_in(units, name, x) for name, x in call.options.items()}
    return call._replace(options=options), changed


def parts(results: list[Any]) -> list[np.ndarray]:
    """Return all results, including those of ``return_info``; lists are joined."""
    every = [x for result in results for x in (result if isinstance(result, tuple) else [result])]
    return [np.concatenate(x) if isinstance(x, list) else np.asarray(x) for x in every]


def assert_same_in(
    units: Units, model: Model, found: Any, wanted: Any, dimension: str, tolerance: float
) -> None:
    """Check that results in these units are those in the first ones."""
    if dimension == "=":
        assert_array_equal(found, wanted)
    elif dimension == "rounding":
        near(found, wanted, 1e-9)
    else:
        back = Units(*1 / np.array(units)).scaled(model, found, dimension)
        near(back, wanted, tolerance)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_results_are_the_same_in_other_units(call: Function, name: str) -> None:
    """Results of kernel and reference implementation, scaled by what their dimensions say; truth
    values and numbers of iterations are identical.
    """
    model = build(name)
    if not suits(call.function, model) or (model.has_joint_terms and refuses_terms(call)):
        with pytest.raises(SpatialError):
            call(model, given(model, call))
        return
    for reference in {False, call.has_page}:
        wanted = parts(call(model, given(model, call), reference=reference))
        for units, tolerance in SYSTEMS.values():
            other, changed = in_units(units, model, call)
            found = parts(other(units.model(model), changed, reference=reference))
            laws = dimensions.of_results(call)
            for law, x, y in zip(laws, found, wanted, strict=True):
                assert_same_in(units, model, x, y, law, tolerance)


def test_exempt_functions_depend_on_units() -> None:
    """A function is exempt for a reason that can be seen."""
    model, units = zoo.build("mixed"), SYSTEMS["mm, g, ms"][0]
    for call in functions():
        if call.name in dimensions.EXEMPT and not call.options:
            wanted = call(model, given(model, call))
            other, changed = in_units(units, model, call)
            found = other(units.model(model), changed)
            with pytest.raises(AssertionError):
                for x, y, law in zip(found, wanted, dimensions.of_results(call), strict=True):
                    assert_same_in(units, model, x, y, law, 1e-6)


@pytest.mark.parametrize("L", [2.0**-18, 2.0**14])
@pytest.mark.parametrize("rank", ["minimum_norm", "proximal"])
def test_a_change_of_rank_is_seen_in_other_units(rank: Any, L: float) -> None:
    """Results and their NaN, at a stretched arm with two constraint rows at its tip, do not depend
    on units.
    """
    model = autoTree(3)
    q = np.array([[0.1, 0.2, 0.3], [0.0, 0.0, 0.0], [-0.3, 0.5, 0.2]])
    given, results = (model, np.full((3, 3), 0.2), np.ones(3)), []
    for unit in (1.0, L):
        tip = [PointConstraint(2, [unit, 0, 0], directions=[[1, 0, 0], [0, 1, 0]])]
        state = rescaled(given[0], unit, unit**-2.0), q, *given[1:], tip
        with pytest.warns(RankWarning, match="rank of the constraints changes"):
            derivatives = KKT_FO_derivatives(*state, rank=rank)
        results.append([KKT_FD(*state, rank=rank).qdd, *derivatives[:2]])
    assert np.isnan(results[0][1]).any(axis=(1, 2)).tolist() == [False, True, False]
    for x, y in zip(*results, strict=True):
        assert_allclose(y, x, rtol=1e-9, atol=1e-9)
