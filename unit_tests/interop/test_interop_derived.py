"""Derivatives as operators: their derivatives, and what tools are told about them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from helpers import near
from interop_samples import Case, dot

from spatial_v2 import SpatialError, configurationAddition
from spatial_v2.interop.operators import EVERY, OPERATORS, pull, push, second, times_hessian, value
from spatial_v2.interop.operators.problem import Problem

DERIVED = [name for name in EVERY if name not in OPERATORS]
MODELS = ["floating", "spherical", "SE3", "rotors", "planar_tree"]
CASES = [(name, model) for name in DERIVED for model in MODELS]
close = partial(near, tolerance=1e-10)


def sample(name: str, model: str, shape: tuple[int, ...] = (3,)) -> Case:
    """Return a case whose directions are zero along variables without derivatives."""
    case = Case(name, model, shape)
    for k in case.op.constant:
        case.u[k] = 0 * case.u[k]
    return case


@pytest.mark.parametrize(("name", "model"), CASES)
def test_push_is_the_complex_step_along_the_freedoms(name: str, model: str) -> None:
    case = sample(name, model)
    q, *rest = case.x
    dq, *others = (1e-20j * u for u in case.u)
    x = [configurationAddition(case.model, q, dq)]
    x += [a + b for a, b in zip(rest, others, strict=True)]
    moved = value(case.op, case.model, x, **case.options)
    for slope, step in zip(case(push, case.u), moved, strict=True):
        close(slope, step.imag / 1e-20)


@pytest.mark.parametrize(("name", "model"), CASES)
def test_pull_is_the_transpose_of_push(name: str, model: str) -> None:
    case = sample(name, model)
    close(dot(case(pull, case.w), case.u, 1), dot(case.w, case(push, case.u), 1))


@pytest.mark.parametrize("model", MODELS)
def test_second_derivatives_of_the_jacobian_of_a_frame(model: str) -> None:
    case = Case("FrameJacobian", model)
    weighted = dot(case.w, case(second, case.u, case.v), 1)
    close(dot(case(times_hessian, case.w, case.u), case.v, 1), weighted)


@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 1)])
@pytest.mark.parametrize("name", DERIVED)
def test_shapes_are_told_before_anything_is_computed(name: str, shape: tuple[int, ...]) -> None:
    case = sample(name, "spherical", shape)
    problem = Problem(case.op, case.model, case.options)
    groups: dict[str, list[Any]] = {"value": [], "push": case.u, "pull": case.w}
    for kind, group in groups.items():
        arrays = [*case.x, *group]
        told = problem.shapes(kind, [x.shape for x in arrays])
        assert told == [y.shape for y in problem.compute(kind, *arrays)]


def test_derivatives_that_do_not_exist_are_refused() -> None:
    """The messages name the function, its variables and the reference implementation."""
    case = Case("modFD_second_derivatives", "floating")
    problem = Problem(case.op, case.model, {})
    problem.refuse_constants([3])
    with pytest.raises(
        SpatialError, match="to lambda_ only, not q, tau; differentiate derivatives.m"
    ):
        problem.refuse_constants([0, 2, 3])
    assert problem.along("value") == "push"
    assert problem.along("push") is None
    assert "second derivatives are not computed" in str(problem.third())
    assert "derivatives.modFD_second_derivatives.reference" in str(problem.third())
