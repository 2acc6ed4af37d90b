"""Quadratic problems of shooting methods: Riccati recursion, active sets, corrected Hessians."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from helpers import near

from spatial_v2.arrays.box_minimum import box_minimum
from spatial_v2.calls.loading import without_kernels
from spatial_v2.control import riccati_reference
from spatial_v2.control.bounded import minimise, slopes
from spatial_v2.control.directions import correct
from spatial_v2.control.riccati import (
    compliances,
    cost_scales,
    costates,
    linear_rollout,
    motion_errors,
    riccati,
)
from spatial_v2.control.shooting import Expansion
from spatial_v2.control.stage_system import StageSolution, StageSystem


def quadratic(rng: np.random.Generator, n: int = 4, m: int = 3) -> tuple[Expansion, np.ndarray]:
    """Return a batch of two random convex quadratic problems with five stages, and
    their defects.
    """
    B, S = 2, 5
    R = rng.normal(size=(B, S + 1, n + m, n + m))
    x = Expansion(
        2 / np.sqrt(n) * rng.normal(size=(B, S, n, n + m)), rng.normal(size=(B, S + 1, n + m)),
        R @ np.matrix_transpose(R) + np.eye(n + m),
    )  # fmt: skip
    return x, rng.normal(size=(B, S, n))


@pytest.mark.parametrize(("states", "controls"), [(4, 3), (1, 0), (2, 1), (3, 8), (10, 5), (23, 9)])
def test_kernels_of_the_riccati_recursion(states: int, controls: int) -> None:
    """Kernels agree with their reference implementations, and both satisfy the equations of the
    whole problem.
    """
    x, c = quadratic(np.random.default_rng(6), states, controls)
    B, S, n, z = x.F.shape
    for bound in (np.inf, 0.1):
        high = np.full((B, S, z - n), bound)
        f = riccati(x, c, -high, high, np.full((B, z - n), 0.1))
        out = [np.zeros_like(y) for y in (*f[:4], np.zeros(B))]
        of, feedback = (x.F, c, x.g, x.Q), (out[0], out[1], out[2], out[3])
        riccati_reference.riccati(of, -high, high, np.full((B, z - n), 0.1), feedback, out[4])
        for y, expected in zip(f, out, strict=True):
            near(y, expected, 1e-9)
        moved = linear_rollout(x, c, -high, high, f)
        out = [np.zeros_like(y) for y in moved]
        riccati_reference.linear_rollout(x.F, c, f[:4], -high, high, *out)
        for y, expected in zip(moved, out, strict=True):
            near(y, expected, 1e-10)
        Z = compliances(x, f)
        out = [np.empty_like(Z)]
        A = x.Q[:, :-1, n:, n:] + np.matrix_transpose(x.F[..., n:]) @ f.P[:, 1:] @ x.F[..., n:]
        riccati_reference.compliances(x.F, f.K, np.linalg.inv(A), out[0])
        near(Z, out[0], 1e-10)
        found = costates(x)
        out = [np.zeros_like(y) for y in found]
        riccati_reference.costates(x.F, x.g, *out)
        for y, expected in zip(found, out, strict=True):
            near(y, expected, 1e-10)
    f = riccati(x, c, -np.inf * high, np.inf * high, np.zeros((B, z - n)))
    dx, du, w = linear_rollout(x, c, -np.inf * high, np.inf * high, f)
    end = np.zeros((B, 1, z - n))
    both = np.concatenate([dx, np.concatenate([du, end], axis=1)], axis=-1)
    slope = x.g + (x.Q @ both[..., None])[..., 0]
    back = (np.matrix_transpose(x.F) @ w[:, 1:, :, None])[..., 0]
    near(slope[:, -1, :n], w[:, -1], 1e-10)
    near(slope[:, :-1, :n] + back[..., :n], w[:, :-1], 1e-10)
    near(slope[:, :-1, n:] + back[..., n:], 0 * du, 1e-10)


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize(("B", "stages", "n", "m"), [(3, 5, 2, 1), (2, 4, 3, 4), (1, 3, 2, 0)])
def test_kernels_of_errors_and_scales(bounded: bool, B: int, stages: int, n: int, m: int) -> None:
    """Kernels agree with their reference implementations; NaN is larger than any number."""
    rng, z = np.random.default_rng(9), 2 * n + m
    slope, u = rng.normal(size=(2, B, stages, m))
    low, high = -rng.uniform(0.1, 1.0, (2, stages, m)) * [[[1.0]], [[-1.0]]]
    c, of_control, of_state = (
        rng.normal(size=(B, stages, 2 * n)), rng.uniform(0.1, 3.0, (B, m)),
        rng.uniform(0.1, 3.0, (B, 2 * n)),
    )  # fmt: skip
    of_state[:, 0] = of_control[:, :1] = 0.0
    c[-1, 1, -1] = np.nan
    moved, q, qd = rng.normal(size=(3, B, stages + 1, n))
    g, Q = rng.normal(size=(B, stages + 1, z)), rng.normal(size=(B, stages + 1, z, z))

    def both() -> list[np.ndarray]:
        bounds = (low, high) if bounded else None
        errors = motion_errors(slope, u, bounds, c, of_control, of_state)
        return [errors, cost_scales(moved, q, qd, u, g, Q)]

    found = both()
    with without_kernels():
        expected = both()
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-14, atol=0)
    assert np.isnan(found[0][1::2, -1]).all() and np.isfinite(found[0][::2]).all()


@pytest.mark.parametrize("off", [0.0, 1e-9, 1.0])
def test_rows_of_positions_that_depend_on_those_of_velocities(off: float) -> None:
    """Rows of positions of semi-implicit Euler, which are those of velocities times the step plus
    those of the identity, count as such only if they are, up to rounding.
    """
    x, c = quadratic(np.random.default_rng(8), 10, 3)
    for r, h in ((0, 0.02), (1, 0.02), (3, 1e-5), (4, 3.0)):
        x.F[..., r, :] = h * x.F[..., 5 + r, :]
        x.F[..., r, r] += 1.0
    x.F[:, 1:, 0, 1] *= 1 + off
    x.F[:, 2:, 1, 1] += off
    x.F[:, 3:, 3, 12] += 1e-3 * off
    B, S, n, z = x.F.shape
    high, none = np.full((B, S, z - n), np.inf), np.zeros((B, z - n))
    f = riccati(x, c, -high, high, none)
    out = [np.zeros_like(y) for y in (*f[:4], np.zeros(B))]
    of, feedback = (x.F, c, x.g, x.Q), (out[0], out[1], out[2], out[3])
    riccati_reference.riccati(of, -high, high, none, feedback, out[4])
    for y, expected in zip(f, out, strict=True):
        near(y, expected, 1e-12)


@pytest.mark.parametrize(
    ("states", "controls", "rows"), [(3, 2, 0), (1, 1, 1), (4, 3, 2), (3, 8, 3), (10, 5, 3)]
)
def test_kernels_of_stages_with_equations(
    states: int, controls: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels and reference implementation agree, and their solutions satisfy the equations, soft
    ones and some that depend on each other too, for several right-hand sides.
    """
    rng = np.random.default_rng(9)
    x, _ = quadratic(rng, states, controls)
    B, S, n, z = x.F.shape
    C, soft = rng.normal(size=(B, S + 1, rows, z)), np.zeros((B, S + 1, rows))
    C[:, -1, :, n:], C[1, -2, 1:], soft[0] = 0.0, C[1, -2, :1], 0.3
    soft[:, rng.random(S + 1) < 0.7], soft[:, -2:] = np.inf, 0.0
    units = rng.uniform(0.5, 2.0, (B, z)), rng.uniform(0.5, 2.0, (B, S + 1, rows))
    right = [rng.normal(size=(B, *y, 2)) for y in ((n,), (S + 1, z), (S, n), (S + 1, rows))]
    right[3][1, -2, 1:] = right[3][1, -2, :1]

    def solved() -> tuple[StageSystem, StageSolution]:
        system = StageSystem(x.F, x.Q, C, soft, units)
        return system, system.solve(right[0], right[1], right[2], right[3])

    system, found = solved()
    monkeypatch.setattr("spatial_v2.control.stage_system.has_kernels", lambda *names: False)
    plain, expected = solved()
    assert not (system.failed.any() or plain.failed.any())
    near(np.tril(system.L), plain.L, 1e-6)
    for y, y_plain in zip(found, expected, strict=True):
        near(y, y_plain, 1e-9)
    (dz, p, y), T, active = found, np.matrix_transpose, np.isfinite(soft)[..., None]
    near(dz[:, 0, :n], right[0], 1e-12)
    stationary = right[1] + x.Q @ dz + T(C) @ y
    stationary[:, :-1] += T(x.F) @ p[:, 1:]
    near(stationary[:, :, :n], p, 1e-9)
    near(stationary[:, :-1, n:], 0 * dz[:, :-1, n:], 1e-9 * np.abs(p).max())
    near(x.F @ dz[:, :-1] + right[2], dz[:, 1:, :n], 1e-12)
    off = np.where(active, C @ dz + right[3] - np.where(active, soft[..., None], 0.0) * y, 0.0)
    near(off, 0 * off, 1e-10)
    assert not np.where(active, 0.0, y).any()


