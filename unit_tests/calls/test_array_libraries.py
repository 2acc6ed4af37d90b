"""Every public function accepts arrays of JAX and PyTorch, and these libraries differentiate
it.
"""

from collections.abc import Callable
from typing import Any

import calls
import numpy as np
import pytest
import zoo
from calls import Call
from helpers import all_near
from library_kinds import Standard, flat
from numpy.testing import assert_allclose

from spatial_v2 import ID, EnerMo, FDab, HandC, configurationRates, rv, rx

pytestmark = pytest.mark.optional
jax = pytest.importorskip("jax")
torch = pytest.importorskip("torch")
jax.config.update("jax_enable_x64", True)

TREES = "one_rotor", "planar_chain", "one_Fb"
ALL = [
    c
    for c in (
        *calls.without_model(),
        *(c for name in TREES for c in calls.of_model(zoo.build(name))),
    )
    if c.name not in calls.REAL_ALONE
]
over_all = pytest.mark.parametrize("call", ALL, ids=lambda c: c.name)
KINDS: dict[str, Callable[[], Standard]] = {
    "JAX": lambda: Standard(jax.numpy.asarray),
    "PyTorch": lambda: Standard(torch.asarray),
}
over_kinds = pytest.mark.parametrize("kind", KINDS)


def arrays_of(call: Call, result: Any) -> tuple[Any, ...]:
    """Return the arrays of a result that depend on the arguments."""
    return tuple(flat(result.first if call.name == "StructureConstants" else result))


def weighed(call: Call) -> Callable[..., Any]:
    """Return a function of the arrays: the sum of x^2 / 2 + x over all entries x of the result."""

    def sum_of(*arrays: Any) -> Any:
        parts = arrays_of(call, call.function(*arrays))
        return sum((x * x / 2 + x).sum() for x in parts)

    return sum_of


def slope(call: Call) -> float:
    """Compute the derivative of `weighed` at the arrays x along the direction sin(x), by a complex
    step.
    """
    return float(weighed(call)(*(x + 1e-20j * np.sin(x) for x in call.arrays)).imag / 1e-20)


@over_kinds
@over_all
def test_values_of_array_libraries_are_those_of_numpy(call: Call, kind: str) -> None:
    """Arrays of a library give arrays of that library with NumPy's values."""
    maker = KINDS[kind]()
    found = maker.numbers(arrays_of(call, call.function(*maker.make(call.arrays))))
    all_near(found, [np.asarray(x) for x in arrays_of(call, call.function(*call.arrays))])


SMOOTH = [c for c in ALL if c.name != "tens_norm"]
"""Functions that complex steps differentiate; singular values, for example, are not analytic."""
over_smooth = pytest.mark.parametrize("call", SMOOTH, ids=lambda c: c.name)
FEW = [c for c in SMOOTH if not c.name.startswith("jcalc")]
over_few = pytest.mark.parametrize("call", FEW, ids=lambda c: c.name)
"""Parametrisation over a few functions, because compiling takes seconds for each."""


@pytest.mark.slow
@over_few
def test_jit_gives_the_same_values(call: Call) -> None:
    """A function under `jax.jit` gives the values that it gives without it."""
    compiled = jax.jit(lambda *arrays: arrays_of(call, call.function(*arrays)))
    all_near(compiled(*call.arrays), arrays_of(call, call.function(*call.arrays)))


@pytest.mark.slow
@over_few
def test_jax_gradients_are_complex_steps(call: Call) -> None:
    """Reverse-mode gradients of JAX agree with complex steps."""
    arrays = [jax.numpy.asarray(x) for x in call.arrays]
    gradients = jax.grad(weighed(call), argnums=tuple(range(len(arrays))))(*arrays)
    found = sum((g * np.sin(x)).sum() for g, x in zip(gradients, call.arrays, strict=True))
    assert_allclose(found, slope(call), rtol=1e-9, atol=1e-9)


@over_smooth
def test_pytorch_gradients_are_complex_steps(call: Call) -> None:
    """Gradients of autograd agree with complex steps."""
    arrays = [torch.tensor(x, requires_grad=True) for x in call.arrays]
    weight = weighed(call)(*arrays)
    if weight.requires_grad:
        weight.backward()
    gradients = [
        0 * y if x.grad is None else x.grad.numpy()
        for x, y in zip(arrays, call.arrays, strict=True)
    ]
    found = sum((g * np.sin(x)).sum() for g, x in zip(gradients, call.arrays, strict=True))
    assert_allclose(found, slope(call), rtol=1e-9, atol=1e-9)


def test_vmap_of_one_state_is_the_batch() -> None:
    """`vmap` over single states gives the result for the batch."""
    model = zoo.build("floating")
    s = zoo.states(model, np.random.default_rng(2), (4,))
    mapped = jax.vmap(lambda q, qd, qdd: ID(model, q, qd, qdd))(*s[:3])
    all_near([mapped], [ID(model, *s[:3])])


@over_kinds
def test_whole_numbers_become_floats(kind: str) -> None:
    """Integer arguments give the results of equal floats: no constant is truncated."""
    model = zoo.build("chain")
    whole = np.arange(4)
    make = KINDS[kind]().asarray
    for f in (ID, FDab):
        all_near([f(model, *[make(whole)] * 3)], [f(model, *[whole] * 3)])
    all_near([rx(make(whole))], [rx(whole)])


@over_kinds
def test_single_precision_stays_single(kind: str) -> None:
    """Single precision of these libraries stays single."""
    model = zoo.build("chain")
    x = KINDS[kind]().asarray(np.ones(4, dtype=np.float32))
    assert str(HandC(model, x, x).H.dtype).endswith("float32")


def test_gradient_of_the_exponential_at_zero_is_finite() -> None:
    """Gradients of `rv` are finite for zero, small and large angles.

    One formula holds for small angles and another for others; the one not selected causes no NaN.
    """
    for v in (np.zeros(3), np.array([1e-200, 0, 0]), np.array([3.0, 0, 0]), np.array([1e20, 0, 0])):
        assert np.isfinite(jax.jacrev(rv)(jax.numpy.asarray(v))).all()
        assert torch.isfinite(torch.autograd.functional.jacobian(rv, torch.asarray(v))).all()


def test_rates_of_quaternions_at_rest_have_gradients() -> None:
    """The rates of quaternions at rest are smooth in qd without the term that stabilises the norm.

    That term has no gradient at rest.
    """
    model = zoo.build("one_S")
    q = jax.numpy.asarray([1.0, 0, 0, 0])
    by_qd = jax.jacrev(lambda qd: configurationRates(model, q, qd, stabilise=False))(0 * q[:3])
    all_near([by_qd], [np.eye(4, 3, -1) / 2])


@over_kinds
def test_energy_is_an_array_without_axes(kind: str) -> None:
    """The energy is an array without axes."""
    model = zoo.build("chain")
    s = zoo.states(model, np.random.default_rng(3))
    make = KINDS[kind]().asarray
    assert tuple(EnerMo(model, make(s.q), make(s.qd)).KE.shape) == ()
