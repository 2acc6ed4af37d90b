"""An operator with its model and options, for one call from another tool."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays.checks import common_shape
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.calls.coupled import check_answer
from spatial_v2.constraints.ConstraintSet import Constraint, ConstraintSet, constraint_set
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.operators.algebra import ALGEBRA
from spatial_v2.interop.operators.operator import Operator
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.state import check_forces, check_model, check_vector

__all__ = ["Problem", "options_of"]

CHANGED = (
    "model: its tree or joint types have changed since {name} was called or compiled; "
    "call or compile it again (numbers can be assigned without it)"
)
FIXED = (
    "{name}: {option}: want NumPy arrays of doubles, which are constants here, got {kind}; for "
    "derivatives with respect to them use spatial_v2.{name}.reference"
)
CONSTANT = (
    "{name}: want a model of NumPy arrays of doubles, which are constants here, got {kind}; for "
    "derivatives with respect to the model use spatial_v2.{name}.reference"
)


@functools.cache
def options_of(function: Callable[..., Any], states: int) -> frozenset[str]:
    """Return the names of those options of a function that operators support."""
    names = list(inspect.signature(function).parameters)[1 + states :]
    return frozenset(names) - {"return_info", "out", "workers", "packed"}


def foreign_kind(x: Any) -> str | None:
    """Return the type of an array of another tool inside an option, or None if there is none.

    Examples
    --------
    >>> import array_api_strict as strict
    >>> from spatial_v2 import PointConstraint
    >>> foreign_kind([PointConstraint(2, strict.ones(3))]), foreign_kind((0.0, 3.0))
    ('Array', None)
    """
    if is_foreign(x):
        return type(x).__name__
    if isinstance(x, ConstraintSet):
        x = x.constraints
    elif isinstance(x, Frame):
        x = [x.X]
    elif isinstance(x, Constraint):
        x = list(vars(x).values())
    if not isinstance(x, list | tuple):
        return None
    return next(filter(None, map(foreign_kind, x)), None)


class Problem:
    """An operator with a model and options.

    Its products are called with a flat list of arrays: the state, external forces if any, then the
    groups of the product (see `ALGEBRA`).

    Parameters
    ----------
    operator : Operator
        The operator.
    model : Model
        The model, by reference: numbers assigned to it take effect at the next call.
    options : dict
        Options of the function, all constant.
    """

    def __init__(self, operator: Operator, model: Model, options: dict[str, Any]) -> None:
        check_model(model)
        if isinstance(model, CoupledModel):
            check_answer(operator.function.work, model)  # type: ignore[attr-defined]
        self.tree = free_tree(model)
        """The model, or the free tree of a coupled one."""
        foreign = self.tree.checked().foreign
        if foreign is not None:
            raise SpatialError(CONSTANT.format(name=operator.name, kind=type(foreign).__name__))
        known = options_of(operator.function, len(operator.variables))
        for name in options:
            if name not in known:
                raise TypeError(f"{operator.name}: got an unexpected keyword argument {name!r}")
        self.operator, self.model, self.rows = operator, model, 0
        self.layout = model.layout
        self.states = len(operator.variables)
        self.number: int | None = None
        """Number by which PyTorch knows it."""
        self.uses: list[Any] | None = None
        """The record that a JAX program for several devices keeps of the part of one device."""
        options = dict(options)
        self.has_force = options.pop("f_ext", None) is not None
        for option, x in options.items():
            got = foreign_kind(x)
            if got:
                raise SpatialError(FIXED.format(name=operator.name, option=option, kind=got))
        if "constraints" in known:
            if "constraints" not in options:
                raise TypeError(f"{operator.name}: the argument constraints is missing")
            options["constraints"] = constraint_set(model, options["constraints"])
            self.rows = options["constraints"].m
        self.options = options
        self.head = self.states + self.has_force

    def state(self, x: Sequence[Any], f_ext: Any = None) -> list[Any]:
        """Check state and forces, and give them the same number of leading axes."""
        op, model = self.operator, self.model
        if self._is_right(x, f_ext):
            return list(x)
        if len(x) != self.states:
            want = ", ".join(op.variables)
            raise TypeError(f"{op.name}: want the arrays {want}, got {len(x)} of them")
        kinds = zip(op.variables, x, strict=True)
        arrays = [
            check_vector(model, name, y, model.NV if k else model.NQ, "v" if k else "q")
            for k, (name, y) in enumerate(kinds)
        ]
        ranks = [y.ndim - 1 for y in arrays]
        if self.has_force:
            arrays.append(check_forces(self.tree, f_ext))
            ranks.append(arrays[-1].ndim - 2)
        most = max(ranks)
        return [
            y if r == most else y.reshape((1,) * (most - r) + tuple(y.shape))
            for y, r in zip(arrays, ranks, strict=True)
        ]

    def _is_right(self, x: Sequence[Any], f_ext: Any) -> bool:
        """Test if a state needs no conversion: there are no forces, and leading axes are equal."""
        if f_ext is not None or len(x) != self.states or not x[0].ndim:
            return False
        q, *rest = (tuple(y.shape) for y in x)
        wide = (*q[:-1], self.layout.NV)
        return q[-1] == self.layout.NQ and all(shape == wide for shape in rest)

    def cores(self, group: str) -> list[tuple[int, ...]]:
        """Return the core shapes of directions (group "u") or of results (group "w")."""
        op, model = self.operator, self.model
        if group == "u":
            return [(model.NV,)] * self.states
        return [op.size(model, r, self.rows) for r in range(len(op.results))]

    def shapes(self, kind: str, shapes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of a product's results, given the shapes of its arguments."""
        ends = [1] * self.states + [2] * self.has_force
        for group in ALGEBRA[kind].groups:
            ends += [len(core) for core in self.cores(group)]
        leads = [tuple(s[: len(s) - n]) for s, n in zip(shapes, ends, strict=True)]
        same = all(lead == leads[0] for lead in leads)
        lead = leads[0] if same else common_shape(*leads)
        return [(*lead, *core) for core in self.cores(ALGEBRA[kind].result)]

    def groups(self, kind: str, arrays: Sequence[Any]) -> list[list[Any]]:
        """Split the arguments after state and forces into directions and weights.

        A product J u with a derivative takes a direction u, w^T J weights w; products with second
        derivatives take two of these.
        """
        start, parts = self.head, []
        for group in ALGEBRA[kind].groups:
            n = len(self.cores(group))
            parts.append(list(arrays[start : start + n]))
            start += n
        return parts

    def compute(self, kind: str, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """Evaluate a product of `ALGEBRA`, such as a gradient, for batches of NumPy arrays."""
        if self.model.layout is not self.layout:
            raise SpatialError(CHANGED.format(name=self.operator.name))
        options = dict(self.options)
        if self.has_force:
            options["f_ext"] = arrays[self.states]
        product, x = ALGEBRA[kind], arrays[: self.states]
        out = product.compute(self.operator, self.model, x, *self.groups(kind, arrays), **options)
        for y in out:
            if y.dtype != np.float64:
                raise SpatialError(CONSTANT.format(name=self.operator.name, kind=y.dtype))
        lead = x[0].shape[:-1]
        if all(y.shape[: len(lead)] == lead for y in arrays):
            return tuple(out)
        shapes = self.shapes(kind, [y.shape for y in arrays])
        return tuple(
            y if y.shape == s else np.broadcast_to(y, s) for y, s in zip(out, shapes, strict=True)
        )

    def along(self, kind: str) -> str | None:
        """Return the name of a product's derivative along the state, or None if there is none."""
        return ALGEBRA[kind].along if kind == "value" or self.operator.order > 1 else None

    def refuse_constants(self, asked: Sequence[int]) -> None:
        """Raise an error if derivatives are asked for along variables that have none."""
        op = self.operator
        wanted = [op.variables[k] for k in op.constant if k in asked]
        if wanted:
            known = [y for k, y in enumerate(op.variables) if k not in op.constant]
            raise SpatialError(
                f"{op.name}: there are derivatives with respect to {', '.join(known)} only, not "
                f"{', '.join(wanted)}; differentiate {op.home}.{op.name}.reference"
            )

    def third(self) -> SpatialError:
        """Return the error for derivatives of a higher order than are available."""
        op = self.operator
        order = "third" if op.order > 1 else "second"
        return SpatialError(
            f"{op.name}: {order} derivatives are not computed; the reference implementation, "
            f"{op.home}.{op.name}.reference, can be differentiated by the tool itself, any number "
            "of times"
        )
