"""Search directions of shooting methods, by Riccati recursions with corrected Hessians."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.control.bounded import Bounds, Minimum, minimise
from spatial_v2.control.riccati import Feedback, linear_rollout, merit, riccati
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory

__all__ = ["SHORT", "Direction", "direction", "next_correction"]

FIRST, GROWTH, LARGEST = 1e-3, 10.0, 1e17
"""First correction of a Hessian, relative to the curvature of the costs with respect to each of the
controls; factor by which corrections grow; the largest one.
"""
SHORT, LONG = 0.3, 0.9
"""Step lengths below which corrections grow, and above which they decay."""


class Direction(NamedTuple):
    """Search direction of B problems: feedback, and the changes of states and controls."""

    feedback: Feedback
    dx: np.ndarray
    du: np.ndarray
    multipliers: np.ndarray
    """Multipliers of the quadratic problem, shape (B, S + 1, 2 NV)."""
    exact: np.ndarray
    """True for problems whose exact Hessian is used, shape (B,)."""
    shift: np.ndarray
    """Multiple of the curvatures of the costs with respect to the controls that is added to the
    Hessian, shape (B,).
    """


def direction(
    s: Shooting, e: Evaluation, x: Expansion, method: str, p: np.ndarray, shift: np.ndarray,
    approximate: np.ndarray, on_time: Callable[[], bool],
) -> Direction:  # fmt: skip
    """Compute the search direction of a method at the trajectories e with their derivatives x; the
    Hessians in x are overwritten.

    Parameters
    ----------
    s : Shooting
        The stages.
    e, x : Evaluation, Expansion
        Trajectories of B problems, and their derivatives.
    method : {"newton", "ddp", "ilqr"}
        Weights of the Hessians of the dynamics: multipliers of the defects, the gradients of the
        cost to go, or none.
    p : array, shape (B, S + 1, 2 NV)
        Multipliers of the defects.
    shift : array, shape (B,)
        The corrections to begin with; see `next_correction`.
    approximate : array, shape (B,)
        True for problems that use the Gauss-Newton Hessian. If all do, those in x are such.
    on_time : callable
        Returns False if no time is left; then problems without a direction fail.
    """
    bounds, shift = (s.lower - e.at.u, s.upper - e.at.u), shift.copy()
    added = shift[:, None] * (curvatures(s, x.F, x.Q) if shift.any() else np.ones(s.m))
    if approximate.all():
        method = "ilqr"
    if method == "ddp":
        f = dynamic_programming(s, e, x, bounds, added)
        low, high = np.where(bounds[0] < 0, -np.inf, 0), np.where(bounds[1] > 0, np.inf, 0)
        minimum = Minimum(f, *linear_rollout(x, e.defects, low, high, f))
        if s.bounded:
            _, lagrangian, slope = merit(
                e.defects, minimum.multipliers, f.stiffness, x.g, minimum.dx, minimum.du
            )
            f.failed[:] |= slope > lagrangian
    else:
        if method == "newton":
            s.add_hessians(e, x, p)
        minimum = minimise(x, e.defects, bounds, added, s.bounded, on_time)
    failed = minimum.feedback.failed
    if method != "ilqr":
        failed |= approximate
    exact = ~failed & (method != "ilqr")
    if failed.any():
        correct(s, e, x, bounds, minimum, shift, on_time)
    return Direction(*minimum, exact, shift)


def correct(
    s: Shooting, e: Evaluation, x: Expansion, bounds: Bounds, found: Minimum, shift: np.ndarray,
    on_time: Callable[[], bool],
) -> None:  # fmt: skip
    """Correct the Hessians of the problems that failed, and write their directions into `found` and
    their corrections into `shift`.

    A problem fails if its Hessian is indefinite for changes of state and controls that satisfy the
    linearised dynamics, if no active set or no direction of descent is found, or if it is told to
    use the Gauss-Newton Hessian. That replaces the Hessian in all cases. If a problem fails with it
    as well, growing multiples of the curvatures are added until it does not, as in IPOPT: Waechter
    and Biegler (2006), Sec. 3.1.
    """
    _, Q = s.expand_costs(e.at, False)
    curved, tried = curvatures(s, x.F, Q), np.zeros(len(shift), dtype=bool)
    while (some := np.flatnonzero(found.feedback.failed & (shift < LARGEST))).size and on_time():
        grown = np.maximum(GROWTH * shift, FIRST)
        shift[some] = np.where(tried, grown, shift)[some]
        which = some if len(some) < len(shift) else slice(None)
        part = Expansion(x.F[which], x.g[which], Q[which])
        low, high = (y[which] for y in bounds)
        added = (shift[:, None] * curved)[which]
        new = minimise(part, e.defects[which], (low, high), added, s.bounded, on_time)
        tried[some] = True
        for y, y_some in zip((*found.feedback, *found[1:]), (*new.feedback, *new[1:]), strict=True):
            y[some] = y_some


def curvatures(s: Shooting, F: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Compute the mean curvature in the Hessians Q of the costs with respect to each of the
    controls, shape (B, m).

    If a control costs nothing, it is the curvature with respect to the states that it changes by
    the derivatives F; 1 if it changes nothing.
    """
    n, k = 2 * s.n, s.intervals  # the controls of impacts have entries that tell nothing
    curved = np.abs(np.diagonal(Q, axis1=-2, axis2=-1))
    of_u = curved[:, :-1, n:][:, k].mean(axis=1)
    if not of_u.all():
        of_x = curved[..., :n].mean(axis=1)[:, None, :, None]
        by_x = (np.square(F[:, k, :, n:]) * of_x).sum(axis=-2).mean(axis=1)
        of_u = np.where(of_u > 0, of_u, np.where(by_x > 0, by_x, 1.0))
    return np.asarray(of_u)


