"""The search of a closed configuration of loops, from several starts."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from spatial_v2.constraints import ConstraintSet
from spatial_v2.exceptions import ModelError
from spatial_v2.joints.groups import LINE
from spatial_v2.mechanisms.closed import branch_at, entries
from spatial_v2.mechanisms.closing import Branch, quality
from spatial_v2.mechanisms.loop import Loop, loops_of
from spatial_v2.mechanisms.resting import errors_of
from spatial_v2.model import Model

__all__ = ["closed_somewhere", "starts_of"]

NEAR = 1e-3
"""Position error, in lengths of a loop, up to which a start counts as closed as it is."""
REGULAR = 5e-2
"""Smallest singular value of the dependents, by the largest of all joints, from which on a loop
counts as away from dead centres: that of `states.NEARLY` would leave little way to move.
"""
STARTS = 4
"""Number of starts within the limits, beside neutral and their middle."""


def starts_of(tree: Model) -> list[np.ndarray]:
    """Return configurations from which loops are tried: neutral, the middle of the limits, and some
    within the limits, or within half a turn, the same at every call.
    """
    zero = tree.layout.neutral()
    middle, width = zero.copy(), np.zeros(tree.NQ)
    for i, joint in enumerate(tree.layout.joints):
        if joint.group is LINE:
            low, high = _limits(tree, i)
            k = tree.qinds[i].start
            width[k] = np.pi / 2 if joint.code[0] not in "Pp" else 0.0
            if np.isfinite(high - low):
                middle[k], width[k] = (low + high) / 2, (high - low) / 2
    parts = np.random.default_rng(0).uniform(-1, 1, size=(STARTS, tree.NQ))
    return [zero, middle, *(middle + parts * width)]


def closed_somewhere(
    tree: Model,
    constraints: ConstraintSet,
    named: Sequence[int] | None,
    starts: Sequence[np.ndarray],
) -> tuple[np.ndarray, list[int] | None]:
    """Return a configuration near which `couple` closes loops, and their independent joints.

    Each loop takes the first start that is closed as it is, else the first from which it closes
    within the limits of its joints and away from dead centres, where a loop that is pulled together
    from afar often ends. If there is none, the one farthest from a dead centre is taken, within the
    limits if it can be. Where `named` joints do not determine a loop, others are independent beside
    them. Loops that do not close stay as in the first start.
    """
    guess = starts[0].copy()
    joints = None if named is None else {*named}
    for loop in loops_of(tree, constraints, guess):
        place = entries(tree.qinds, loop)
        own = [k for k, i in enumerate(loop.joints) if named is not None and i in named]
        parts = {tuple(q[place]): q[place] for q in starts}
        branch = _first(tree, loop, own or None, [*parts.values()])
        if branch is None:
            continue
        guess[place] = branch.guess
        if joints is not None and own:
            joints |= {loop.joints[int(b)] for b in loop.model.body_of_v[branch.u]}
    return guess, None if joints is None else sorted(joints)


def _first(
    tree: Model, loop: Loop, named: Sequence[int] | None, starts: Sequence[np.ndarray]
) -> Branch | None:
    """Return the loop closed from the best of the starts, None if it does not close."""
    others: list[tuple[bool, float, Branch]] = []
    as_it_is = [_is_near(loop, q) for q in starts]
    for k in sorted(range(len(starts)), key=lambda k: not as_it_is[k]):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                branch = branch_at(tree, loop, named, starts[k], complete=True)
        except ModelError:
            continue
        within, least = _is_within(tree, loop, branch.guess), float(quality(branch, branch.guess))
        if as_it_is[k] or (within and least >= REGULAR):
            return branch
        others.append((within, min(least, REGULAR), branch))
    return max(others, key=lambda x: x[:2])[2] if others else None


def _is_near(loop: Loop, q: np.ndarray) -> bool:
    return float(np.linalg.norm(loop.row_scale * errors_of(loop, q)[0])) <= NEAR


def _is_within(tree: Model, loop: Loop, q: np.ndarray) -> bool:
    """Test if a configuration of a loop keeps the limits of its joints."""
    for k, i in enumerate(loop.joints):
        if tree.layout.joints[i].group is LINE:
            low, high = _limits(tree, i)
            x = q[loop.model.qinds[k].start]
            if not low <= x <= high:
                return False
    return True


def _limits(tree: Model, i: int) -> tuple[float, float]:
    """Return the limits of a joint's position; none if they are no range."""
    limits = (tree.limits or {}).get(tree.joint_names[i])
    if limits is None or not limits.lower < limits.upper:
        return -np.inf, np.inf
    return limits.lower, limits.upper
