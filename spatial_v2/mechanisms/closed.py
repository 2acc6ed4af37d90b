"""Couplings by closed loops: the dependent joints of each loop follow its independent ones."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spatial_v2.constraints import ConstraintSet, FrameConstraint
from spatial_v2.exceptions import ModelError, RankWarning
from spatial_v2.mechanisms.branching import check_branching
from spatial_v2.mechanisms.choice import choose
from spatial_v2.mechanisms.closed_jet import ClosedJet, Place
from spatial_v2.mechanisms.closing import (
    Branch,
    close,
    close_all,
    quality,
    refined,
)
from spatial_v2.mechanisms.closing import Closed as Position
from spatial_v2.mechanisms.integrable import check_closure
from spatial_v2.mechanisms.linkage import Records, closed_by_kernel, open_by_kernel, records_of
from spatial_v2.mechanisms.loop import Loop, loops_of
from spatial_v2.mechanisms.resting import errors_of, has_frames, turned_over
from spatial_v2.mechanisms.space import space_of
from spatial_v2.mechanisms.states import NEARLY, ON, followed, open_states
from spatial_v2.model import Model

__all__ = ["Closed", "branch_at", "entries"]

DROPPED = 1e-4
"""Position error, in lengths of a loop, that rows which are nearly redundant may keep."""


@dataclass(frozen=True, eq=False)
class Closed:
    """A coupling by closed loops, checked for its tree, on the branch of a guess."""

    constraints: ConstraintSet
    independent: tuple[str, ...]
    """Names of the independent joints."""
    guess: np.ndarray
    """A closed configuration of the tree; the motion is followed from it."""
    branches: tuple[Branch, ...]
    places: tuple[Place, ...]
    """For each branch, where its loop is in the tree."""
    space: Model
    """A chain of massless bodies whose joints have y as their variables: names, limits, groups."""
    q_of_y: np.ndarray
    """Indices of y in the tree's q."""
    v_of_y: np.ndarray
    """Indices of yd in the tree's qd."""
    NV: int
    """Number of velocity variables of the tree."""
    chosen: bool
    """True if the independent joints were not named."""

    @classmethod
    def of(
        cls, tree: Model, constraints: ConstraintSet, named: Sequence[int] | None, guess: np.ndarray
    ) -> Closed:
        """Return the coupling of a tree by constraints, after checks at the guess."""
        guess, branches, dependent = guess.copy(), [], set()
        loops = loops_of(tree, constraints, guess)
        for loop in loops:
            for x in loop.constraints.constraints:
                if isinstance(x, FrameConstraint):
                    fixed = x.body1 == -1 or x.body2 == -1
                    check_closure(x, fixed, tree.is_planar, f"constraints of {loop.names(tree)}")
            own = [k for k, i in enumerate(loop.joints) if named is not None and i in named]
            branch = branch_at(tree, loop, own or None, guess[entries(tree.qinds, loop)])
            guess[entries(tree.qinds, loop)] = branch.guess
            free = {int(b) for b in loop.model.body_of_v[branch.u]}
            dependent |= {i for k, i in enumerate(loop.joints) if k not in free}
            branches.append(branch)
        joints = [i for i in range(tree.NB) if i not in dependent]
        q_of_y, v_of_y = (
            np.concatenate([np.arange(x[i].start, x[i].stop) for i in joints])
            for x in (tree.qinds, tree.vinds)
        )
        places = []
        for loop, branch in zip(loops, branches, strict=True):
            v = entries(tree.vinds, loop)
            places.append(Place(entries(tree.qinds, loop), v, np.searchsorted(v_of_y, v[branch.u])))
        names = tuple(tree.joint_names[i] for i in joints)
        guess.setflags(write=False)
        return cls(
            constraints, names, guess, tuple(branches), tuple(places), space_of(tree, joints),
            q_of_y, v_of_y, tree.NV, named is None,
        )  # fmt: skip

    @functools.cached_property
    def dependent(self) -> np.ndarray:
        """Indices of the dependent velocity variables in the tree's qd."""
        return np.setdiff1d(np.arange(self.NV), self.v_of_y)

    def on(self, tree: Model) -> Closed:
        """Return the coupling of a changed tree."""
        named = [tree.joint(name) for name in self.independent]
        constraints = ConstraintSet(tree, self.constraints.constraints)
        return Closed.of(tree, constraints, named, self.guess)

    def configuration(self, y: Any) -> np.ndarray:
        """Return the tree's q at y (..., NQ), on the branch of the guess.

        A full configuration of the tree is returned as it is, if its loops are closed.
        """
        y = np.asarray(y)
        if y.shape[-1] == len(self.guess):
            return self._checked(y)
        lead, y = y.shape[:-1], y.reshape(-1, y.shape[-1])
        found = closed_by_kernel(self, y)
        if found is None:
            q = np.tile(self.guess.astype(y.dtype), (len(y), 1))
            q[:, self.q_of_y] = y
        else:
            q, on, least = found
        for k, (branch, (entries, _, _)) in enumerate(self._pairs):
            own, begun = q[:, entries], None
            if found is not None:
                if on[:, k].all() and (least[:, k] >= NEARLY).all() and not has_frames(branch.loop):
                    continue
                over = turned_over(branch.loop, own)
                begun = Position(own, np.where(on[:, k] & ~over, 1.0, 0.0), least[:, k])
            given = own[:, branch.independents]
            single = np.ascontiguousarray(given.real)
            real, bad = followed(branch, single, single=not lead, begun=begun)
            if y.dtype.kind == "c":
                real = refined(branch, real, given)
            real[bad] = np.nan
            q[:, entries] = real
        return q.reshape(*lead, len(self.guess))

    @functools.cached_property
    def records(self) -> Records:
        """The arrays of all loops, for kernels."""
        return records_of(self)

    @property
    def _pairs(self) -> list[tuple[Branch, Place]]:
        return list(zip(self.branches, self.places, strict=True))

    def _checked(self, q: np.ndarray) -> np.ndarray:
        """Return full configurations whose loops are closed; in a batch the others become NaN."""
        found = open_by_kernel(self, q)
        if found is not None and (found[0] <= ON).all() and (found[1] >= NEARLY).all():
            checked = [(b, p) for b, p in self._pairs if has_frames(b.loop)]
        else:
            checked = self._pairs
        for branch, place in checked:
            own = np.ascontiguousarray(q[..., place.q].real)
            bad = open_states(branch, own, self.independent, single=q.ndim == 1)
            if bad.any():
                q = np.where(bad[..., None], np.nan, q)
        return q

    def jet(self, q: np.ndarray, yd: np.ndarray, ydd: np.ndarray) -> ClosedJet:
        """Return the motion of the tree at a closed configuration q."""
        return ClosedJet(self.branches, self.places, self.v_of_y, self.NV, (q, yd, ydd))

    def describe(self) -> str:
        """Return the independent joints, and how they were found, for `repr`."""
        how = "chosen" if self.chosen else "named"
        s = [float(quality(b, b.guess)) for b in self.branches]
        n = len(s)
        return (
            f"{n} loop{'s' * (n != 1)} closed by {self.constraints.m} rows; independent joints "
            f"{how}, smallest singular value {min(s):.2g} of the largest at the guess"
        )


