"""Rollouts in JAX and PyTorch go on when states of a batch diverge: these become NaN, alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from spatial_v2 import FDab, Model
from spatial_v2.models import autoTree

pytestmark = [
    pytest.mark.optional,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::spatial_v2.SingularWarning"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]
h, STEPS, STATES = 0.3, 100, 16


def arm() -> Model:
    """Return an arm with slides, whose length grows without bound under large forces."""
    joints = [*["Rz", "Rx"] * 3, "Rz", "Px", "Py"]
    return autoTree(9).replace(jtype=joints, gravity=[0.0, 0.0, 0.0])


def tau() -> np.ndarray:
    """Return forces that are large in every other state, and hardly move the rest."""
    size = np.where(np.arange(STATES) % 2, 20.0, 1e-6)
    return np.random.default_rng(0).normal(size=(STATES, 9)) * size[:, None]


def in_jax(model: Model, jit: bool) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return a step of the rollout, and the gradient (STATES, 9) of the sum of squares of each
    state's last positions with respect to its forces.
    """
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    operator = pytest.importorskip("spatial_v2.interop.jax").FDab

    def step(q: Any, qd: Any, tau: Any) -> tuple[Any, Any]:
        qd = qd + h * operator(model, q, qd, tau)
        return q + h * qd, qd

    def last(tau: Any) -> Any:
        def one(x: Any, _: None) -> tuple[Any, None]:
            return step(x[0], x[1], tau), None

        return (jax.lax.scan(one, (0 * tau, 0 * tau), None, length=STEPS)[0][0] ** 2).sum()

    wrap: Callable[..., Any] = jax.jit if jit else lambda f: f
    return wrap(step), wrap(jax.grad(last))


def in_torch(model: Model, _: bool) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return what `in_jax` does."""
    torch = pytest.importorskip("torch")
    operator = pytest.importorskip("spatial_v2.interop.torch").FDab

    def step(q: Any, qd: Any, tau: Any) -> tuple[Any, Any]:
        q, qd, tau = (torch.as_tensor(x) for x in (q, qd, tau))
        qd = qd + h * operator(model, q, qd, tau)
        return q + h * qd, qd

    def gradient(tau: Any) -> Any:
        tau = torch.tensor(tau, requires_grad=True)
        q = qd = 0 * tau
        for _ in range(STEPS):
            q, qd = step(q, qd, tau)
        return torch.autograd.grad((q**2).sum(), tau)[0]

    return step, gradient


@pytest.mark.parametrize(
    ("tool", "jit"),
    [(in_jax, False), (in_jax, True), (in_torch, False)],
    ids=["jax", "jit", "torch"],
)
def test_a_diverging_rollout_goes_on(tool: Any, jit: bool) -> None:
    """Each step is that of the function in NumPy, NaN included, and a state that is NaN changes no
    other; gradients of states that stay finite are finite.
    """
    model, forces = arm(), tau()
    step, gradient = tool(model, jit)
    q, qd = np.zeros((2, STATES, 9))
    for _ in range(STEPS):
        found = [np.asarray(x) for x in step(q, qd, forces)]
        wanted = FDab(model, q, qd, forces)
        assert_array_equal(np.isnan(found[1]), np.isnan(wanted))
        q, qd = found
    finite = np.array([np.isfinite(x).all() for x in q])
    assert finite[::2].all()
    assert not finite[1::2].all()
    slope = np.asarray(gradient(forces))
    assert np.isfinite(slope[finite]).all()
    assert not np.isfinite(slope).all()


def test_a_batch_that_has_diverged_is_no_error() -> None:
    """Numbers that overflow in all states are NaN."""
    model, far = arm(), np.full((3, 9), 1e200)
    for tool in (in_jax, in_torch):
        step, _ = tool(model, False)
        found = step(far, far, far)
        assert not any(np.isfinite(np.asarray(x)).any() for x in found)
