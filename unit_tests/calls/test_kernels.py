"""Kernels have the results of the reference implementations: every function with each of its
options, for every kind of model.
"""

from itertools import cycle
from typing import Any

import calls
import numpy as np
import pytest
import zoo
from helpers import near
from joint_term_samples import with_terms
from parameters import few
from public_functions import STATE, Function, arguments, functions, results_of, rounding, suits

from spatial_v2 import HandC, Model

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
TERMS = " with joint terms"
NAMES = [*zoo.NAMES, *(x + TERMS for x in ("floating", "floating_rotors", "planar_tree"))]
FUNCTIONS = [f for f in functions() if f.has_page]
AT_REGULAR_STATES = {"manipulability", "manipulability_derivatives"}
"""Functions that are not smooth where an arm is stretched out."""


def build(name: str) -> Model:
    model = zoo.build(name.removesuffix(TERMS))
    return with_terms(model) if name.endswith(TERMS) else model


MODELS = {name: build(name) for name in NAMES}


def supports(function: Any, model: Model) -> bool:
    return suits(function, model) and (function.work.joint_terms or not model.has_joint_terms)


def cases() -> list[Any]:
    """Return functions with the models that they support; a default run tries functions of every
    kind with all chosen models, and the others with one.
    """
    everyday = [name for name in NAMES if name.removesuffix(TERMS) in zoo.CHOSEN]
    turns, made = cycle(everyday), []
    for f in FUNCTIONS:
        names = [name for name in NAMES if supports(f.function, MODELS[name])]
        if f.name in calls.CHOSEN and not f.options:
            now = everyday
        else:
            now = [next(x for x in turns if x in names)]
        for name in names:
            marks = () if name in now else pytest.mark.wide
            made.append(pytest.param(f, name, id=f"{f}-{name}", marks=marks))
    return few(made)


def tolerance(function: Function, model: Model, given: dict[str, Any]) -> float:
    """Return the effect of rounding H on its inverse, or, under constraints, that of the last bits
    of the arguments.
    """
    if "constraints" in function.parameters:
        return rounding(lambda x: function(model, x, reference=True), given)
    H = HandC.reference(model, given.get("q", given["q0"]), np.zeros(model.NV)).H
    return float(max(1e-12, 4 * np.finfo(float).eps * np.linalg.cond(H).max()))


@pytest.mark.parametrize(("function", "name"), cases())
def test_kernels_are_the_reference_implementation(function: Function, name: str) -> None:
    """For batches with external forces, single states without, and where formulas for rotations are
    singular.
    """
    model, rng = MODELS[name], np.random.default_rng(5)
    batch = arguments(model, [*STATE, "f_ext"], rng, (2, 3))
    single = arguments(model, STATE, rng)
    tried = [batch, single]
    if "constraints" not in function.parameters and function.name not in AT_REGULAR_STATES:
        q = zoo.near_singular(model)
        tried.append(arguments(model, STATE, rng, q.shape[:1]) | {"q": q})
    for given in tried:
        tol = tolerance(function, model, given)
        wanted = results_of(function(model, given, reference=True))
        for x, y in zip(results_of(function(model, given)), wanted, strict=True):
            near(x, y, tol)
