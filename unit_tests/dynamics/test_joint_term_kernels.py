"""Functions of models with armature, damping, friction and springs use kernels, which agree with
reference implementations.
"""

from typing import Any

import numpy as np
import public_functions
import pytest
import zoo
from helpers import parts
from joint_term_samples import bare, state, with_terms
from test_joint_terms import HONOURED

import derivatives as d
import spatial_v2 as sv
from spatial_v2.accelerated import has_compiler
from spatial_v2.calls.work import Work
from spatial_v2.interop.operators import OPERATORS

FUNCTIONS = {
    f.__name__: f
    for _, f, _ in public_functions.functions_of_state()
    if f.__name__ in HONOURED and hasattr(f, "work")
}
needs_compiler = pytest.mark.skipif(
    not has_compiler(), reason="without a compiler there are no kernels"
)


def given(function: Any, model: sv.Model, shape: tuple[int, ...]) -> list[Any]:
    """Return example arguments of a function."""
    required = next(r for _, f, r in public_functions.functions_of_state() if f is function)
    made = public_functions.arguments(model, required, np.random.default_rng(2), shape)
    return list(made.values())


def close(found: Any, wanted: Any) -> None:
    for x, y in zip(parts(found), parts(wanted), strict=True):
        assert x.shape == y.shape
        assert np.abs(x - y).max() <= 1e-9 * (1 + np.abs(y).max())


@pytest.fixture
def no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every reference implementation that has a kernel raise an error."""
    run_reference = Work.run_reference

    def refuse(work: Work, *args: Any, **kw: Any) -> Any:
        assert not (work.kernel or work.composed), (
            f"the reference implementation of {work.name} was called"
        )
        return run_reference(work, *args, **kw)

    monkeypatch.setattr(Work, "run_reference", refuse)


@needs_compiler
@pytest.mark.parametrize("shape", [(), (9,), (2, 3)], ids=["state", "batch", "two axes"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_models_with_joint_terms_run_kernels(
    name: str, shape: tuple[int, ...], no_pages: None
) -> None:
    """A model with joint terms uses kernels wherever a model without them does."""
    function, model = FUNCTIONS[name], with_terms(zoo.build("floating"))
    function(model, *given(function, model, shape))


@pytest.mark.parametrize("field", ["armature", "damping", "friction", "stiffness"])
@pytest.mark.parametrize("frame", ["base", "body"])
@pytest.mark.parametrize(
    "function",
    [sv.ID, sv.FDab, sv.HandC, d.FD_derivatives, d.modFD_derivatives, d.modFD_second_derivatives],
)
def test_each_field_acts_beside_external_forces(function: Any, frame: str, field: str) -> None:
    model = zoo.build("floating_rotors")
    model = bare(model).replace(**{field: getattr(with_terms(model), field)})
    q, *rest = state(model, shape=(9,))
    x = [q, *rest][: len(function.work.cores)]
    f_ext = np.random.default_rng(0).normal(size=(9, model.NB, 6))
    wanted = function.reference(model, *x, f_ext, frame=frame)
    close(function(model, *x, f_ext, frame=frame), wanted)
    one = function(model, *(y[0] for y in x), f_ext[0], frame=frame)
    close(one, tuple(y[0] for y in parts(wanted)))


@needs_compiler
@pytest.mark.parametrize("name", ["ID", "FDab"])
@pytest.mark.parametrize("product", ["value", "push", "pull", "hessian_times", "times_hessian"])
def test_operators_run_kernels(name: str, product: str, no_pages: None) -> None:
    """Operators of PyTorch and JAX on a model with joint terms use kernels."""
    from spatial_v2.interop.operators import products

    model = with_terms(zoo.build("floating"))
    x, rng = state(model, shape=(3,))[:3], np.random.default_rng(4)
    u = [rng.normal(size=(3, model.NV)) for _ in range(3)]
    w = [rng.normal(size=(3, model.NV))]
    more = {"value": [], "push": [u], "pull": [w], "hessian_times": [w, u]}
    more["times_hessian"] = more["hessian_times"]
    getattr(products, product)(OPERATORS[name], model, x, *more[product])
