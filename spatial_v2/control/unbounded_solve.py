"""Solutions of shooting problems without bounds on quantities, many at once."""

from __future__ import annotations

from spatial_v2.control.culprits import check_finite
from spatial_v2.control.descent import Descent
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.solution import Solution
from spatial_v2.control.stopping import Stopping

__all__ = ["iterate"]


def iterate(
    s: Shooting, t: Trajectory, stopping: Stopping, method: str, warm: bool = False
) -> Solution:
    """Do the iterations of a method from the trajectories t of B problems, which are those of a
    solution if `warm`; see `solve`. The result of a problem does not depend on the others.
    """
    guess = s.evaluate(t, ahead=True)
    check_finite(s, guess, "guess")
    problems = Descent(s, guess, stopping, method, warm)
    while True:
        problems.expand()
        problems.measure()
        problems.test_convergence()
        problems.keep_best()
        if not problems.drop_ended():
            return problems.solution()
        problems.step(problems.direction())
