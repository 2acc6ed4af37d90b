"""A second method for the problems that the first one gave up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.control.shooting import Trajectory
from spatial_v2.control.solution import Iteration, Solution

__all__ = ["again"]


def again(
    found: Solution, t: Trajectory, single: bool, max_iterations: int,
    method: Callable[[Trajectory, int], Solution],
) -> Solution:  # fmt: skip
    """Return the solutions, in which another method has solved the problems that the first one gave
    up, without descent or with an indefinite Hessian.

    It begins at the same trajectories t, with the number of iterations that are left.
    """
    gave_up = np.isin(np.atleast_1d(found.status), ("no_descent", "indefinite"))
    left = max_iterations - found.iterations
    if left <= 0 or not gave_up.any():
        return found
    new = method(Trajectory(*(x[gave_up] for x in t)), left)
    better = np.asarray(new.status == "converged")
    log = found.log + [whole_line(x, gave_up, single) for x in new.log[1:]]
    if not better.any():
        return found._replace(log=log)
    where = np.flatnonzero(gave_up)[better]

    def merged(old: Any, other: Any) -> Any:
        whole = np.array(old)[None] if single else np.array(old)
        whole[where] = other[better]
        return whole[0] if single else whole

    motion = Trajectory(*map(merged, found.trajectory, new.trajectory))
    cost, status, p, K = (
        merged(getattr(found, x), getattr(new, x)) for x in ("cost", "status", "costates", "gains")
    )
    return Solution(motion, cost, str(status) if single else status, p, K, log)


def whole_line(line: Iteration, some: np.ndarray, single: bool) -> Iteration:
    """Return a line of the log of some problems as one of all, with NaN for the others."""
    each = np.full((7, len(some)), np.nan)
    each[:, some] = line[:-1]
    return Iteration._make([*(each[:, 0] if single else each), line.seconds])
