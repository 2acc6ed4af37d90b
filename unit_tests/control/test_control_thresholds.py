"""Numbers that decide in optimal control: just beside them the decision is another.

Each test has values that are nearer to the number than a factor of ten, in several units.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers import near

from spatial_v2 import Model, mcI
from spatial_v2.control import ControlCost, ShootingProblem, StateCost, Trajectory
from spatial_v2.control.bounded_descent import LastStep, has_converged
from spatial_v2.control.bounded_point import Errors
from spatial_v2.control.hessian_correction import Correction
from spatial_v2.control.least_violation import LeastViolation
from spatial_v2.control.limits import Limits
from spatial_v2.control.natural_units import have_fallen, scales
from spatial_v2.control.quadratic import Quadratic
from spatial_v2.control.riccati import Feedback, riccati
from spatial_v2.control.rows import Rows
from spatial_v2.control.saddles import downhill
from spatial_v2.control.shooting import Expansion, Shooting

UNITS = pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])


def one_stage(upper: float, unit: float, at: float = 0.0) -> Quadratic:
    """Return ``(u / unit - 1)^2 / 2`` under ``at + u <= upper``, for one control of one stage; its
    values count in `unit`, its costs in ones.
    """
    F, H, g = np.zeros((1, 2, 3)), np.zeros((2, 3, 3)), np.zeros((2, 3))
    H[0, 2, 2], g[0, 2] = 1 / unit**2, -1 / unit
    C = np.zeros((2, 1, 3))
    C[0, 0, 2] = 1.0
    v = np.array([[at], [0.0]])
    limits = Limits.of(np.full((2, 1), -np.inf), np.array([[upper], [np.inf]]))
    of_z, of_rows = np.array([1.0, 1.0, unit]), np.full((2, 1), unit)
    return Quadratic(
        F, H, g, np.zeros((1, 2)), C, v, limits, of_z, of_rows, 1.0, True, lambda: True
    )


@UNITS
@pytest.mark.parametrize(("excess", "active"), [(5e-10, True), (5e-11, False)])
def test_rows_become_active_if_they_are_violated_by_more_than_rounding(
    excess: float, active: bool, unit: float
) -> None:
    found = one_stage((1 - excess) * unit, unit).by_active_sets(np.zeros((2, 2, 1), dtype=bool))
    assert found is not None and (found.y[0, 0] != 0) == active


@UNITS
@pytest.mark.parametrize(("off", "consistent"), [(5e-6, False), (5e-7, True)])
def test_rows_that_no_step_meets(off: float, consistent: bool, unit: float) -> None:
    problem = one_stage(0.0, unit, off * unit)
    assert problem.has_consistent_rows(np.zeros((2, 3))) == consistent


@UNITS
@pytest.mark.parametrize(("curvature", "left"), [(-2e-6, True), (-5e-7, False), (1.0, False)])
def test_curvature_is_negative_beyond_rounding(curvature: float, left: bool, unit: float) -> None:
    F, Q = np.zeros((1, 1, 2, 3)), np.zeros((1, 2, 3, 3))
    Q[0, 0, 2, 2] = curvature / unit**2
    f = Feedback(np.zeros((1, 1, 1)), np.zeros((1, 1, 1, 2)), *np.zeros((3, 1)))
    units: Any = SimpleNamespace(control=np.array([[unit]]))
    x = Expansion(F, np.zeros((1, 2, 3)), Q)
    assert downhill(x, f, units, np.zeros((1, 1, 1), dtype=bool), 0) == left


@pytest.mark.parametrize(("excess", "failed"), [(3e-12, False), (3e-13, True)])
@UNITS
def test_hessians_of_controls_are_indefinite_up_to_rounding(
    excess: float, failed: bool, unit: float
) -> None:
    """A pivot of a Hessian counts as zero up to 1e-12 of its entry, in the kernel."""
    pytest.importorskip("numba")
    Q = np.zeros((1, 2, 4, 4))
    Q[0, 0, 2:, 2:] = unit * np.array([[1.0, 1.0], [1.0, 1.0 + excess]])
    x = Expansion(np.zeros((1, 1, 2, 4)), np.zeros((1, 2, 4)), Q)
    free = np.full((1, 1, 2), np.inf)
    assert riccati(x, np.zeros((1, 1, 2)), -free, free, np.zeros((1, 2))).failed[0] == failed


def test_how_often_a_hessian_is_made_stiffer() -> None:
    """Corrections grow from 1e-3 by factors of eight, and end beyond one hundred."""
    correction, tried = Correction(), []
    while not correction.is_stiffest and len(tried) < 20:
        correction.stiffen()
        correction.used = correction.shift
        tried.append(correction.used)
    near(tried, 1e-3 * 8.0 ** np.arange(7), 1e-12)


def test_when_the_unit_of_cost_is_renewed() -> None:
    assert have_fallen(np.array([0.5, 5.0]), np.array([100.0, 100.0])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("promised", "shift", "converged"),
    [(5e-14, 0.0, True), (5e-13, 0.0, False), (5e-14, 1e-4, False)],
)
def test_errors_are_rounding_if_a_step_promises_next_to_nothing(
    promised: float, shift: float, converged: bool
) -> None:
    """A step that a correction of the Hessian makes small promises little wherever it is."""
    last = LastStep(length=1.0, exact=True, shift=shift, promised=promised, error=1e-7)
    assert has_converged(Errors(0.8e-7, 0.0, 0.0, 0.0), 1e-8, last) == converged


@pytest.mark.parametrize(("certificate", "certified"), [(5e-7, True), (5e-6, False)])
def test_certificates_of_infeasible_problems(certificate: float, certified: bool) -> None:
    nothing = np.zeros((1, 1))
    at = Trajectory(nothing, nothing, nothing)
    assert LeastViolation(at, nothing, 1.0, nothing, certificate).certified == certified


def slide(mass: float) -> tuple[Shooting, Any]:
    """Return the stages of a mass on a slide, and a motion."""
    I = mcI(mass, [0, 0, 0], np.zeros((3, 3)))
    model = Model(parent=[-1], jtype=["Px"], Xtree=[np.eye(6)], I=[I], gravity=[0, 0, 0])
    goal = StateCost(model, [1.0], 5.0, 2.0)
    s = Shooting(ShootingProblem(model, [0.3], [0.0], np.full(4, 0.1), [ControlCost(0.3)], [goal]))
    rng = np.random.default_rng(0)
    q, qd = rng.normal(size=(2, 1, 5, 1))
    return s, s.evaluate(Trajectory(q, qd, mass * rng.normal(size=(1, 4, 1))))


@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e3])
def test_the_least_unit_of_cost_is_that_of_rounding_errors(mass: float) -> None:
    """It is 1e-12 of what the curvature of the costs makes of the states and controls."""
    s, e = slide(mass)
    x = s.expand(e, False)
    u = 0.1 * 0.3 * np.square(e.at.u).sum()
    end = 5.0 * e.at.q[0, -1, 0] ** 2 + 2.0 * e.at.qd[0, -1, 0] ** 2
    near(scales(s, e, x)[1], [1e-12 * (u + end)], 1e-10)


@UNITS
def test_units_of_rows_at_an_instant_are_a_thousandth_at_least(unit: float) -> None:
    part: Any = SimpleNamespace(where=np.arange(3), rows=slice(0, 1))
    rows: Any = SimpleNamespace(parts=[part])
    C = unit * np.array([1.0, 5e-4, 5e-3])[None, :, None, None]
    found, _ = Rows.units(rows, C, np.ones((1, 3, 1, 1)))
    near(found[0, :, 0], unit * np.array([1.0, 1e-3, 5e-3]), 1e-12)
