"""The choice of independent joints and independent rows of a loop, once, at its guess."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.mechanisms.loop import Loop
from spatial_v2.model import Model

__all__ = ["choose", "rank_of"]

LEAST = 1e-8
"""A row counts as independent beyond this share of the largest one."""
REFUSED = 1e-5
"""Dependents whose smallest singular value is below this share of the largest of all joints are
refused.
"""
PREFERRED = 0.1
"""Joints near the base are preferred as independent if the smallest singular value is at least this
share of the best one."""
TRIED = 3000
"""Most choices of joints that are all compared."""


def choose(
    loop: Loop,
    J: np.ndarray,
    error: float,
    tree: Model,
    named: Sequence[int] | None,
    complete: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return independent velocity variables, dependent ones and independent rows of a loop.

    J are all rows at the closed guess, `error` the position error there in lengths, `named` the
    places of the joints in the loop that shall be independent, or None to choose; with
    ``complete=True`` others beside them are chosen if they are too few.
    """
    Jt = loop.scaled(J)
    least = max(LEAST, 100 * error)
    r, names = rank_of(Jt, least), loop.names(tree)
    if r == 0:
        raise ModelError(f"constraints: those between {names} hold in every configuration")
    if r == loop.model.NV:
        raise ModelError(
            f"constraints: the loop of {names} is rigid: its {r} variables obey {r} independent "
            "rows"
        )
    few = complete and sum(loop.model.nv[i] for i in named or ()) < loop.model.NV - r
    if named is None or few:
        found = _best(loop, Jt, r, named or ())
    else:
        found = _checked(loop, Jt, r, named, names)
    u = _variables(loop, found)
    d = np.setdiff1d(np.arange(loop.model.NV), u)
    pivots = _pivoted(Jt[:, d].T)[1]
    return u, d, np.sort(pivots[:r])


def _pivoted(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the factor R of ``A[:, p] = Q R``, with decreasing diagonal, and the columns p."""
    import scipy.linalg  # not with the package: `import spatial_v2` opens no SciPy

    R, p = scipy.linalg.qr(A, mode="r", pivoting=True)
    return R, p


def rank_of(Jt: np.ndarray, least: float = LEAST) -> int:
    """Return the rank of a Jacobian without units, by QR factors with pivots."""
    R = np.abs(np.diag(_pivoted(Jt.T)[0]))
    return int((least * R[0] < R).sum()) if R.size and R[0] > 0 else 0


def _variables(loop: Loop, joints: Sequence[int]) -> np.ndarray:
    parts = [np.arange(loop.model.NV)[loop.model.vinds[i]] for i in joints]
    return np.sort(np.concatenate([*parts, np.zeros(0, dtype=int)]))


def _least(loop: Loop, Jt: np.ndarray, r: int, joints: Sequence[int]) -> float:
    """Return the r-th singular value of the Jacobian by all joints but some, by the largest of that
    by all joints.
    """
    d = np.setdiff1d(np.arange(loop.model.NV), _variables(loop, joints))
    s, whole = (np.linalg.svd(A, compute_uv=False) for A in (Jt[:, d], Jt))
    return float(s[r - 1] / whole[0]) if len(s) >= r and whole[0] > 0 else 0.0


def _best(loop: Loop, Jt: np.ndarray, r: int, named: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the independent joints nearest to the base of those that are nearly best, with those
    that are named.
    """
    free, nv = loop.model.NV - r, loop.model.nv
    joints = [i for i in range(loop.model.NB) if i not in named]
    if sum(math.comb(len(joints), k) for k in range(free + 1)) > TRIED:
        tried = _by_elimination(loop, Jt, r, joints)
    else:
        choices = (c for k in range(free + 1) for c in itertools.combinations(joints, k))
        choices = (tuple(sorted((*named, *c))) for c in choices)
        tried = [c for c in choices if sum(nv[i] for i in c) == free]
    sizes = [_least(loop, Jt, r, c) for c in tried]
    if not tried or max(sizes) < REFUSED:
        raise ModelError(
            f"constraints: no joints of the loop of {list(loop.model.joint_names)} serve as its "
            f"{free} independent variables at the guess; whole joints are wanted, and a guess away "
            "from configurations where the linkage branches"
        )
    good = [c for c, size in zip(tried, sizes, strict=True) if size >= PREFERRED * max(sizes)]
    return min(good, key=lambda c: [-nv[i] for i in c] + [*c])


def _by_elimination(
    loop: Loop, Jt: np.ndarray, r: int, joints: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return independent joints of a loop with many, or none: in turn the one of some joints is
    taken as dependent that is determined best beside those taken before.
    """
    left, rest, vinds = list(range(loop.model.NB)), Jt.copy(), loop.model.vinds
    while r:
        fit = [i for i in left if i in joints and loop.model.nv[i] <= r]
        if not fit:
            return []
        sizes = [np.linalg.svd(rest[:, vinds[i]], compute_uv=False)[-1] for i in fit]
        joint = fit[int(np.argmax(sizes))]
        Q = np.linalg.qr(rest[:, vinds[joint]])[0]
        rest = rest - Q @ (Q.T @ rest)
        left.remove(joint)
        r -= loop.model.nv[joint]
    return [tuple(left)]


def _checked(
    loop: Loop, Jt: np.ndarray, r: int, named: Sequence[int], names: list[str]
) -> tuple[int, ...]:
    free, nv = loop.model.NV - r, loop.model.nv
    own = [names[i] for i in named]
    count = int(sum(nv[i] for i in named))
    if count != free:
        more = "too many" if count > free else "too few"
        raise ModelError(
            f"independent: {own} have {count} variables, {abs(count - free)} {more}: the loop of "
            f"{names} has {loop.model.NV} and {r} independent rows at the guess, so {free} are "
            f"independent{_serves(loop, Jt, r, names)}"
        )
    if _least(loop, Jt, r, named) < REFUSED:
        raise ModelError(
            f"independent: {own} do not determine the loop of {names} at the guess, which is "
            f"singular for them{_serves(loop, Jt, r, names)}"
        )
    return tuple(named)


def _serves(loop: Loop, Jt: np.ndarray, r: int, names: list[str]) -> str:
    try:
        return f"; {[names[i] for i in _best(loop, Jt, r)]} would serve"
    except ModelError:
        return "; no joints serve there: the linkage itself is singular"
