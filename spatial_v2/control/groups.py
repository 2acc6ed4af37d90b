"""Several problems, solved in groups, and their solutions and logs as those of one batch."""

from __future__ import annotations

import numpy as np

from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.solution import Iteration, Solution

__all__ = ["alone", "groups", "joint_log", "joint_solution", "own_log"]

BYTES = 1 << 23
"""Least size of the Hessians of a group, less than half the largest: arrays of more than 32 MiB are
always new memory from the system, which takes the time to fill it with zeros.
"""


def groups(s: Shooting, t: Trajectory) -> list[Trajectory]:
    """Split the trajectories of B problems into groups of nearly equal size, at least two in each:
    the functions of a single one may round differently.
    """
    each = 8 * (s.stages + 1) * (2 * s.n + s.m) ** 2
    count = len(t.q) // max(BYTES // each, 2)
    if count < 2:
        return [t]
    return [Trajectory(*x) for x in zip(*(np.array_split(y, count) for y in t), strict=True)]


def joint_solution(found: list[Solution]) -> Solution:
    """Return the solutions of groups of problems as one."""
    if len(found) == 1:
        return found[0]
    t = Trajectory(*map(np.concatenate, zip(*(x.trajectory for x in found), strict=True)))
    cost, status, p, K = map(np.concatenate, zip(*(x[1:5] for x in found), strict=True))
    return Solution(t, cost, status, p, K, joint_log([x.log for x in found]))


def alone(found: Solution) -> Solution:
    """Return the solution of a single problem, without leading axes."""
    t, cost, status, p, K = Trajectory(*(x[0] for x in found.trajectory)), *found[1:5]
    return Solution(t, cost[0], str(status[0]), p[0], K[0], own_log(found.log, 0))


def own_log(log: list[Iteration], b: int) -> list[Iteration]:
    """Return the lines of problem b in the log of several."""
    lines = (Iteration._make([*(y[b] for y in x[:-1]), x.seconds]) for x in log)
    return [x for x in lines if not np.isnan(x.cost)]


def joint_log(logs: list[list[Iteration]]) -> list[Iteration]:
    """Return the logs of problems, or of groups of problems, as one, with NaN for problems that
    have ended.
    """
    lines = list[Iteration]()
    for k in range(max(map(len, logs))):
        each = [
            np.reshape(x[k][:-1] if k < len(x) else np.full_like(x[0][:-1], np.nan), (7, -1))
            for x in logs
        ]
        seconds = max(x[k].seconds for x in logs if k < len(x))
        lines.append(Iteration._make([*np.concatenate(each, axis=1), seconds]))
    return lines
