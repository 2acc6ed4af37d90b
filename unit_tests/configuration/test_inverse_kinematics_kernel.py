"""The kernel of `inverse_kinematics` searches as the reference implementation does."""

from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose

import spatial_v2 as sv
from spatial_v2.configuration.by_joint import spaces
from spatial_v2.frames.least_squares import Problem, least_squares, reference
from spatial_v2.frames.limits import position_limits
from spatial_v2.frames.residuals import log6_residual, pose_residual
from spatial_v2.model.frame import Frame

LENGTHS = np.full(6, 1.3)
SPATIAL = [n for n in zoo.NAMES if not zoo.build(n).is_planar and spaces(zoo.build(n)) is not None]


def problem(name: str, error: Any, weights: Any = (1, 1, 1, 1, 1, 1)) -> tuple[Problem, Any, Any]:
    """Return a problem of the last body of a tree, targets near configurations, and these."""
    model, rng = zoo.build(name), np.random.default_rng(3)
    limits = position_limits(model, None)
    one = limits.place[limits.place >= 0]
    limits.lower[one], limits.upper[one] = -0.9, 0.9
    q = limits.clip(sv.random_configuration(model, rng, 6))
    frame = Frame(model.NB - 1, sv.xlt([0.1, 0.2, 0.3]))
    there = sv.configurationAddition(model, q, 0.3 * rng.normal(size=(6, model.NV)))
    X = sv.forward_kinematics(model, there, frame=frame).X0
    return Problem(model, frame, np.array(weights, dtype=float), limits, error), X, q


@pytest.mark.parametrize("error", [pose_residual, log6_residual])
@pytest.mark.parametrize("name", zoo.over(SPATIAL))
def test_each_step_is_that_of_the_reference(name: str, error: Any) -> None:
    given, X, q = problem(name, error)
    for steps in (0, 1, 2, 5):
        kernel = least_squares(given, X, q, LENGTHS, 1e-2, 1e-10, steps)
        other = reference(given, X, q, LENGTHS, 1e-2, 1e-10, steps)
        for x, y in zip(kernel, other, strict=True):
            assert_allclose(x, y, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("weights", [(0, 0, 0, 1, 1, 1), (1, 1, 1, 0, 0, 0), (1, 0, 2, 0, 3, 1)])
def test_weighted_residuals_are_those_of_the_reference(weights: tuple[float, ...]) -> None:
    given, X, q = problem("floating", log6_residual, weights)
    for x, y in zip(
        least_squares(given, X, q, LENGTHS, 1e-2, 1e-10, 3),
        reference(given, X, q, LENGTHS, 1e-2, 1e-10, 3),
        strict=True,
    ):
        assert_allclose(x, y, rtol=1e-7, atol=1e-7)


def test_solutions_bring_the_hand_to_the_pose_within_the_limits() -> None:
    panda, rng = sv.load_model("panda", couplings="free"), np.random.default_rng(0)
    q = panda.lower + (panda.upper - panda.lower) * rng.uniform(size=(200, panda.NQ))
    X = sv.forward_kinematics(panda, q, frame="panda_hand").X0
    middle = (panda.lower + panda.upper) / 2
    with pytest.warns(UserWarning, match="are not reached"):
        found = sv.inverse_kinematics(panda, "panda_hand", X, middle)
    assert found.converged.mean() > 0.8
    reached = sv.forward_kinematics(panda, found.q, frame="panda_hand").X0
    assert_allclose(reached[found.converged], X[found.converged], atol=1e-9)
    assert (found.q >= panda.lower).all() and (found.q <= panda.upper).all()


def test_angles_without_restriction_turn_by_full_turns() -> None:
    ur5 = sv.load_model("ur5")
    X = sv.forward_kinematics(ur5, np.full(6, 0.3), frame="tool0").X0
    found = sv.inverse_kinematics(ur5, "tool0", X, np.full(6, 0.2) + 2 * np.pi)
    assert found.converged and (abs(found.q) <= 2 * np.pi).all()
