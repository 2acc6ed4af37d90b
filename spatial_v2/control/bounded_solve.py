"""Solutions of shooting problems with bounds on quantities, one problem after the other."""

from __future__ import annotations

import numpy as np

from spatial_v2.control.bounded_descent import BoundedDescent, BoundedSolution
from spatial_v2.control.culprits import check_finite
from spatial_v2.control.groups import joint_log
from spatial_v2.control.optimum import row_multipliers, system_at
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.solution import Solution
from spatial_v2.control.stopping import Stopping

__all__ = ["one_by_one"]


def solve_bounded(
    s: Shooting, t: Trajectory, y: np.ndarray | None, method: str, stopping: Stopping
) -> BoundedSolution:
    """Solve one problem from the trajectory t, with a leading axis of length one, by Newton's
    method with bounds as rows; y has multipliers of the rows if the guess is a solution.
    """
    problem = BoundedDescent(s, t, y, method, stopping)
    while not problem.status:
        problem.measure()
        if problem.ends() or problem.begins_again():
            continue
        if not problem.step():
            problem.seek_bounds()
    return problem.solution()


def one_by_one(
    s: Shooting, t: Trajectory, guess: Trajectory | Solution | None, stopping: Stopping, *,
    method: str, single: bool,
) -> Solution:  # fmt: skip
    """Solve problems with bounds on quantities from the trajectories t, one after the other, with
    the multipliers of the guess if it is a solution; see `solve`.
    """
    e, rows, each = s.evaluate(t), Rows(s, t), list[BoundedSolution]()
    check_finite(s, e, "guess", rows.values(t))
    warm = isinstance(guess, Solution)
    y = np.zeros(rows.shape)
    if isinstance(guess, Solution):
        lead = [x[None] if single and x.ndim == 2 else x for x in guess.multipliers]
        p = guess.costates[None] if single and guess.costates.ndim == 2 else guess.costates
        y, _ = row_multipliers(s, e, rows, lead, s.expand(e, False), "guess", p)
    for b in range(len(y)):
        part = Trajectory(*(x[b : b + 1] for x in t))
        each.append(solve_bounded(s, part, y[b] if warm else None, method, stopping))
    status = np.array([x.status for x in each])
    q, qd, u = (np.concatenate(x) for x in zip(*(x.e.at for x in each), strict=True))
    cost, p, K, y = (
        np.concatenate(x) for x in zip(*((x.e.cost, x.p, x.K, x.y) for x in each), strict=True)
    )
    multipliers, done = rows.unpacked(y), status == "converged"
    if done.any():  # gains of active bounds on quantities with the exact Hessian
        exact = system_at(s, s.evaluate(Trajectory(q, qd, u)), multipliers, p).system
        K = np.where((done & ~exact.failed)[:, None, None, None], exact.feedback(), K)
    log, violation = joint_log([x.log for x in each]), [x.violation for x in each]
    if not single:
        return Solution(Trajectory(q, qd, u), cost, status, p, K, log, multipliers, violation)
    one = Trajectory(q[0], qd[0], u[0]), cost[0], str(status[0]), p[0], K[0], each[0].log
    return Solution(*one, [x[0] for x in multipliers], violation[0])
