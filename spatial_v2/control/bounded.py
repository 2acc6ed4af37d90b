"""Quadratic problems with bounds on the controls, solved by an active-set method.

Bounds on controls alone do not go the way of bounds on quantities, which are rows of
`bounded_newton`: a recursion that knows which controls are fixed is smaller than one with rows, it
takes all problems of a batch at once, and with the recursion's own first active set the problems of
``python -m benchmarks control`` need fewer iterations and less time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.control.riccati import Feedback, linear_rollout, riccati
from spatial_v2.control.shooting import Expansion

__all__ = ["Bounds", "Minimum", "minimise"]

SWEEPS, PATIENCE = 200, 10
"""Maximum number of active sets that are tried; number of sets in a row that have no fewer wrong
controls than before, after which one control at a time changes.
"""

Bounds = tuple[np.ndarray, np.ndarray]
"""Lower and upper bounds on the changes of the controls, shape (B, S, m): B problems, S stages, m
controls.
"""


class Minimum(NamedTuple):
    """Solution of a quadratic problem: feedback, and the changes of states and controls."""

    feedback: Feedback
    dx: np.ndarray
    du: np.ndarray
    multipliers: np.ndarray
    """Multipliers of the dynamics of the stages, shape (B, S + 1, 2 NV)."""


def minimise(
    x: Expansion, c: np.ndarray, bounds: Bounds, shift: np.ndarray, bounded: bool,
    on_time: Callable[[], bool],
) -> Minimum:  # fmt: skip
    """Minimise the quadratic cost of all stages under linear dynamics, with bounds on the controls.

    c has the defects of the dynamics; `shift` (B, m) is added to the diagonal of the Hessian with
    respect to the controls. Unless `bounded`, all bounds are infinite.

    A Riccati recursion that applies the bounds in each stage, as if the state before the stage did
    not change, gives a first motion. The controls at their bounds in this motion are the first
    active set. The signs of the multipliers then decide which controls enter or leave the set,
    until it no longer changes: the primal-dual active set method of Hintermueller, Ito, Kunisch
    (2003). Where the number of wrong controls stops decreasing, only the last of them changes, so
    that sets do not recur: Judice and Pires (1994). A problem fails if it has no minimum for one of
    the sets, if too many controls are wrong to be changed one at a time, or if no time is left.
    """
    f = riccati(x, c, *bounds, shift)
    minimum = Minimum(f, *linear_rollout(x, c, *bounds, f))
    low, high = bounds
    if not bounded or f.failed.all():
        return minimum
    failed, count, sets = (
        f.failed,
        np.zeros(len(c)),
        np.array([minimum.du <= low, minimum.du >= high]),
    )
    least, left = np.full(len(c), np.inf), np.full(len(c), PATIENCE)
    for k in range(SWEEPS):
        if not on_time():
            failed = np.ones_like(failed)
            break
        at_low, at_high = sets
        fixed = np.where(at_low, low, -np.inf), np.where(at_high, high, np.inf)
        fixed = np.where(at_high, high, fixed[0]), np.where(at_low, low, fixed[1])
        f = riccati(x, c, *fixed, shift)
        minimum = Minimum(f, *linear_rollout(x, c, *fixed, f))
        if (failed := failed | f.failed).all():
            break
        with np.errstate(all="ignore"):
            slope = slopes(x, minimum, shift)
        new = np.array(
            [
                (minimum.du < low) | at_low & (slope > 0),
                (minimum.du > high) | at_high & (slope < 0),
            ]
        )
        wrong = (new != sets).any(axis=0)
        wrong[failed] = False
        count = wrong.sum(axis=(-2, -1))
        if not count.any():
            break
        left = np.where(count < least, PATIENCE, left - 1)
        least = np.minimum(count, least)
        failed = failed | (left < 0) & (count > (SWEEPS - k) / 2)
        for b in np.flatnonzero((left < 0) & (count > 1)):
            wrong[b].flat[np.flatnonzero(wrong[b])[:-1]] = False
        sets = np.where(wrong, new, sets)
    f.failed[:] = failed | (count > 0)
    return minimum


def slopes(x: Expansion, found: Minimum, shift: np.ndarray) -> np.ndarray:
    """Compute the gradient of the quadratic cost with respect to the controls at the motion
    `found`, shape (B, S, m); the states depend on the controls by the dynamics.
    """
    n = x.F.shape[-2]
    z = np.concatenate([found.dx[:, :-1], found.du], axis=-1)[..., None]
    rows = x.g[:, :-1, n:] + (x.Q[:, :-1, n:] @ z)[..., 0] + shift[:, None] * found.du
    F_u = np.matrix_transpose(x.F[..., n:])
    return np.asarray(rows + (F_u @ found.multipliers[:, 1:, :, None])[..., 0])
