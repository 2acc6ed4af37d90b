"""Laws: the table of operators says what the derivatives are, in every form that is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose

from spatial_v2 import Model, PointConstraint, configurationAddition
from spatial_v2.interop.operators import (
    OPERATORS,
    Operator,
    hessian_times,
    pull,
    push,
    second,
    times_hessian,
    value,
)

MODELS = ["branched", "floating", "spherical", "SE3", "rotors", "planar_tree"]
CASES = [(op, model) for op in OPERATORS for model in MODELS]
SHAPES: list[tuple[int, ...]] = [(), (3,), (0,), (2, 1)]


class Case:
    """An operator on a model, with states and directions."""

    def __init__(self, name: str, model: str, shape: tuple[int, ...] = (3,)) -> None:
        self.op: Operator = OPERATORS[name]
        self.model: Model = zoo.build(model)
        self.options: dict[str, Any] = {}
        self.rows, n = 0, self.model.NV
        if "constraints" in self.op.function.__annotations__:
            d = 2 if self.model.is_planar else 3
            tip = PointConstraint(self.model.NB - 1, [0.2] * d, directions=np.eye(d)[:2])
            self.options, self.rows = {"constraints": [tip]}, 2
        rng = np.random.default_rng(list((name + model).encode()))
        q = zoo.states(self.model, rng, shape).q
        self.x = [q, *(rng.normal(size=(*shape, n)) for _ in self.op.variables[1:])]
        self.u, self.v = ([rng.normal(size=(*shape, n)) for _ in self.x] for _ in range(2))
        cores = [self.op.size(self.model, r, self.rows) for r in range(len(self.op.results))]
        self.w = [rng.normal(size=(*shape, *core)) for core in cores]

    def __call__(self, product: Any, *args: Any) -> Any:
        return product(self.op, self.model, self.x, *args, **self.options)


def dot(xs: Any, ys: Any, lead: int) -> Any:
    """Inner products of tuples of arrays, along leading axes."""
    pairs = zip(xs, ys, strict=True)
    return sum((x * y).reshape(*x.shape[:lead], -1).sum(-1) for x, y in pairs)


def close(a: Any, b: Any) -> None:
    assert_allclose(a, b, rtol=1e-10, atol=1e-10 * (1 + np.abs(b).max(initial=0)))


@pytest.mark.parametrize(("name", "model"), CASES)
def test_push_is_the_complex_step_along_the_freedoms(name: str, model: str) -> None:
    case = Case(name, model)
    q, *rest = case.x
    dq, *others = (1e-20j * u for u in case.u)
    x = [configurationAddition(case.model, q, dq), *(a + b for a, b in zip(rest, others))]
    moved = value(case.op, case.model, x, **case.options)
    for slope, step in zip(case(push, case.u), moved, strict=True):
        close(slope, step.imag / 1e-20)


@pytest.mark.parametrize(("name", "model"), CASES)
def test_pull_is_the_transpose_of_push(name: str, model: str) -> None:
    case = Case(name, model)
    close(dot(case(pull, case.w), case.u, 1), dot(case.w, case(push, case.u), 1))


@pytest.mark.parametrize(("name", "model"), CASES)
def test_hessians_of_weighted_sums_are_weighted_sums_of_second_derivatives(
    name: str, model: str
) -> None:
    """One side contracts with the weights first, the other last."""
    case = Case(name, model)
    weighted = dot(case.w, case(second, case.u, case.v), 1)
    close(dot(case.u, case(hessian_times, case.w, case.v), 1), weighted)
    close(dot(case(times_hessian, case.w, case.u), case.v, 1), weighted)


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