def test_an_indefinite_hessian_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem whose Hessian is indefinite, or not finite, fails; the other one does not."""
    for value in (-100.0, np.nan):
        x, _ = quadratic(np.random.default_rng(7))
        x.Q[1, 2] += value * np.eye(x.Q.shape[-1])
        none = np.zeros((2, x.Q.shape[1], 0))
        of = x.F, x.Q, np.zeros((*none.shape, x.Q.shape[-1])), none, (np.ones((2, 7)), none)
        for compiled in (True, False):
            there = Mock(return_value=compiled)
            monkeypatch.setattr("spatial_v2.control.stage_system.has_kernels", there)
            assert StageSystem(*of).failed.tolist() == [False, True]


@pytest.mark.parametrize("name", ["F", "g", "Q"])
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_a_problem_that_is_not_finite_leaves_the_others_alone(name: str, value: float) -> None:
    """Workspaces are reused from problem to problem."""
    x, c = quadratic(np.random.default_rng(8), 3, 2)
    high = np.full((*c.shape[:2], 2), np.inf)
    alone = riccati(x, c, -high, high, np.zeros((2, 3)))
    getattr(x, name)[0, 2] = value
    beside = riccati(x, c, -high, high, np.zeros((2, 3)))
    for y, expected in zip(beside, alone, strict=True):
        np.testing.assert_array_equal(y[1], expected[1])


def test_indefinite_quadratic_problems_are_noticed() -> None:
    x, c = quadratic(np.random.default_rng(7))
    x.Q[1, 2] -= 100 * np.eye(x.Q.shape[-1])
    high = np.full((*c.shape[:2], 3), np.inf)
    assert riccati(x, c, -high, high, np.zeros((2, 3))).failed.tolist() == [False, True]


def test_corrections_grow_tenfold_until_the_hessian_is_positive_or_the_largest_has_failed() -> None:
    """Corrections of the Hessian start at 1e-3 of the controls' curvatures, grow tenfold, and end
    at 1e17 of them.
    """
    Q = np.zeros((3, 2, 4, 4))
    Q[:, 0, 2, 2], Q[:, 0, 3, 3] = [-1000.0, 1000.0, 1000.0], 1000.0
    Q[1, 0, 2, 3] = Q[1, 0, 3, 2] = np.nan
    x = Expansion(np.zeros((3, 1, 2, 4)), np.zeros((3, 2, 4)), Q)
    stages: Any = SimpleNamespace(
        stages=1, n=1, m=2, intervals=slice(0, 1), bounded=False,
        expand_costs=lambda at, second: (None, Q),
    )  # fmt: skip
    at: Any = SimpleNamespace(at=None, defects=np.zeros((3, 1, 2)))
    bounds = np.full((3, 1, 2), -np.inf), np.full((3, 1, 2), np.inf)
    shift = np.zeros(3)
    found = minimise(x, at.defects, bounds, np.zeros((3, 2)), False, lambda: True)
    assert found.feedback.failed.tolist() == [True, True, False]
    correct(stages, at, x, bounds, found, shift, lambda: False)
    assert found.feedback.failed.tolist() == [True, True, False]
    correct(stages, at, x, bounds, found, shift, lambda: True)
    assert found.feedback.failed.tolist() == [False, True, False]
    np.testing.assert_allclose(shift, [10.0, 1e17, 0.0], rtol=1e-12)


def test_controls_within_bounds_are_optimal_for_the_step() -> None:
    """The reference implementation finds the minimum of random quadratic functions within bounds.

    For some of them, Newton steps that are not shortened would not converge.
    """
    rng = np.random.default_rng(0)
    for n in rng.integers(2, 5, size=300):
        B, h = rng.normal(size=(n, n)), rng.normal(size=n)
        A = B @ B.T + 10 ** rng.uniform(-4, 0) * np.eye(n)
        lower, upper = -rng.uniform(size=n), rng.uniform(size=n)
        found = box_minimum(A, h, lower, upper)
        assert found is not None
        u, slope = found[0], h + A @ found[0]
        np.testing.assert_allclose(np.clip(u - slope, lower, upper), u, rtol=0, atol=1e-8)


def test_active_sets_of_convex_problems_are_found() -> None:
    """Tight bounds on coupled controls, for which changes of all wrong controls at once recur."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        B, S, n, m = 3, 12, 4, 3
        F = 0.6 * rng.normal(size=(B, S, n, n + m))
        J = rng.normal(size=(B, S + 1, n + m, n + m))
        Q = np.matrix_transpose(J) @ J + 1e-3 * np.eye(n + m)
        x = Expansion(F, rng.normal(size=(B, S + 1, n + m)), Q)
        c, low = rng.normal(size=(B, S, n)), -rng.uniform(0, 0.3, size=(B, S, m))
        high, shift = rng.uniform(0, 0.3, size=(B, S, m)), np.zeros((B, m))
        late = minimise(x, c, (low, high), shift, True, lambda: False)
        assert late.feedback.failed.all()
        found = minimise(x, c, (low, high), shift, True, lambda: True)
        assert not found.feedback.failed.any()
        slope = slopes(x, found, shift)
        scale = np.abs(found.multipliers).max()
        near(np.clip(found.du - slope / scale, low, high), found.du, 1e-9)
