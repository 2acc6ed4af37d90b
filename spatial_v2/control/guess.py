"""The trajectory that a solver starts from."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.solution import Solution
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["initial_trajectory", "trajectories"]


def initial_trajectory(
    s: Shooting, guess: Trajectory | Solution | None, name: str = "guess"
) -> tuple[Trajectory, bool]:
    """Return the trajectories to start from, and True if there is a single problem.

    The guess gets a leading axis of B problems. It is changed to begin at the initial state, with
    controls within their bounds. Without a guess the state stays constant, and the controls are
    zero. `name` is that of the argument, for messages.
    """
    problem, model = s.problem, s.model
    lead = np.broadcast_shapes(problem.q.shape[:-1], problem.qd.shape[:-1])
    q = np.broadcast_to(problem.q, (*lead, model.NQ)).reshape(-1, 1, model.NQ)
    qd = np.broadcast_to(problem.qd, (*lead, model.NV)).reshape(-1, 1, model.NV)
    start = (q, qd, np.zeros((1, 1, s.m))) if guess is None else guess
    t = trajectories(s, start, len(q), name)
    t.q[:, :1], t.qd[:, :1] = q, qd
    np.clip(t.u, s.lower, s.upper, out=t.u)
    t.u[:, s.impacts] = 0.0
    if not all(np.isfinite(x).all() for x in t):
        raise SpatialError(f"{name}: want finite numbers, got NaN or infinity")
    return t, not lead


def trajectories(s: Shooting, given: Any, B: int, name: str) -> Trajectory:
    """Return copies of a trajectory or solution, with a leading axis of B problems."""
    given, S = given.trajectory if isinstance(given, Solution) else given, s.stages
    if not isinstance(given, tuple) or len(given) != 3:
        raise TypeError(f"{name}: want a Trajectory or a Solution, got {type(given).__name__}")
    shapes, parts = ((S + 1, s.model.NQ), (S + 1, s.n), (S, s.m)), []
    for part, x, shape in zip(Trajectory._fields, given, shapes, strict=True):
        x = as_real(x, f"{name}: {part}")
        try:
            parts.append(np.broadcast_to(x, (B, *shape)).copy())
        except ValueError:
            got = np.shape(x)
            raise ArrayShapeError(f"{name}: {part}: want shape {shape}, got {got}") from None
    return Trajectory(*parts)
