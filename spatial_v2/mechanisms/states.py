"""The states of a loop that are accepted: closed, within reach, and not singular."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from spatial_v2.exceptions import SingularWarning, SpatialError
from spatial_v2.mechanisms.choice import REFUSED
from spatial_v2.mechanisms.closing import Branch, Closed, close, openings, quality

__all__ = ["NEARLY", "ON", "followed", "open_states"]

ON = 1e-8
"""Position error, in lengths of a loop, up to which a full configuration counts as closed."""
NEARLY = 1e-2
"""Smallest singular value of the dependents, by the largest of all joints, below which a warning is
given.
"""


def followed(
    branch: Branch, y: np.ndarray, *, single: bool, begun: Closed | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return configurations (B, NQ) of a loop at independent positions y, and a mask (B,) of those
    that are out of reach.

    A single state (B = 1) raises errors where states of a batch give warnings. Of states that have
    `begun` only those are closed that are not.
    """
    closed = _completed(branch, y, begun) if begun else close(branch, y)
    bad = closed.reached < 1
    if bad.any():
        if single:
            _out_of_reach(branch, closed.reached[0], closed.q[0])
        warnings.warn(
            f"the loop of {_names(branch)} cannot be closed in {bad.sum()} of {bad.size} states on "
            "the branch of the guess; their results are NaN",
            SingularWarning,
            stacklevel=3,
        )
    _judge(branch, closed.q, closed.least, bad, single)
    return closed.q, bad


def _completed(branch: Branch, y: np.ndarray, begun: Closed) -> Closed:
    rest = np.flatnonzero(begun.reached < 1)
    if rest.size:
        for x, found in zip(begun, close(branch, y[rest]), strict=True):
            x[rest] = found
    return begun


def open_states(
    branch: Branch, q: np.ndarray, independent: Sequence[str], *, single: bool
) -> np.ndarray:
    """Return a mask (...) of configurations q (..., NQ) of a loop in which it is open."""
    e, least = openings(branch, q)
    bad = ~(e <= ON)
    if bad.any():
        text = (
            "q: a configuration of the tree was given, in which the loop of "
            f"{_names(branch)} is open by {e.max() * branch.loop.size:.3g} m (or rad); want one "
            f"that is closed, or the independent variables {list(independent)}"
        )
        if single:
            raise SpatialError(text)
        warnings.warn(
            f"{text}. The results of {bad.sum()} of {bad.size} states are NaN",
            SingularWarning,
            stacklevel=3,
        )
    _judge(branch, np.where(bad[..., None], branch.guess, q), least, bad, single)
    return bad


def _judge(branch: Branch, q: np.ndarray, least: np.ndarray, bad: np.ndarray, single: bool) -> None:
    """Warn where a loop is nearly singular, and refuse where no digits would be left.

    `least` are lower bounds of the smallest singular values by the largest.
    """
    few = ~(least >= NEARLY) & ~bad
    if not few.any() or not ((s := quality(branch, q[few])) < NEARLY).any():
        return
    text = (
        f"the loop of {_names(branch)} is nearly singular for its independent joints "
        f"{_own(branch)}: smallest singular value {s.min():.2g} of the largest"
    )
    if single and (s < REFUSED).any():
        raise SpatialError(f"q: {text}; choose other independent joints, or pass around it")
    warnings.warn(f"{text}; derivatives lose digits", SingularWarning, stacklevel=4)


def _out_of_reach(branch: Branch, reached: float, q: np.ndarray) -> None:
    place = np.round(q[branch.independents], 6).tolist()
    raise SpatialError(
        f"q: the loop of {_names(branch)} cannot be followed from the guess to these independent "
        f"variables: the path ends after {100 * reached:.3g} % of it, at {_own(branch)} = {place}, "
        "where the linkage is stretched or branches. Give a state that it can reach, or a closed "
        "configuration of the whole tree"
    )


def _names(branch: Branch) -> list[str]:
    return list(branch.loop.model.joint_names)


def _own(branch: Branch) -> list[str]:
    model = branch.loop.model
    return [model.joint_names[b] for b in sorted({int(b) for b in model.body_of_v[branch.u]})]
