"""Excitation trajectories: within the limits, at rest at the beginning, well conditioned."""

from typing import Any

import numpy as np
import pytest
from helpers import near
from numpy.testing import assert_array_equal

import spatial_v2 as sv
from spatial_v2.identification.excitation import Excitement
from spatial_v2.identification.fourier import basis
from spatial_v2.identification.unknowns import Unknowns, as_bodies, as_terms


def arm() -> sv.Model:
    return sv.autoTree(3, 1, 0.9).replace(jtype=["Rz", "Px", "Rx"])


BOUNDS = np.array([[-1.0, -0.3, -2.0], [1.5, 0.4, 2.0]])


def found(model: sv.Model, **options: Any) -> Any:
    options = {"limits": BOUNDS, "rng": np.random.default_rng(0)} | options
    return sv.excitation_trajectory(model, 4.0, **options)


def test_motions_keep_the_limits_and_begin_and_end_at_rest() -> None:
    """At any instant positions, velocities and accelerations are within their limits, and each
    joint reaches one of them. Samples are those of ``at``, whose parts are derivatives.
    """
    velocity, acceleration = np.array([1.0, 0.5, 2.0]), np.array([9.0, 0.8, 30.0])
    motion = found(arm(), velocity=velocity, acceleration=acceleration, samples=50)
    q, qd, qdd = motion.at(np.linspace(0, 8, 50001))
    size = (BOUNDS[1] - BOUNDS[0]) / 2
    ratios = [abs(q - BOUNDS.mean(axis=0)) / size, abs(qd) / velocity, abs(qdd) / acceleration]
    top = np.max(ratios, axis=(0, 1))
    assert (top <= 1).all() and (top > 0.99).all()
    for t in (0.0, 4.0):
        near(np.array(motion.at(t)[1:]), np.zeros((2, 3)), 1e-12)
    assert motion.q.shape == (50, 3) and motion.at([[1.0]])[0].shape == (1, 1, 3)
    for x, y in zip(motion.at(motion.t), (motion.q, motion.qd, motion.qdd), strict=True):
        assert_array_equal(x, y)
    h = 1e-6
    q, qd, _ = (
        np.asarray(a) - b for a, b in zip(motion.at(1.3 + h), motion.at(1.3 - h), strict=True)
    )
    near(q / (2 * h), motion.at(1.3)[1], 1e-7)
    near(qd / (2 * h), motion.at(1.3)[2], 1e-7)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"friction": True, "offset": True},
        {"unknown": [2]},
        {"friction": True, "armature": True},
    ],
    ids=str,
)
def test_conditions_are_those_of_identify_and_better_than_random_ones(
    options: dict[str, Any],
) -> None:
    """The condition number is that of `identify` where the motion determines everything, and
    smaller than that of twenty random motions with the same limits.
    """
    model = arm()
    motion = found(model, **options)
    x = motion.q, motion.qd, motion.qdd
    if "armature" not in options:
        result = sv.identify(model, *x, sv.ID(model, *x), physical=False, **options)
        assert result.condition == pytest.approx(motion.condition, rel=1e-6)
    unknowns = Unknowns(model, as_terms(*(options.get(k, False) for k in
        ("friction", "armature", "offset"))), as_bodies(model, options.get("unknown")))  # fmt: skip
    rng = np.random.default_rng(1)
    judge = Excitement(unknowns, motion.center, np.ones((3, 3)), rng)
    B = basis(np.arange(200) / 200, 5)
    others = []
    for _ in range(20):
        q, qd, qdd = B @ rng.normal(size=(10, 3))
        top = np.abs(q).max(axis=0) / ((BOUNDS[1] - BOUNDS[0]) / 2)
        others.append(judge.condition(motion.center + q / top, qd / top / 4, qdd / top / 16))
    assert motion.condition < 0.8 * min(others)


def test_slopes_are_differences() -> None:
    """The gradient of the smooth bound is that of differences, and the bound is above the
    logarithm of the condition number.
    """
    model, rng = arm(), np.random.default_rng(2)
    unknowns = Unknowns(model, as_terms("viscous", True, True), np.arange(3))
    judge = Excitement(unknowns, np.zeros(3), np.ones((3, 3)), rng)
    x = rng.normal(size=(3, 40, 3))
    cost, g = judge.slopes(*x)
    assert np.log(judge.condition(*x)) <= cost <= np.log(judge.condition(*x)) + 0.5
    for _ in range(3):
        d = 1e-6 * rng.normal(size=x.shape)
        two = judge.slopes(*(x + d))[0] - judge.slopes(*(x - d))[0]
        assert two == pytest.approx(2 * float(np.sum(g * d)), rel=1e-4)


def test_limits_of_the_model_are_the_default() -> None:
    model = sv.load_model("panda")
    motion = sv.excitation_trajectory(model, 10.0, rng=np.random.default_rng(0))
    for j, name in enumerate(model.joint_names):
        limits = model.limits[name]
        assert limits.lower <= motion.q[:, j].min() and motion.q[:, j].max() <= limits.upper
        assert np.abs(motion.qd[:, j]).max() <= limits.velocity
    turning = sv.excitation_trajectory(sv.planar(2), 10.0, rng=np.random.default_rng(0))
    assert np.abs(turning.q).max() <= np.pi


BAD: list[tuple[dict[str, Any], str]] = [
    ({"period": 0.0}, "period: want a positive number"),
    ({"harmonics": 1}, "harmonics: want a whole number, at least 2, got 1"),
    ({"samples": 2.5}, "samples: want a whole number"),
    ({"limits": [1.0, 2.0]}, r"limits: want a pair of arrays of shape \(3,\)"),
    ({"limits": BOUNDS[::-1]}, "want lower bounds below the upper"),
    ({"limits": None}, "joint joint1 has no limits; give limits="),
    ({"velocity": -1.0}, "velocity: want positive"),
    ({"acceleration": [1.0, 2.0]}, r"acceleration: want a number or shape \(3,\), got \(2,\)"),
    ({"friction": "dry"}, "friction: want"),
    ({"model": arm().replace(jtype=["S", "Px", "Rx"])}, "one degree of freedom; joint joint0"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_input_is_refused(change: dict[str, Any], message: str) -> None:
    given = {"model": arm(), "period": 4.0, "limits": BOUNDS, "rng": np.random.default_rng(0)}
    given |= change
    with pytest.raises(sv.SpatialError, match=message):
        sv.excitation_trajectory(given.pop("model"), given.pop("period"), **given)
