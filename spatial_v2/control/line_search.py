"""Line searches of shooting methods, on an augmented Lagrangian of costs and defects."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.control.directions import Direction
from spatial_v2.control.displacements import add, difference
from spatial_v2.control.riccati import Feedback, merit
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory

__all__ = ["Step", "closed", "line_search", "moved_along", "simulated"]

ARMIJO, HALVINGS, ROUNDING = 1e-4, 40, 1e-13
"""Least decrease of the merit function relative to its slope; maximum number of halvings of a step;
rounding error of the cost, relative to the cost.
"""
TINY = 1e-200
"""Sums of squares of defects that count as zero; a quotient by smaller ones may overflow."""
LEAST = 0.01
"""Least penalty, relative to the stiffness of the cost to go. Larger penalties shorten steps."""
SLACK = 1e-10
"""Rounding error of a slope, relative to the sum of its absolute terms."""


class Step(NamedTuple):
    """Trajectories after a step."""

    e: Evaluation
    length: np.ndarray
    """Step lengths from 0 to 1, shape (B,); 0 if no step reduces the merit function."""
    penalty: np.ndarray
    """Penalties of the merit function, shape (B,)."""
    decrease: np.ndarray
    """Decrease of the merit function that a full step promises to first order, shape (B,)."""


def line_search(
    shooting: Shooting, e: Evaluation, x: Expansion, d: Direction, penalty: np.ndarray,
    method: str, on_time: Callable[[], bool], ahead: bool = False,
) -> Step:  # fmt: skip
    """Find the longest of the steps 1, 1/2, 1/4, ... that decreases the merit function enough.

    The merit function is ``cost + multipliers . c + penalty c . D c / 2`` with the defects c and
    the stiffness D of the cost to go, in which defects of all variables are costs. Since it uses
    the multipliers of the quadratic problem, full steps near a solution decrease it, which
    they may not do for a merit function with the sum of absolute defects. The penalty is increased
    if the direction is not a descent direction of the merit function. If `ahead`, derivatives will
    be needed after the step: most steps are full ones, so that the first trial prepares them.

    A large constant in the costs hides how much a step changes them. Where values of the merit
    function differ by no more than rounding errors, its slopes before and after a step of Newton's
    method decide: Hager and Zhang, "A new conjugate gradient method with guaranteed descent and an
    efficient line search" (2005), Sec. 4.
    """
    stiffness = d.feedback.stiffness
    square, lagrangian, slope = merit(e.defects, d.multipliers, stiffness, x.g, d.dx, d.du)
    slope = slope - lagrangian
    needed = np.divide(2 * slope, square, out=np.zeros_like(slope), where=square > TINY)
    penalty = np.maximum.reduce([penalty, np.full_like(slope, LEAST), needed])
    slope = slope - penalty * square
    before = e.cost + lagrangian + penalty * square / 2
    noise = ROUNDING * (np.abs(e.cost) + np.abs(lagrangian))
    length, trial = np.where(d.feedback.failed, 0.0, 1.0), linear if method == "newton" else closed
    for k in range(HALVINGS):
        with np.errstate(all="ignore"):
            new = trial(shooting, e, d, length, ahead and not k)
            square, lagrangian, _ = merit(new.defects, d.multipliers, stiffness, x.g, d.dx, d.du)
            change = new.cost + lagrangian + penalty * square / 2 - before
            wanted = ARMIJO * length * slope
            short = ~(change <= wanted + noise) & (length > 0)
            unsure = ~short & (length > 0) & (change > wanted - noise)
            if unsure.any() and method == "newton":
                weight = (
                    d.multipliers[:, 1:] + (penalty[:, None] * stiffness)[:, None] * new.defects
                )
                short |= unsure & climbs(shooting, new, d, weight, slope)
        if not short.any():
            return Step(new, length, penalty, -slope)
        if not on_time():
            break
        length = np.where(short, length / 2, length)
    length[short] = 0.0
    return Step(trial(shooting, e, d, length), length, penalty, -slope)


def climbs(
    s: Shooting, e: Evaluation, d: Direction, weight: np.ndarray, slope: np.ndarray
) -> np.ndarray:
    """Test if the merit function rises, after a step along the direction d to the trajectories e,
    as steeply as it fell before it: then it has decreased by nothing in between, to second order.

    `weight` (B, S, 2 NV) are its derivatives with respect to the defects, `slope` (B,) is that
    along d before the step.
    """
    x, no_control = s.expand(e, False), np.zeros_like(d.du[:, :1])
    dz = np.concatenate([d.dx, np.concatenate([d.du, no_control], axis=1)], axis=-1)
    of_defects = (x.F @ dz[:, :-1, :, None])[..., 0] - d.dx[:, 1:]
    of_costs = x.g * dz
    after = of_costs.sum(axis=(1, 2)) + (weight * of_defects).sum(axis=(1, 2))
    rounding = SLACK * np.abs(of_costs).sum(axis=(1, 2))
    return np.asarray(after > (2 * ARMIJO - 1) * slope + rounding)


def linear(
    s: Shooting, e: Evaluation, d: Direction, length: np.ndarray, ahead: bool = False
) -> Evaluation:
    """Evaluate the trajectories that `moved_along` returns; see `Shooting.evaluate`."""
    return s.evaluate(moved_along(s, e, d, length), ahead)


def moved_along(s: Shooting, e: Evaluation, d: Direction, length: np.ndarray) -> Trajectory:
    """Return the trajectories with all states and controls changed along the direction d, by the
    given step lengths (B,). Steps of length zero change nothing, even if d is not finite.
    """
    if (length == 1).all():
        return s.move(e.at, d.dx, d.du)
    a = length[:, None, None]
    dx, du = (np.where(a > 0, a * y, 0.0) for y in (d.dx, d.du))
    return s.move(e.at, dx, du)


def closed(
    s: Shooting, e: Evaluation, d: Direction, length: np.ndarray, ahead: bool = False
) -> Evaluation:
    """Simulate motions under the feedback of the direction d. Defects are multiplied by one minus
    the step lengths (B,), as in Mastalli et al. (2020); for `ahead` see `Shooting.evaluate`.
    """
    q, qd, u = (y.copy() for y in e.at)
    model, n, a, f = s.model, s.n, length[:, None], d.feedback
    lower, upper = s.lower, s.upper
    for k in range(s.stages):
        off = difference(model, e.at.q[:, k], q[:, k])
        dx = np.concatenate([off, qd[:, k] - e.at.qd[:, k]], axis=-1)
        du = a * f.feed[:, k] + (f.K[:, k] @ dx[..., None])[..., 0]
        u[:, k] = np.clip(u[:, k] + np.where(a > 0, du, 0), lower[k], upper[k])
        stage = s.stage(k, Trajectory(q[:, k], qd[:, k], u[:, k]))
        end, rate = (y[:, 0] for y in stage.values())
        left = (a - 1) * e.defects[:, k]
        q[:, k + 1] = add(model, end, left[:, :n])
        qd[:, k + 1] = rate + left[:, n:]
    return s.evaluate(Trajectory(q, qd, u), ahead)


def simulated(
    s: Shooting, e: Evaluation, dz: np.ndarray, K: np.ndarray, length: float
) -> Evaluation:
    """Simulate the motion of one problem after a part of the changes dz (S + 1, z) of states and
    controls, under the feedback K (S, m, 2 NV).
    """
    n, none = K.shape[-1], np.zeros(0)
    feed = dz[:-1, n:] - (K @ dz[:-1, :n, None])[..., 0]
    f = Feedback(feed[None], K[None], none, none, none)
    return closed(s, e, Direction(f, *[none] * 5), np.array([length]))
