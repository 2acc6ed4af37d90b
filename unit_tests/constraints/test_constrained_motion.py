"""Constraint forces along simulated motions: power, energy and drift."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from constraint_trees import R1, R2, tree_of_14
from helpers import near

from spatial_v2 import (
    KKT_FD,
    ConstraintSet,
    EnerMo,
    Model,
    PointConstraint,
    configurationAddition,
    constraint_velocity,
    position_error,
    project_configuration,
    project_velocity,
)

TREE = tree_of_14()
S = zoo.states(TREE, np.random.default_rng(5))
LOOP = PointConstraint(6, R2, 5, R1)
Step = Callable[[np.ndarray, np.ndarray], np.ndarray]


def simulate(
    model: Model, q: np.ndarray, qd: np.ndarray, accelerate: Step, h: float, time: float
) -> tuple[np.ndarray, np.ndarray]:
    """Simulate by the midpoint rule along the velocity variables; return the last state."""
    for _ in range(round(time / h)):
        rate = qd + h / 2 * accelerate(q, qd)
        a = accelerate(configurationAddition(model, q, h / 2 * qd), rate)
        q, qd = configurationAddition(model, q, h * rate), qd + h * a
    return q, qd


def beginning(
    model: Model, held: Any, seed: int, shape: tuple[int, ...] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Return configurations and velocities that satisfy constraints."""
    s = zoo.states(model, np.random.default_rng(seed), shape)
    found = project_configuration(model, s.q, held)
    assert found.converged.all()
    return found.q, project_velocity(model, found.q, s.qd, held)


def energy(model: Model, q: np.ndarray, qd: np.ndarray) -> float:
    x = EnerMo(model, q, qd)
    return float(x.KE + x.PE)


def slope(x: list[float], y: list[float]) -> float:
    return float(np.polyfit(np.log(x), np.log(np.abs(y)), 1)[0])


MOTIONS = {"loop": [LOOP], "stance": [PointConstraint(2, R1, point1=[0.1, 0.2, 0.0]),
                                      PointConstraint(6, R2, point1=[0.3, -0.2, 0.1])]}  # fmt: skip


@pytest.mark.parametrize("motion", MOTIONS)
def test_constraint_forces_do_no_work(motion: str) -> None:
    """Constraint forces do no work: the energy changes only by the error of the midpoint rule, of
    order two.
    """
    held = ConstraintSet(TREE, MOTIONS[motion])
    q, qd = beginning(TREE, held, 3)
    zero = np.zeros(TREE.NV)
    lambda_ = KKT_FD(TREE, q, qd, zero, held).lambda_
    w = constraint_velocity(TREE, q, qd, held)
    assert np.abs(lambda_).max() > 1
    assert abs(lambda_ @ w) <= 1e-11 * np.abs(lambda_).max()

    def accelerate(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.asarray(KKT_FD(TREE, q, qd, zero, held).qdd)

    steps, drift = [4e-4, 2e-4, 1e-4], []
    for h in steps:
        last = simulate(TREE, q, qd, accelerate, h, 0.02)
        drift.append(energy(TREE, *last) - energy(TREE, q, qd))
    assert abs(slope(steps, drift) - 2) < 0.1, drift


def test_moving_rows_and_joint_forces_account_for_the_power() -> None:
    """The rate of the energy is the power of the joint forces plus that of the constraint forces on
    moving rows.
    """
    held = [LOOP]
    qdd, lambda_ = KKT_FD(TREE, S.q, S.qd, S.tau, held)
    h = 1e-6

    def total(t: float) -> float:
        q = configurationAddition(TREE, S.q, t * S.qd + t * t / 2 * qdd)
        return energy(TREE, q, S.qd + t * qdd)

    power = S.tau @ S.qd + lambda_ @ constraint_velocity(TREE, S.q, S.qd, held)
    near((total(h) - total(-h)) / (2 * h), power, 1e-7)


def test_baumgarte_gains_slow_the_drift_of_a_loop() -> None:
    """With Baumgarte gains, position errors of a loop grow more slowly, in the median of motions:
    errors of one motion may cancel by chance.
    """
    held = ConstraintSet(TREE, [LOOP])
    q, qd = beginning(TREE, held, 3, (24,))
    zero, drift = np.zeros(TREE.NV), []
    for gains in (None, (100.0, 20.0)):

        def accelerate(q: np.ndarray, qd: np.ndarray, gains: Any = gains) -> np.ndarray:
            return np.asarray(KKT_FD(TREE, q, qd, zero, held, baumgarte=gains).qdd)

        last, _ = simulate(TREE, q, qd, accelerate, 4e-3, 0.4)
        drift.append(np.abs(position_error(TREE, last, held)).max(-1))
    assert np.median(drift[1] / drift[0]) < 0.5, drift
