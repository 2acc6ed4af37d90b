"""Optimal motions as functions in JAX and PyTorch have gradients that agree with differences."""

from typing import Any

import numpy as np
import pytest
from helpers import near
from test_parameter_derivatives import family

from spatial_v2 import ArrayShapeError, SpatialError
from spatial_v2.interop.optimal_motion import OptimalMotion

NAMES = ("chain", "floating")
STENCIL = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}


def weights(motion: OptimalMotion) -> list[np.ndarray]:
    rng = np.random.default_rng(6)
    return [rng.normal(size=s) for s in motion.shapes]


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest) -> tuple[Any, ...]:
    """Return a function that makes a problem of its parameters, these parameters, weights of the
    results, and the motion.
    """
    make, p = family(request.param, "free")
    motion = OptimalMotion(make, p)
    return make, p, weights(motion), motion


def test_pull_back(case: tuple[Any, ...]) -> None:
    """The gradient agrees with differences of the weighted sum of q, qd, u and the cost."""
    _, p, w, motion = case
    g, h = motion.pull_back(p, w), 1e-3

    def total(x: np.ndarray) -> float:
        return sum(float((a * b).sum()) for a, b in zip(w, motion(x), strict=True))

    for k, row in enumerate(h * np.eye(p.size)):
        near(g[k], sum(a * total(p + j * row) for j, a in STENCIL.items()) / h, 1e-7)


@pytest.mark.optional
def test_jax(case: tuple[Any, ...]) -> None:
    jax = pytest.importorskip("jax")
    from spatial_v2.interop.jax.optimal_motion import optimal_motion

    make, p, w, motion = case
    with jax.enable_x64(True):
        layer = optimal_motion(make, p)

        def total(x: Any) -> Any:
            return sum((a * b).sum() for a, b in zip(w, layer(x), strict=True))

        exact = motion.pull_back(p, w)
        near(jax.grad(total)(jax.numpy.asarray(p)), exact, 1e-7)
        near(jax.jit(jax.grad(total))(jax.numpy.asarray(p)), exact, 1e-7)
        several = np.stack([p, p + 0.01])
        near(jax.vmap(jax.grad(total))(several)[1], motion.pull_back(p + 0.01, w), 1e-6)


@pytest.mark.optional
def test_torch(case: tuple[Any, ...]) -> None:
    torch = pytest.importorskip("torch")
    from spatial_v2.interop.torch.optimal_motion import optimal_motion

    make, p, w, motion = case
    layer, x = optimal_motion(make, p), torch.tensor(p, requires_grad=True)
    found = layer(x)
    sum((torch.tensor(a) * b).sum() for a, b in zip(w, found, strict=True)).backward()
    near(x.grad.numpy(), motion.pull_back(p, w), 1e-7)


def test_bad_input_is_named() -> None:
    make, p = family("chain", "free")
    with pytest.raises(ArrayShapeError, match="parameters"):
        OptimalMotion(make, 1.0)
    with pytest.raises(SpatialError, match="max_iterations"):
        OptimalMotion(make, p, max_iterations=1)
