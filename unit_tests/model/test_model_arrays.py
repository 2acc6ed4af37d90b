"""Models with arrays of another library: derivatives with respect to inertias, placements and
gravity.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose

from spatial_v2 import CMM, ID, EnerMo, FDab, HandC, Model
from spatial_v2.arrays import constant

pytestmark = pytest.mark.optional
FIELDS = ("I", "Xtree", "gravity", "I_rotor", "Xrotor", "gr")
FUNCTIONS: dict[str, Callable[[Model, Any], Any]] = {
    "ID": lambda m, s: ID(m, s.q, s.qd, s.qdd),
    "ID with forces": lambda m, s: ID(m, s.q, s.qd, s.qdd, s.f_ext),
    "FDab": lambda m, s: FDab(m, s.q, s.qd, s.tau),
    "H": lambda m, s: HandC(m, s.q, s.qd).H,
    "CMM": lambda m, s: CMM(m, s.q),
    "energy": lambda m, s: EnerMo(m, s.q, s.qd).PE + EnerMo(m, s.q, s.qd).KE,
}


def direction(model: Model, field: str) -> np.ndarray:
    """Return a change of a field: gravity along another axis, other fields in proportion."""
    x = getattr(model, field)
    return np.roll(x, 1, axis=-1) if field == "gravity" else 0.3 * x


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", ["floating_rotors", "one_rotor"])
def test_jax_gradients_are_those_of_the_complex_step(name: str, field: str, function: str) -> None:
    """Gradients agree for every numerical field; JAX arrays in the model select the reference
    implementation.
    """
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    model = zoo.build(name)
    state = zoo.states(model, np.random.default_rng(1))
    x, dx, f = getattr(model, field), direction(model, field), FUNCTIONS[function]
    step = f(model.replace(**{field: x + 1e-20j * dx}), state).imag / 1e-20
    _, slope = jax.jvp(lambda x: f(model.replace(**{field: x}), state), (x,), (dx,))
    assert_allclose(slope, step, rtol=1e-11, atol=1e-11 * (1 + np.abs(step).max()))


@pytest.mark.parametrize("field", FIELDS)
def test_torch_gradients_are_those_of_the_complex_step(field: str) -> None:
    torch = pytest.importorskip("torch")
    model = zoo.build("one_rotor")
    state = zoo.states(model, np.random.default_rng(1))
    x, dx = getattr(model, field), direction(model, field)
    step = ID(model.replace(**{field: x + 1e-20j * dx}), *state[:3]).imag / 1e-20
    t = torch.tensor(x, requires_grad=True)
    tau = ID(model.replace(**{field: t}), *state[:3])
    slope = [
        float((torch.autograd.grad(y, t, retain_graph=True)[0].numpy() * dx).sum()) for y in tau
    ]
    assert_allclose(slope, step, rtol=1e-11, atol=1e-11 * (1 + np.abs(step).max()))


@pytest.mark.parametrize("field", FIELDS)
def test_object_arrays_in_a_model_give_the_same_values(field: str) -> None:
    """Object arrays of Python numbers in a model give the results of float arrays."""
    model = zoo.build("one_rotor")
    state = zoo.states(model, np.random.default_rng(1))
    objects = model.replace(**{field: getattr(model, field).astype(object)})
    assert_allclose(ID(objects, *state[:3]).astype(float), ID(model, *state[:3]), rtol=1e-12)


def test_constants_of_torch_are_its_own() -> None:
    """A read-only NumPy array is copied for PyTorch, because a PyTorch view could be written."""
    torch = pytest.importorskip("torch")
    given = np.broadcast_to(0.5, 3)
    x = constant(given, torch.zeros(1, dtype=torch.float64))
    x[0] = 2.0
    assert x.tolist() == [2.0, 0.5, 0.5] and given[0] == 0.5
