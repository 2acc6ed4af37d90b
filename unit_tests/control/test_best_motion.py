"""An iteration that ends early returns the best of its motions, with what it violates."""

from __future__ import annotations

import numpy as np
import pytest
from test_exact_bounds import swing
from test_solver_units import cart

from spatial_v2.control import ShootingProblem, Solution, solve
from spatial_v2.control.best_motion import is_better
from spatial_v2.control.solution import Iteration


def off(line: Iteration) -> float:
    return float(np.nanmax([line.infeasibility, line.violation]))


def line_of(found: Solution) -> Iteration:
    """Return the line of the log about the motion that was returned."""
    return next(x for x in found.log if x.cost == found.cost)


@pytest.mark.parametrize(
    ("problem", "ends"), [(swing()[0], (2, 11, 12)), (cart([2]), (1, 4, 8, 12))]
)
def test_no_motion_before_is_better(problem: ShootingProblem, ends: tuple[int, ...]) -> None:
    """Neither the motion of the last step, which may be worse than others, nor another one of the
    log has both less cost and smaller defects and violations.
    """
    last = []
    for most in ends:
        found = solve(problem, max_iterations=most)
        best = line_of(found)
        assert found.status == "max_iterations" and found.iterations == most
        assert not any(x.cost < best.cost and off(x) < off(best) for x in found.log)
        last.append(best is found.log[-1])
    assert not all(last), "in some of them the last motion is not the best"


def test_several_problems_have_their_own_best_motions() -> None:
    """Those of a batch are those of each problem alone."""
    one = cart([2])
    q = np.array([one.q, one.q + 0.1])
    names = "model", "h", "running", "terminal", "actuation"
    same = {name: getattr(one, name) for name in names}
    many = solve(ShootingProblem(q=q, qd=0 * q, **same), max_iterations=4)
    for k in range(2):
        alone = solve(ShootingProblem(q=q[k], qd=0 * q[k], **same), max_iterations=4)
        assert many.cost[k] == pytest.approx(alone.cost, rel=1e-9)


def test_what_a_violation_costs() -> None:
    """A violation of a natural unit is worth a hundred units of cost, whatever these are."""
    for unit in (1.0, 2.0**20):
        step = np.sqrt(unit)
        assert is_better((0.0, step), (300.0 * unit, 0.0), unit)
        assert not is_better((0.0, step), (30.0 * unit, 0.0), unit)
