"""A second method for the problems that the first one gave up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_v2.control.groups import joint_log, own_log
from spatial_v2.control.shooting import Trajectory
from spatial_v2.control.solution import Solution

__all__ = ["again"]


def again(
    found: Solution, t: Trajectory, max_iterations: int,
    method: Callable[[Trajectory, np.ndarray], Solution],
) -> Solution:  # fmt: skip
    """Return the solutions, in which another method has solved the problems that the first one gave
    up, without descent or with an indefinite Hessian.

    It begins at the same trajectories t, with the numbers of iterations that are left to each.
    """
    gave_up = np.isin(found.status, ("no_descent", "indefinite"))
    if not gave_up.any():
        return found
    logs = [own_log(found.log, b) for b in range(len(gave_up))]
    left = max_iterations + 1 - np.array([len(x) for x in logs])
    some = np.flatnonzero(gave_up & (left > 0))
    if not some.size:
        return found
    new = method(Trajectory(*(x[some] for x in t)), left[some])
    better = new.status == "converged"
    for k, b in enumerate(some.tolist()):
        logs[b] += own_log(new.log, k)[1:]
    for old, other in zip(
        (*found.trajectory, *found[1:5]), (*new.trajectory, *new[1:5]), strict=True
    ):
        old[some[better]] = other[better]
    return found._replace(log=joint_log(logs))