def entries(indices: Sequence[slice], loop: Loop) -> np.ndarray:
    """Return the entries of a loop's joints among those of the tree."""
    return np.concatenate([np.arange(indices[i].start, indices[i].stop) for i in loop.joints])


def branch_at(
    tree: Model,
    loop: Loop,
    named: Sequence[int] | None,
    guess: np.ndarray,
    complete: bool = False,
) -> Branch:
    """Close a loop near a guess, and choose its variables and rows; with ``complete=True`` also
    independent joints beside those that are named.
    """
    q, error = close_all(loop, guess)
    names = loop.names(tree)
    if not error <= DROPPED:
        raise ModelError(
            f"constraints: the loop of {names} cannot be closed near the guess: the nearest "
            f"configuration found is {np.round(q, 6).tolist()}, where it is open by "
            f"{error * loop.size:.3g} m (or rad); give guess=q near a closed one"
        )
    loop = loop.at(q)
    J = errors_of(loop, q)[1]
    u, d, rows = choose(loop, J, error, tree, named, complete)
    check_branching(loop, q, J, len(rows), names)
    branch = Branch(loop, rows, u, d, q)
    if error > ON:
        warnings.warn(
            f"constraints: {loop.constraints.m - len(rows)} nearly redundant rows of the loop of "
            f"{names} stay open by {error * loop.size:.3g} m (or rad)",
            RankWarning,
            stacklevel=4,
        )
        found = close(branch, q[None, branch.independents] + 0.0)
        branch = replace(branch, guess=found.q[0])
    return branch
