"""Checked sets of constraints of a model, the arguments of constrained dynamics."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.constraints.contents import contents_of
from spatial_v2.constraints.DistanceConstraint import DistanceConstraint
from spatial_v2.constraints.FrameConstraint import FrameConstraint
from spatial_v2.constraints.motions import Motions, at_rest
from spatial_v2.constraints.PointConstraint import PointConstraint
from spatial_v2.constraints.residual import Wanted
from spatial_v2.constraints.rows import Relation, Rows
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.snapshot import Snapshot
from spatial_v2.spatial import transform_parts

__all__ = ["Constraint", "ConstraintSet", "Constraints", "constraint_set"]

Constraint: TypeAlias = PointConstraint | FrameConstraint | DistanceConstraint
_KINDS = (PointConstraint, FrameConstraint, DistanceConstraint)
_LISTS = 16
"""Largest number of sets that are cached with a model."""


class ConstraintSet:
    """A list of constraints on a model, checked once.

    Every function of constrained dynamics takes a list, or such a set, which saves the checks in
    loops.

    Parameters
    ----------
    model : Model
        The model.
    constraints : iterable of PointConstraint, FrameConstraint or DistanceConstraint
        The constraints; their rows follow each other in this order.

    Attributes
    ----------
    constraints : tuple
        As given.
    m : int
        Number of rows.

    Raises
    ------
    ModelError, ArrayShapeError
        A constraint that the model cannot have; the message names its number.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip, ring = PointConstraint(3), PointConstraint(2, body1=0, point1=[1, 0, 0])
    >>> ConstraintSet(autoTree(4), [tip, ring])
    <ConstraintSet: 2 constraints, 6 rows>
    """

    def __init__(self, model: Model, constraints: Iterable[Constraint]) -> None:
        if isinstance(constraints, _KINDS):
            constraints = [constraints]
        if not isinstance(constraints, Iterable):
            raise ModelError(
                "constraints: want a list of PointConstraint, FrameConstraint and "
                f"DistanceConstraint, got {constraints!r}"
            )
        self.constraints = tuple(constraints)
        for k, x in enumerate(self.constraints):
            if not isinstance(x, _KINDS):
                raise ModelError(
                    f"constraints[{k}]: want a PointConstraint, FrameConstraint or "
                    f"DistanceConstraint, got {x!r}"
                )
        self.relations: tuple[Relation, ...] = tuple(
            x.on(model, f"constraints[{k}]") for k, x in enumerate(self.constraints)
        )
        self.m = sum(x.m for x in self.relations)
        self._model = model

    @property
    def base(self) -> ConstraintSet:
        """The set itself; for a `CompiledSet` the set that it was made from."""
        return self

    def of(self, model: Model) -> ConstraintSet:
        """The set for a model; this set itself if it is for the same bodies."""
        same = model is self._model
        return self if same else ConstraintSet(model, self.constraints)

    def rows(self, model: Model, q: Array, qd: Array, qdd: Array, gains: Wanted = None) -> Rows:
        """The rows, and their derivatives, in a state, with the gains of their errors."""
        return Rows(self.relations, Motions(model, q, qd, qdd), gains)

    def rows_at_rest(self, model: Model, q: Array) -> Rows:
        """The rows of a configuration that has not been checked."""
        return self.rows(model, *at_rest(model, q))

    def placed(self, model: Model, q: Array) -> ConstraintSet:
        """The set with every end 1 moved to end 2 at a configuration q (NQ,)."""
        return ConstraintSet(model, [x.placed(model, q) for x in self.constraints])

    @functools.cached_property
    def table(self) -> tuple[np.ndarray, ...]:
        """The constraints in plain arrays: ``ends, E, r, T`` of the engine's `Held`."""
        ends, first = np.empty((len(self), 5), dtype=np.int64), 0
        E, r, T = np.zeros((len(self), 2, 3, 3)), np.zeros((len(self), 2, 3)), np.zeros((self.m, 6))
        for k, x in enumerate(self.relations):
            ends[k] = x.body1, x.body2, x.own, first, x.m
            T[first : first + x.m, : x.directions.shape[1]] = x.directions
            for e, X in enumerate(x.frames):
                E[k, e], r[k, e] = transform_parts(X)
            first += x.m
        return ends, E, r, T

    def check_places(self) -> None:
        """Raise an error unless all position errors are defined."""
        for x in self.relations:
            x.check_place()

    def compiled_errors(self, Kp: np.ndarray, order: int) -> bool:
        """Return whether kernels have the derivatives of the position errors that gains Kp need."""
        return not Kp.any() or all(x.compiled_error >= order for x in self.relations)

    @functools.cached_property
    def is_plain(self) -> bool:
        """True if kernels know its rows, and all its numbers are real doubles of NumPy."""
        if not all(x.compiled for x in self.relations):
            return False
        parts = [y for x in self.relations for y in (x.directions, *x.frames)]
        return all(type(y) is np.ndarray and y.dtype == np.float64 for y in parts)

    def __len__(self) -> int:
        return len(self.constraints)

    def __repr__(self) -> str:
        n = len(self)
        return f"<ConstraintSet: {n} constraint{'s' * (n != 1)}, {self.m} rows>"


Constraints: TypeAlias = ConstraintSet | Iterable[Constraint]
"""A set of constraints, or a list."""


def constraint_set(
    model: Model, constraints: Constraints, seen: Snapshot | None = None
) -> ConstraintSet:
    """A list of constraints as a checked set; a set of this model as it is.

    The sets of lists that hold the same numbers as before are kept with the model, until it is
    edited; `seen` is what it was when it was checked, a moment ago.
    """
    if isinstance(constraints, ConstraintSet):
        return constraints.of(model)
    if type(constraints) not in (list, tuple):
        return ConstraintSet(model, constraints)
    given = cast("Sequence[Constraint]", constraints)
    try:
        contents = tuple([contents_of(model, x) for x in given])
    except (TypeError, SpatialError):
        return ConstraintSet(model, given)
    kept = (seen or model.checked()).keep("lists of constraints", dict[Any, ConstraintSet])
    found = kept.get(contents)
    if found is None:
        if len(kept) >= _LISTS:
            kept.clear()
        found = kept[contents] = ConstraintSet(model, given)
    return found
