"""The operators of the table have the right derivatives, in every product that tools ask for."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import pytest
from helpers import near, parts
from interop_samples import COUPLED, Case, dot
from numpy.testing import assert_allclose
from parameters import few

from spatial_v2 import SpatialError, configurationAddition
from spatial_v2.interop.operators import (
    EVERY,
    OPERATORS,
    hessian_times,
    pull,
    push,
    second,
    times_hessian,
    value,
)
from spatial_v2.interop.operators.algebra import ALGEBRA
from spatial_v2.interop.operators.functions import function
from spatial_v2.interop.operators.problem import Problem

TREES = ["floating", "spherical", "SE3", "rotors", "planar_tree"]
MODELS = [*TREES, "base", "geared_walker"]


def cases(operators: Iterable[str]) -> list[Any]:
    """Return operators with each of `MODELS`, and in long runs with all coupled ones."""
    names = [*MODELS, *(x for x in COUPLED if x not in MODELS)]
    return few(
        pytest.param(op, x, marks=[pytest.mark.wide] * (x not in MODELS))
        for op in operators
        for x in names
    )


CASES = cases(OPERATORS)
ALL_CASES = cases(EVERY)
DERIVED = [name for name in EVERY if name not in OPERATORS]
SHAPES: list[tuple[int, ...]] = [(), (3,), (0,), (2, 1)]


close = partial(near, tolerance=1e-10)


def sample(name: str, model: str, shape: tuple[int, ...] = (3,)) -> Case:
    """Return a case whose directions are zero along variables without derivatives."""
    case = Case(name, model, shape)
    for k in case.op.constant:
        case.u[k] = 0 * case.u[k]
    return case


@pytest.mark.parametrize(("name", "model"), ALL_CASES)
def test_push_is_the_complex_step_along_the_freedoms(name: str, model: str) -> None:
    case = sample(name, model)
    q, *rest = case.x
    dq, *others = (1e-20j * u for u in case.u)
    x = [
        configurationAddition(case.model, q, dq),
        *(a + b for a, b in zip(rest, others, strict=True)),
    ]
    moved = value(case.op, case.model, x, **case.options)
    for slope, step in zip(case(push, case.u), moved, strict=True):
        close(slope, step.imag / 1e-20)


@pytest.mark.parametrize("frame", ["base", "body"])
@pytest.mark.parametrize("name", ["ID", "FDab", "HandC", "KKT_FD"])
def test_products_take_account_of_forces_and_of_what_acts_in_joints(name: str, frame: str) -> None:
    """Products are right with external forces constant in either frame, and with armature, damping
    and dry friction.
    """
    case, rng = Case(name, "floating", (2,)), np.random.default_rng(0)
    armature, damping, friction = 0.1 + rng.random((3, case.model.NV))
    case.model = case.model.replace(armature=armature, damping=damping, friction=friction)
    case.options |= {"f_ext": rng.normal(size=(2, case.model.NB, 6)), "frame": frame}

    def moved(step: complex) -> list[Any]:
        q, *rest = case.x
        dq, *others = (step * u for u in case.v)
        added = [a + b for a, b in zip(rest, others, strict=True)]
        return [configurationAddition(case.model, q, dq), *added]

    along = value(case.op, case.model, moved(1e-20j), **case.options)
    for slope, step in zip(case(push, case.v), along, strict=True):
        close(slope, step.imag / 1e-20)
    close(dot(case(pull, case.w), case.v, 1), dot(case.w, case(push, case.v), 1))
    ends = [push(case.op, case.model, moved(h), case.u, **case.options) for h in (1e-5, -1e-5)]
    for bend, a, b in zip(case(second, case.u, case.v), *ends, strict=True):
        assert_allclose(bend, (a - b) / 2e-5, rtol=0, atol=1e-6 * (1 + np.abs(bend).max()))


@pytest.mark.parametrize(("name", "model"), ALL_CASES)
def test_pull_is_the_transpose_of_push(name: str, model: str) -> None:
    case = sample(name, model)
    close(dot(case(pull, case.w), case.u, 1), dot(case.w, case(push, case.u), 1))


@pytest.mark.parametrize(("name", "model"), CASES)
def test_hessians_of_weighted_sums_are_weighted_sums_of_second_derivatives(
    name: str, model: str
) -> None:
    """Products with the Hessian of the weighted sum w . f equal the weighted second derivatives."""
    case = Case(name, model)
    weighted = dot(case.w, case(second, case.u, case.v), 1)
    close(dot(case.u, case(hessian_times, case.w, case.v), 1), weighted)
    close(dot(case(times_hessian, case.w, case.u), case.v, 1), weighted)


@pytest.mark.parametrize(("name", "model"), CASES)
def test_products_with_hessians_are_complex_steps_of_gradients(name: str, model: str) -> None:
    case = Case(name, model, ())
    q, *rest = case.x
    dq, *others = (1e-20j * u for u in case.u)
    moved = configurationAddition(case.model, q, dq)
    x = [moved, *(a + b for a, b in zip(rest, others, strict=True))]
    gradient = case.op.gradient(case.model, x, case.w, **case.options)
    for row, step in zip(case(hessian_times, case.w, case.u), gradient, strict=True):
        close(row, step.imag / 1e-20)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", OPERATORS)
def test_products_have_leading_axes(name: str, shape: tuple[int, ...]) -> None:
    case = Case(name, "spherical", shape)
    n = case.model.NV
    cores = [case.op.size(case.model, r, case.rows) for r in range(len(case.w))]
    for out in (case(push, case.u), case(second, case.u, case.v), case(value)):
        assert [y.shape for y in out] == [(*shape, *core) for core in cores]
    for out in (case(pull, case.w), case(hessian_times, case.w, case.u)):
        assert [y.shape for y in out] == [(*shape, n)] * len(case.x)


@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
@pytest.mark.parametrize("forces", [None, (), (3,), (2, 1)])
@pytest.mark.parametrize("name", ["ID", "FDab", "HandC", "KKT_FD"])
def test_functions_for_tools_broadcast_as_ours(
    name: str, forces: tuple[int, ...] | None, lead: tuple[int, ...]
) -> None:
    """The leading axes of the results are those of the state and of the external forces, broadcast
    together.
    """
    case, rng = Case(name, "floating", lead), np.random.default_rng(0)
    f = None if forces is None else rng.normal(size=(*forces, case.model.NB, 6))
    made = function(
        name,
        "NumPy",
        "array",
        lambda _, x: np.asarray(x, dtype=np.float64),
        lambda problem, kind, arrays: problem.compute(kind, *arrays),
    )
    for alone in (None, *range(len(case.x))):
        x = [y[(0,) * len(lead)] if k == alone else y for k, y in enumerate(case.x)]
        wanted = parts(case.op.function(case.model, *x, f_ext=f, **case.options))
        found = parts(made(case.model, *x, f_ext=f, **case.options))
        for a, b in zip(found, wanted, strict=True):
            assert a.shape == b.shape
            close(a, b)


@pytest.mark.parametrize("kind", ALGEBRA)
@pytest.mark.parametrize("name", OPERATORS)
def test_shapes_are_told_before_anything_is_computed(name: str, kind: str) -> None:
    """The predicted shapes are those of the product's results, also if all states share one of its
    arguments.
    """
    case = Case(name, "spherical", (3,))
    problem = Problem(case.op, case.model, case.options)
    behind = {"u": iter([case.u, case.v]), "w": iter([case.w])}
    arrays = [*case.x, *(x for group in ALGEBRA[kind].groups for x in next(behind[group]))]
    wanted = [y.shape for y in problem.compute(kind, *arrays)]
    shapes = [x.shape for x in arrays]
    assert problem.shapes(kind, shapes) == wanted
    assert problem.shapes(kind, [(1, *shapes[0][1:]), *shapes[1:]]) == wanted or len(shapes) == 1


@pytest.mark.parametrize("name", ["ID", "FDab"])
def test_states_with_too_few_or_too_many_arrays_are_refused(name: str) -> None:
    """A state with too few or too many arrays is an error, with any leading axes."""
    for shape in ((), (3,)):
        case = Case(name, "chain", shape)
        problem = Problem(case.op, case.model, case.options)
        for x in (case.x[:-1], [*case.x, case.x[-1]]):
            with pytest.raises(TypeError, match=f"{name}: want the arrays .*, got {len(x)} of"):
                problem.state(x)


@pytest.mark.parametrize("model", MODELS)
def test_second_derivatives_of_the_jacobian_of_a_frame(model: str) -> None:
    case = Case("FrameJacobian", model)
    weighted = dot(case.w, case(second, case.u, case.v), 1)
    close(dot(case(times_hessian, case.w, case.u), case.v, 1), weighted)


@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 1)])
@pytest.mark.parametrize("name", DERIVED)
def test_shapes_of_derivatives_are_told_first(name: str, shape: tuple[int, ...]) -> None:
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