def next_correction(shift: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Compute the corrections of the next iteration from the step lengths of this one: they grow
    after short steps, decay after long ones, and are zero below the first correction.
    """
    grown = np.where(length < SHORT, np.maximum(GROWTH * shift, FIRST), shift)
    corrections = np.where(length > LONG, shift / GROWTH, grown)
    return np.where(corrections < FIRST, 0.0, corrections)


def dynamic_programming(
    s: Shooting, e: Evaluation, x: Expansion, bounds: Bounds, shift: np.ndarray
) -> Feedback:
    """Compute the feedback of differential dynamic programming, in which the gradient of the cost
    to go weights the Hessians of the stages.
    """
    B, S, n, z = x.F.shape
    f = Feedback(
        np.zeros((B, S, z - n)), np.zeros((B, S, z - n, n)), np.zeros((B, S + 1, n)),
        np.zeros((B, S + 1, n, n)), np.zeros(B, dtype=bool),
    )  # fmt: skip
    f.p[:, S], f.P[:, S] = x.g[:, S, :n], x.Q[:, S, :n, :n]
    low, high = bounds
    for k in reversed(range(S)):
        one = slice(k, k + 1)
        g, Q, c = x.g[:, k : k + 2].copy(), x.Q[:, k : k + 2].copy(), e.defects[:, one]
        g[:, 1, :n], Q[:, 1, :n, :n] = f.p[:, k + 1], f.P[:, k + 1]
        stage = s.stage(k, Trajectory(*(y[:, k] for y in e.at)))
        stage.values()
        stage.jacobian(np.zeros((B, 1, n, z)))
        ahead = f.p[:, k + 1] + (f.P[:, k + 1] @ c[:, 0, :, None])[..., 0]
        stage.add_hessian(s.weights(x, one, ahead[:, None]), Q[:, :1])
        part = Expansion(x.F[:, one], g, Q)
        feedback = riccati(part, c, low[:, one], high[:, one], shift)
        for whole, new in zip(f[:4], feedback[:4], strict=True):
            whole[:, k] = new[:, 0]
        f.failed[:] |= feedback.failed
    return f
