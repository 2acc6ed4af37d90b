"""Sets of constraints whose validity for a model has been checked."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast, get_args

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.constraints.contents import contents_of
from spatial_v2.constraints.coupled_rows import CoupledRows
from spatial_v2.constraints.DistanceConstraint import DistanceConstraint, DistanceOnModel
from spatial_v2.constraints.FrameConstraint import FrameConstraint
from spatial_v2.constraints.motions import Motions, at_rest
from spatial_v2.constraints.PointConstraint import PointConstraint
from spatial_v2.constraints.residual import Wanted
from spatial_v2.constraints.rows import Relation, Rows
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_configuration, free_tree
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.model_state import State, keep_in
from spatial_v2.model.state import check_model
from spatial_v2.spatial import transform_parts

__all__ = ["Constraint", "ConstraintSet", "Constraints", "constraint_set"]

Constraint: TypeAlias = PointConstraint | FrameConstraint | DistanceConstraint
"""A constraint on two bodies, of any type."""
_NAMES = [kind.__name__ for kind in get_args(Constraint)]
_LISTS = 16
"""Largest number of sets that are cached with a model."""


class ConstraintSet:
    """A list of constraints on a model, checked once.

    Every function of constrained dynamics accepts a plain list of constraints or a `ConstraintSet`.
    A set that is built before a loop saves the checks inside the loop.

    Parameters
    ----------
    model : Model
        The model.
    constraints : iterable of PointConstraint, FrameConstraint or DistanceConstraint
        The constraints. The rows of the Jacobian are in this order.

    Attributes
    ----------
    constraints : tuple
        The constraints, in the order in which they were given.
    m : int
        Number of constraint rows.

    Raises
    ------
    ModelError, ArrayShapeError
        A constraint that does not fit the model; the message names its number.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip, ring = PointConstraint(3), PointConstraint(2, body1=0, point1=[1, 0, 0])
    >>> ConstraintSet(autoTree(4), [tip, ring])
    <ConstraintSet: 2 constraints, 6 rows>
    """

    def __init__(self, model: Model, constraints: Iterable[Constraint]) -> None:
        check_model(model)
        several: Any = constraints
        if isinstance(several, Constraint):
            several = [several]
        if not isinstance(several, Iterable):
            raise ModelError(
                f"constraints: want a list of {', '.join(_NAMES[:-1])} and {_NAMES[-1]}, "
                f"got {constraints!r}"
            )
        self.constraints: tuple[Constraint, ...] = tuple(several)
        for k, x in enumerate(self.constraints):
            if not isinstance(x, Constraint):
                raise ModelError(
                    f"constraints[{k}]: want a {', '.join(_NAMES[:-1])} or {_NAMES[-1]}, got {x!r}"
                )
        tree = free_tree(model)
        self.relations: tuple[Relation, ...] = tuple(
            x.on(tree, f"constraints[{k}]") for k, x in enumerate(self.constraints)
        )
        self.m = sum(x.m for x in self.relations)
        self._model = tree.layout, tree.frames

    @property
    def base(self) -> ConstraintSet:
        """The set itself; for a `CompiledSet`, the set from which it was made."""
        return self

    def of(self, model: Model) -> ConstraintSet:
        """Return the set of the same constraints for a model: this set if it is for that model."""
        layout, frames = self._model
        tree = free_tree(model)
        same = tree.layout is layout and tree.frames is frames
        return self if same else ConstraintSet(model, self.constraints)

    def rows(self, model: Model, q: Array, qd: Array, qdd: Array, gains: Wanted = None) -> Any:
        """Return the constraint rows and their derivatives in a state; `gains` are
        Baumgarte gains.
        """
        if isinstance(model, CoupledModel):
            if not model.is_linear:
                return model.constraint_rows(self, q, qd, qdd, gains)
            return CoupledRows(model, self.relations, q, qd, qdd, gains)
        return Rows(self.relations, Motions(model, q, qd, qdd), gains)

    def rows_at_rest(self, model: Model, q: Array) -> Any:
        """Return the constraint rows at zero velocity and acceleration, after a check of q."""
        return self.rows(model, *at_rest(model, q))

    def placed(self, model: Model, q: Array) -> ConstraintSet:
        """Return the set whose position errors are zero at a configuration q (NQ,)."""
        tree, q_tree = free_tree(model), free_configuration(model, q)
        return ConstraintSet(model, [x.placed(tree, q_tree) for x in self.constraints])

    @functools.cached_property
    def table(self) -> tuple[np.ndarray, ...]:
        """The constraints as plain arrays for kernels: fields ``ends, E, r, T`` of
        `ConstraintArrays`.
        """
        ends, first = np.empty((len(self), 5), dtype=np.int64), 0
        E, r, T = np.zeros((len(self), 2, 3, 3)), np.zeros((len(self), 2, 3)), np.zeros((self.m, 6))
        for k, x in enumerate(self.relations):
            ends[k] = x.body1, x.body2, x.own, first, x.m
            T[first : first + x.m, : x.directions.shape[1]] = x.directions
            for e, X in enumerate(x.frames):
                E[k, e], r[k, e] = transform_parts(X)
            first += x.m
        return ends, E, r, T

    @functools.cached_property
    def lines(self) -> list[tuple[DistanceOnModel, int]]:
        """The constraints along lines between points, each with the number of its row."""
        rows = np.cumsum([0, *(x.m for x in self.relations)]).tolist()
        pairs = zip(self.relations, rows, strict=False)
        return [(x, row) for x, row in pairs if isinstance(x, DistanceOnModel)]

    def check_places(self) -> None:
        """Raise an error unless all position errors are defined."""
        for x in self.relations:
            x.check_place()

    def compiled_errors(self, Kp: np.ndarray, order: int) -> bool:
        """Test if kernels compute the position errors that Baumgarte gains Kp need, with
        derivatives up to `order`.
        """
        return not Kp.any() or all(x.compiled_error >= order for x in self.relations)

    @functools.cached_property
    def is_plain(self) -> bool:
        """True if kernels can compute all rows, and all numbers are NumPy arrays of float64."""
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
"""A `ConstraintSet`, or a list of constraints."""


def constraint_set(
    model: Model, constraints: Constraints, seen: State | None = None
) -> ConstraintSet:
    """Convert a list of constraints to a `ConstraintSet`; return a set of this model unchanged.

    The model caches the sets of recent lists, until it is edited; two lists whose constraints have
    equal values share a set. `seen` is the state of the model, if the caller has it.
    """
    if isinstance(model, CoupledModel):
        return constraint_set(model.tree, constraints)
    if isinstance(constraints, ConstraintSet):
        return constraints.of(model)
    if type(constraints) not in (list, tuple):
        return ConstraintSet(model, constraints)
    sequence = cast("Sequence[Constraint]", constraints)
    try:
        contents = tuple([contents_of(model, x) for x in sequence])
    except (TypeError, SpatialError):
        return ConstraintSet(model, sequence)
    kept = (seen or model.checked()).keep("lists of constraints", dict[Any, ConstraintSet])
    return keep_in(kept, contents, lambda: ConstraintSet(model, sequence), _LISTS)
