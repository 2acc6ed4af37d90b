"""Search directions of shooting methods, by Riccati recursions with corrected Hessians."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.control.riccati import Feedback, linear_rollout, riccati
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting

__all__ = ["Direction", "direction"]

FIRST, GROWTH, DECAY, LARGEST = 1e-4, 8.0, 3.0, 1e12
"""Corrections: the first and the largest relative to the controls' curvature, and their ratios."""


class Direction(NamedTuple):
    """Changes of B trajectories, and the feedback that makes them."""

    feedback: Feedback
    dx: np.ndarray
    du: np.ndarray
    multipliers: np.ndarray
    """Of the quadratic problem, shape (B, S + 1, 2 NV)."""
    shift: np.ndarray
    """Correction of the Hessian, shape (B,)."""


Sweep = Callable[[np.ndarray, np.ndarray], Feedback]
"""Feedback of some problems of a batch, given their numbers and corrections."""


def direction(
    shooting: Shooting, e: Evaluation, x: Expansion, method: str, p: np.ndarray, last: np.ndarray
) -> Direction:
    """The direction of a method.

    Parameters
    ----------
    shooting : Shooting
        The stages.
    e, x : Evaluation, Expansion
        Trajectories of B problems, and their derivatives; Q is that of the costs.
    method : {"newton", "ddp", "ilqr"}
        The method.
    p : array, shape (B, S + 1, 2 NV)
        Costates.
    last : array, shape (B,)
        Corrections of the last directions; zero for none.
    """
    bounds = shooting.lower - e.at.u, shooting.upper - e.at.u
    if method == "newton":
        shooting.add_hessians(e, p, x.Q)

    def sweep(some: np.ndarray, shift: np.ndarray) -> Feedback:
        if len(some) == len(last):
            return backwards(x, e.defects, *bounds, shift)
        part = Expansion(*(y[some] for y in x))
        return backwards(part, e.defects[some], *(y[some] for y in bounds), shift)

    backwards = riccati
    f, shift = corrected(sweep, x, last)
    return Direction(f, *linear_rollout(x, e.defects, *bounds, f), shift)


def corrected(sweep: Sweep, x: Expansion, last: np.ndarray) -> tuple[Feedback, np.ndarray]:
    """Feedback with as small a correction of the Hessian as makes it positive definite.

    No correction is tried first, so that convergence stays quadratic; then those of IPOPT: Waechter
    and Biegler (2006), Sec. 3.1.
    """
    n, shift = x.F.shape[-2], np.zeros(len(last))
    found = sweep(np.arange(len(last)), shift)
    scale = np.abs(np.diagonal(x.Q, axis1=-2, axis2=-1)[..., n:]).mean(axis=(-2, -1))
    while (some := np.flatnonzero(found.failed & (shift < LARGEST * scale))).size:
        first = np.where(last > 0, last / DECAY, FIRST * scale)
        shift[some] = np.where(shift > 0, GROWTH * shift, np.maximum(first, FIRST * scale))[some]
        for whole, part in zip(found, sweep(some, shift[some]), strict=True):
            whole[some] = part
    return found, shift
