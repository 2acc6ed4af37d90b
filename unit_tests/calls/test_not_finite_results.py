"""A result that is not finite at finite arguments is always an error or a warning.

This holds for kernels and reference implementations.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from public_functions import arguments, functions_of_state, suits

from spatial_v2 import (
    ID,
    KKT_FD,
    FDab,
    Model,
    PointConstraint,
    SpatialError,
    autoTree,
    frame_velocity,
    mcI,
)
from spatial_v2.calls.prepare import kernel_tree, prepare
from spatial_v2.engine.kernel import KernelCall, Record
from spatial_v2.engine.python_call import PythonCall

CHAIN = autoTree(3).replace(jtype=["Rz", "S", "Rx"])
FUNCTIONS = {
    n: (f, names)
    for n, f, names in functions_of_state()
    if hasattr(f, "reference") and suits(f, CHAIN)
}


def loose_end() -> Model:
    """Make a branch that ends in a body without mass."""
    model = autoTree(4)
    model.I = {2: np.zeros((6, 6))}
    model.parent = {3: 1}
    return model


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", [(), (20,)])
def test_a_quaternion_of_zero_is_refused(name: str, shape: tuple[int, ...]) -> None:
    """Every call with a zero quaternion raises an error or a warning, or its result is finite."""
    model = CHAIN
    function, names = FUNCTIONS[name]
    given = arguments(model, names, np.random.default_rng(0), shape)
    given["q"][..., 1:5] = 0.0
    for _ in range(2):
        try:
            out = function(model, *given.values())
        except SpatialError as error:
            assert "the quaternion of joint 1 ('S', body 'body1')" in str(error)
            continue
        except RuntimeWarning as warning:
            assert "invalid value" in str(warning)
            continue
        for x in out if isinstance(out, tuple) else (out,):
            assert np.isfinite(x).all()


@pytest.mark.parametrize("form", ["kernel", "reference"])
def test_bodies_without_inertia_do_not_explain_nan_of_frames_and_constraints(form: str) -> None:
    """NaN in the arguments stays in the results, where such bodies are allowed."""
    model, q = loose_end(), np.full(4, 0.3)
    unknown = np.full(4, np.nan)
    velocity, dynamics = (f if form == "kernel" else f.reference for f in (frame_velocity, KKT_FD))
    assert np.isnan(velocity(model, q, unknown, 3)).all()
    held = [PointConstraint(2, [1.0, 0.0, 0.0], directions=[[0.0, 1.0, 0.0]])]
    assert np.isnan(dynamics(model, q, q, unknown, held)[0]).any()


@pytest.mark.parametrize("function", [ID, FDab], ids=["ID", "FDab"])
def test_numbers_that_are_not_finite_are_computed_once(function: Any) -> None:
    """The kernel's first results for one state with NaN are those of the call, with the extension
    and without; numbers that overflow are refused, and explained.
    """
    model = autoTree(3)
    unknown = (np.zeros(3), np.zeros(3), np.array([np.nan, 0.0, 0.0]))
    work = function.work
    plan: Any = prepare(work, model)
    plan.load()
    tree = kernel_tree(model)
    call = KernelCall(
        [("v", 3)] * 3, [model.NB] * (work.takes_force + work.takes_frame), [(("v",), (3,))]
    )
    for runs in (plan.single, PythonCall(work.load(), Record(tree), call, (), False)):
        for x, ours in (
            (unknown, function.reference(model, *unknown)),
            (np.full((3, 3), 1e300), None),
        ):
            found = runs.new(tuple(x))
            assert found is None if ours is None else np.array_equal(found, ours, equal_nan=True)


def test_large_results_are_not_refused() -> None:
    """A large result whose square overflows is no error."""
    model = Model(
        parent=[-1], jtype=["Px"], Xtree=[np.eye(6)], I=[mcI(1e200, [0, 0, 0], np.eye(3))]
    )
    assert ID(model, [0.0], [0.0], [1.0])[0] == 1e200
    assert ID(model, np.zeros(1), np.zeros(1), np.ones(1))[0] == 1e200
