"""Simulation of stiff equations: warnings with numbers, and methods that integrate them."""

import re
import time
import warnings
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import spatial_v2 as sv
from spatial_v2.simulation.stiffness import advised, poles


def stiff(t: float = 1.0, damping: float = 3e4) -> dict[str, Any]:
    """Return the arguments of `simulate` for two links, the second of which is nearly locked by a
    damper.
    """
    model = sv.autoTree(2).replace(gravity=[0, -9.81, 0], damping=[0.0, damping])
    return {"model": model, "x0": ([0.3, 0.2], [0.0, 0.0]), "t": [0.0, t]}


def message(**given: Any) -> str:
    """Return the text of the warning of a simulation, which is raised as an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", sv.ConvergenceWarning)
        with pytest.raises(sv.ConvergenceWarning, match="simulate: at t =") as found:
            sv.simulate(**given)
    return str(found.value)


@pytest.mark.parametrize("method", ["DOP853", "RK45"])
def test_the_warning_names_the_pole_and_the_step(method: str) -> None:
    """The warning states the pole of the damper and the largest step that it allows."""
    given = stiff()
    text = message(**given, method=method)
    step, steps, pole, limit = (float(x) for x in re.findall(r"-?[\d.]+e[+-]\d+", text))

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[2:], sv.FDab(given["model"], y[:2], y[2:], np.zeros(2))])

    found = poles(rate, 0.0, np.concatenate(given["x0"]))
    assert pole == pytest.approx(found.real.min(), rel=0.1)
    assert limit == pytest.approx({"DOP853": 6.1, "RK45": 3.3}[method] / -pole, rel=0.1)
    left = float(re.search(r"remaining ([\d.]+) s", text)[1])  # type: ignore[index]
    assert steps >= 0.9 * left / limit
    assert 0.3 * limit < step < 1.5 * limit
    assert "LSODA" in text


@pytest.mark.parametrize("method", ["LSODA", "Radau", "BDF"])
def test_stiff_methods_follow_the_motion_without_a_warning(method: str) -> None:
    """Methods for stiff equations need few evaluations, give no warning, and agree with an explicit
    method.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = sv.simulate(**stiff(0.1), method=method)
        begin, explicit = sv.simulate(**stiff(0.002), method=method), sv.simulate(**stiff(0.002))
    assert whole.nfev < 2000
    assert explicit.nfev > 1000
    np.testing.assert_allclose(begin.q[-1], explicit.q[-1], atol=1e-7)


@pytest.mark.slow
def test_stiff_gains_of_constraints_are_warned_of() -> None:
    """Baumgarte gains have poles, too, at -Kd / 2 if critically damped, and the warning
    names them.
    """
    model = sv.autoTree(3).replace(gravity=[0, -9.81, 0])
    tip = sv.PointConstraint(2, [1.0, 0.0, 0.0], directions=[[0, 1, 0]]).placed(
        model, [0.3, 0.2, 0.1]
    )
    q = sv.project_configuration(model, [0.3, 0.2, 0.1], [tip]).q
    qd = sv.project_velocity(model, q, [0.1, 0.0, 0.0], [tip])
    Kd = 4e4
    given: Any = {"constraints": [tip], "baumgarte": (Kd**2 / 4, Kd)}
    assert "a pole at -2.0e+04 1/s" in message(model=model, x0=(q, qd), t=[0.0, 3.0], **given)


@pytest.mark.parametrize("method", ["DOP853", "RK45", "RK23"])
def test_fast_motions_are_not_called_stiff(method: str) -> None:
    """Long motions that only need short steps for tight tolerances are not called stiff."""
    model = sv.autoTree(2).replace(gravity=[0, -9.81, 0], damping=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = sv.simulate(model, ([0.3, 0.2], [0, 0]), [0, 8], method=method, rtol=1e-6, atol=1e-8)
    assert done.t[-1] == 8


def test_the_warning_comes_early() -> None:
    """The warning comes within a minute of a computation that would take days."""
    begin = time.perf_counter()
    assert "so that the remaining" in message(**stiff(1e4))
    assert time.perf_counter() - begin < 60


@pytest.mark.parametrize("method", ["DOP853", "RK45", "RK23"])
@pytest.mark.slow
def test_dry_friction_at_rest_ends_an_explicit_method(method: str) -> None:
    """Dry friction that holds a joint ends an explicit method after a few thousand evaluations.

    The error names the joint, the steps and both remedies, which work.
    """
    swing = sv.autoTree(2).replace(friction=[0.0, 3.0], gravity=[0, -9.81, 0])
    count = 0

    def dynamics(*given: Any) -> Any:
        nonlocal count
        count += 1
        return sv.FDab(*given)

    given: Any = {"model": swing, "x0": ([0.1, 0.9], [0.0, 0.0]), "t": [0.0, 3.0]}
    with pytest.raises(
        sv.SpatialError, match=r"rest=, as dry friction holds joint 1 \('body1'\)"
    ) as e:
        sv.simulate(**given, dynamics=dynamics, method=method)
    assert count < 10_000
    assert "LSODA" in str(e.value)
    stays = sv.simulate(**given, method="LSODA")
    soft = sv.simulate(**given, method=method, rest=0.1)
    np.testing.assert_allclose(soft.q[-1, 0], stays.q[-1, 0], atol=0.1)


@pytest.mark.slow
def test_few_steps_left_against_dry_friction_are_a_warning() -> None:
    """If few steps remain, the simulation ends with a warning; it names only joints that friction
    holds.
    """
    block = sv.autoTree(1).replace(jtype=["Px"], gravity=[0, 0, 0], friction=2.0, I=[np.eye(6)])
    given: Any = {"model": block, "x0": ([0.0], [0.2]), "t": [0.0, 0.2], "method": "RK45"}
    assert "dry friction holds joint 0" in message(**given)
    assert "dry friction" not in message(**stiff(), method="RK45")


@pytest.mark.parametrize(("ratio", "named"), [(2.2, False), (1.8, True)])
def test_poles_that_oscillate_faster_than_they_decay_are_not_called_stiff(
    ratio: float, named: bool
) -> None:
    """A pole that oscillates faster than it decays is not called stiff: any method has to follow
    the oscillation.
    """
    a = 1e3

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        return np.array([y[1], -2 * a * y[1] - a * a * (1 + ratio**2) * y[0]])

    t = np.array([0.0, 3.0])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        solve_ivp(advised(rate, "RK45", t), t, [1.0, 0.0], max_step=1.0)
    assert bool(told) == named
