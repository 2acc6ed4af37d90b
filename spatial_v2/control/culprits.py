"""The causes that make a motion of a shooting problem NaN or infinite."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spatial_v2.control.rows import instants
from spatial_v2.control.shooting import Evaluation, Shooting
from spatial_v2.exceptions import SpatialError

__all__ = ["check_derivatives", "check_finite"]


def check_finite(s: Shooting, e: Evaluation, name: str, rows: np.ndarray | float = 0.0) -> None:
    """Raise an error unless costs, ends of stages and values of the rows of bounded quantities are
    finite; `name` is that of the argument with the motion.
    """
    if all(np.isfinite(x).all() for x in (e.cost, e.defects, rows)):
        return
    for value, what, instant in culprits(s, e):
        s.check_rank(e.at)
        raise SpatialError(
            f"{name}: want a motion with finite costs, bounded quantities and ends of intervals; "
            f"got {value:g} from {what} at instant {instant}; start from another motion, or leave "
            "that instant out"
        )


def check_derivatives(s: Shooting, e: Evaluation) -> None:
    """Raise an error that names the cost unless the derivatives of the costs are finite."""
    numbers, last = np.arange(s.stages)[s.intervals], np.array([s.stages])
    for name, where in (("running", numbers), ("terminal", last)):
        at = instants(e.at, where)
        z = 2 * s.n + at.u.shape[-1]
        for k, cost in enumerate(getattr(s.problem, name)):
            own = np.zeros((len(e.cost), len(where), z)), np.zeros((len(e.cost), len(where), z, z))
            cost.add_derivatives(at, *own, True)
            every = np.concatenate([own[0], own[1].reshape(*own[0].shape[:2], -1)], axis=-1)
            for value, what, instant in bad(every, where, f"{name}[{k}]"):
                raise SpatialError(
                    f"{what}: want a cost whose derivatives are finite at the guess, got {value:g} "
                    f"at instant {instant}; start from another motion"
                )


def culprits(s: Shooting, e: Evaluation) -> Iterator[tuple[float, str, int]]:
    """Iterate over values that are not finite, with what they are of and their instants."""
    t, problem = e.at, s.problem
    numbers, last = np.arange(s.stages)[s.intervals], np.array([s.stages])
    for name, where in (("running", numbers), ("terminal", last)):
        at = instants(t, where)
        for k, cost in enumerate(getattr(problem, name)):
            yield from bad(np.asarray(cost.value(at))[..., None], where, f"{name}[{k}]")
        for k, bounds in enumerate(getattr(problem, f"{name}_bounds")):
            some = where[bounds.intervals] if name == "running" else where
            values = np.asarray(bounds.quantity.value(instants(t, some)))
            yield from bad(values, some, f"{name}_bounds[{k}]")
    yield from bad(e.defects, np.arange(s.stages), "the end of the interval")


def bad(x: np.ndarray, where: np.ndarray, what: str) -> Iterator[tuple[float, str, int]]:
    """Iterate over the entries of x (B, instants, k) that are not finite."""
    for index in np.argwhere(~np.isfinite(x)):
        yield float(x[tuple(index)]), what, int(where[index[1]])
