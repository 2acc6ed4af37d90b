"""The linearisation about a motion: what a small step of an integrator does to errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import near
from numpy.testing import assert_array_equal

from benchmarks.paper_003.robot import moving_robot
from derivatives import FD_derivatives, linearize
from spatial_v2 import (
    ArrayShapeError,
    FDab,
    Model,
    configurationAddition,
    configurationDifference,
    crm,
    skew,
)

NAMES = ["chain", "spherical", "SO3", "floating", "SE3", "mixed", "two_floating", "planar_tree",
         "floating_rotors", "moving robot"]  # fmt: skip
trees = pytest.mark.parametrize("name", NAMES)


def draw(name: str, shape: tuple[int, ...] = ()) -> tuple[Model, zoo.State]:
    model = moving_robot() if name == "moving robot" else zoo.build(name)
    return model, zoo.states(model, np.random.default_rng([*name.encode()]), shape)


def midpoint(model: Model, q: Any, qd: Any, tau: Any, h: float) -> tuple[Any, Any]:
    """A step of the midpoint rule along the freedoms of the joints."""
    half = configurationAddition(model, q, h / 2 * qd)
    rate = qd + h / 2 * FDab(model, q, qd, tau)
    return configurationAddition(model, q, h * rate), qd + h * FDab(model, half, rate, tau)


def of_step(model: Model, s: zoo.State, h: float) -> tuple[np.ndarray, np.ndarray]:
    """``(J - 1) / h`` and ``J_u / h``, J the Jacobian of a step by central differences."""
    n, d = model.NV, 1e-5
    here = midpoint(model, s.q, s.qd, s.tau, h)

    def moved(sign: int) -> np.ndarray:
        eps = sign * d * np.eye(3 * n)
        q = configurationAddition(model, s.q, eps[:, :n])
        q, qd = midpoint(model, q, s.qd + eps[:, n : 2 * n], s.tau + eps[:, 2 * n :], h)
        return np.concatenate([configurationDifference(model, here[0], q), qd - here[1]], -1).T

    J = (moved(1) - moved(-1)) / (2 * d)
    return (J[:, : 2 * n] - np.eye(2 * n)) / h, J[:, 2 * n :] / h


@trees
def test_jacobian_of_a_step(name: str) -> None:
    """Of first order in the step: slope one."""
    model, s = draw(name)
    A, B = linearize(model, s.q, s.qd, s.tau)
    steps = np.array([1e-3, 3e-4, 1e-4])
    errors = []
    for h in steps:
        found = of_step(model, s, h)
        errors.append([np.abs(x - y).max() for x, y in zip(found, (A, B), strict=True)])
    for k in (0, 1):
        slope = np.polyfit(np.log(steps), np.log([e[k] for e in errors]), 1)[0]
        assert abs(slope - 1) < 0.1, (slope, errors)


@pytest.mark.parametrize("name", ["spherical", "SO3", "floating", "SE3"])
def test_without_the_turning_frame_it_is_wrong(name: str) -> None:
    """``[0, 1; ...]`` does not become the Jacobian of a step, however short that is."""
    model, s = draw(name)
    A = linearize(model, s.q, s.qd, s.tau).A.copy()
    A[: model.NV, : model.NV] = 0
    assert np.abs(of_step(model, s, 1e-4)[0] - A).max() > 0.1


@trees
def test_blocks(name: str) -> None:
    """Minus ad(qd) of every joint, the identity, and the derivatives of forward dynamics."""
    model, s = draw(name, (2, 6))
    n = model.NV
    A, B = linearize(model, s.q, s.qd, s.tau)
    P, Q, U = FD_derivatives(model, s.q, s.qd, s.tau)
    assert_array_equal(A[..., n:, :n], P)
    assert_array_equal(A[..., n:, n:], Q)
    assert_array_equal(A[..., :n, n:], np.broadcast_to(np.eye(n), P.shape))
    assert_array_equal(B, np.concatenate([0 * U, U], -2))
    ad = np.zeros(P.shape)
    for vs, nv in zip(model.vinds, model.nv, strict=True):
        x = s.qd[..., vs, None]
        if nv > 1:
            ad[..., vs, vs] = crm(x) if nv == 6 else skew(x)
    assert_array_equal(A[..., :n, :n], -ad)


@trees
def test_inputs(name: str) -> None:
    """``B = [0; U S]``, S for all states or one for each."""
    model, s = draw(name, (4,))
    rng = np.random.default_rng(0)
    B = linearize(model, s.q, s.qd, s.tau).B
    for S in (rng.normal(size=(model.NV, 2)), rng.normal(size=(4, model.NV, 3))):
        near(linearize(model, s.q, s.qd, s.tau, S).B, B @ S, 1e-13)
    assert linearize(model, s.q, s.qd, s.tau, np.zeros((model.NV, 0))).B.shape == (
        4, 2 * model.NV, 0,
    )  # fmt: skip


@trees
def test_leading_axes(name: str) -> None:
    """Broadcast; an empty batch gives empty arrays."""
    model, s = draw(name, (3,))
    n = model.NV
    wide = linearize(model, s.q[0], s.qd[:, None], s.tau)
    assert wide.A.shape == (3, 3, 2 * n, 2 * n)
    near(wide.A[2, 1], linearize(model, s.q[0], s.qd[2], s.tau[1]).A, 1e-11)
    none = linearize(model, s.q[:0], s.qd[0], s.tau[0])
    assert [x.shape for x in none] == [(0, 2 * n, 2 * n)] * 1 + [(0, 2 * n, n)]


@pytest.mark.parametrize("wrong", [np.ones(10), np.ones((9, 2)), [["x"]], 3.0])
def test_wrong_inputs_are_refused(wrong: Any) -> None:
    model, s = draw("floating")
    with pytest.raises(ArrayShapeError, match="actuation"):
        linearize(model, s.q, s.qd, s.tau, wrong)
