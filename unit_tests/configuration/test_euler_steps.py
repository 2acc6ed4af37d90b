"""Kernels of the derivatives of Euler steps agree with the functions without a compiler."""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near

from spatial_v2 import Model, PointConstraint
from spatial_v2.control import ContactPhase, ControlCost, ShootingProblem, Trajectory
from spatial_v2.control.shooting import Shooting

B, S = 2, 3


def results(s: Shooting, t: Trajectory, p: np.ndarray) -> list[np.ndarray]:
    """Return Jacobians of the stages, and Hessians of the stages weighted by p, at motions t."""
    e = s.evaluate(t)
    x = s.expand(e, True)
    s.add_hessians(e, x, p)
    return [e.defects, x.F, x.Q]


def problem(model: Model, **options: Any) -> ShootingProblem:
    """Return a problem of S time steps with a control for each pair of neighbouring joints."""
    drive = np.eye(model.NV, model.NV - 1) + 0.5 * np.eye(model.NV, model.NV - 1, -1)
    q, rest = np.tile(zoo.states(model, np.random.default_rng(1), (1,)).q, (B, 1)), 0.0
    h = np.linspace(0.01, 0.03, S)
    return ShootingProblem(
        model, q, rest * np.ones(model.NV), h, [ControlCost(1.0)], actuation=drive, **options
    )


@pytest.mark.parametrize("contact", [False, True])
@pytest.mark.parametrize(
    "name", ["chain", "floating", "spherical", "mixed", "rotors", "floating_rotors"]
)
def test_kernels_compute_what_numpy_does(
    name: str, contact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, rng = zoo.build(name).replace(armature=0.2, damping=0.3), np.random.default_rng(2)
    options: dict[str, Any] = {}
    if contact:
        tip = PointConstraint(model.NB - 1, rng.normal(size=3), directions=[[0.0, 1.0, 0.2]])
        options["phases"] = [ContactPhase(1), ContactPhase(S - 1, [tip])]
    s = Shooting(problem(model, **options))
    state = zoo.states(model, rng, (B, s.stages + 1))
    t = Trajectory(state.q, state.qd, rng.normal(size=(B, s.stages, s.m)))
    p = rng.normal(size=(B, s.stages + 1, 2 * model.NV))
    compiled = results(s, t, p)
    for module in ("accelerations", "cost_kernels", "displacements", "riccati"):
        monkeypatch.setattr(f"spatial_v2.control.{module}.has_kernels", lambda *names: False)
    for found, expected in zip(compiled, results(s, t, p), strict=True):
        near(found, expected, 1e-11)
