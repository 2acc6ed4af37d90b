"""Tickets: records by which compiled JAX programs find an operator and its model."""

from __future__ import annotations

import copy
import functools
import sys
import weakref
from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import jax
import numpy as np

from spatial_v2.calls.loading import compiled_function
from spatial_v2.calls.prepare import kernel_tree
from spatial_v2.engine.kernel import Record
from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.jax import table as at
from spatial_v2.interop.jax.frame import ARGUMENTS, RESULTS, attribute, buffers, capsule
from spatial_v2.interop.jax.table import REGISTRY
from spatial_v2.interop.operators.keys import FOREIGN, new_key
from spatial_v2.interop.operators.problem import Problem
from spatial_v2.model.model_state import State

__all__ = ["Ticket", "ticket"]

_KNOWN: WeakValueDictionary[Any, Ticket] = WeakValueDictionary()
"""Tickets by operator, model and product."""
_TICKETS: dict[int, Ticket] = {}
"""Tickets by key, from the first program that is compiled with them until after the last one."""
_TABLES: dict[int, bytearray] = {}
"""Their tables. Under the key 0 is one without a state, for keys that are unknown."""
_UNUSED: list[Ticket] = []
"""Tickets whose programs are gone, though calls of them may not have run yet."""
_FUNCTIONS: list[Any] = []
FRAMES = (None, "base", "body")


class Use:
    """A reference to a ticket, which programs keep while they live."""

    __slots__ = ("__weakref__",)


class Ticket:
    """An operator on a model with one kind of product, and the table that its foreign function
    reads.

    A product is a function computed from the operator, for instance its value or a Jacobian-vector
    product; see `ALGEBRA`.

    Parameters
    ----------
    problem : Problem
        The operator with its model and options.
    kind : str
        Name of the product in `ALGEBRA`.
    alike : bool
        True if all arguments have the same leading axes.

    Attributes
    ----------
    target : str
        Name of the foreign function.
    key : int
        Key of the call, the same in each process, so that programs can be cached on disk.
    """

    def __init__(self, problem: Problem, kind: str, alike: bool) -> None:
        self.problem, self.kind = problem, kind
        self.key = new_key(problem, _TICKETS, kind, alike)
        memory = bytearray(8 * at.SIZE)
        self.table = np.frombuffer(memory, dtype=np.int64)
        self.target, self.table[at.PYTHON] = _python()
        self.table[at.MODEL] = id(problem.model)
        self.state: State | None = None
        self._use: weakref.ref[Use] | None = None
        self.kernel = self._kernel() if alike else None
        if self.kernel:
            self.table[at.ENTRY], self.table[at.BATCH] = _module().entries(*self.kernel)
            self.target = _compiled()
            self.refresh()
        _TICKETS[self.key], _TABLES[self.key] = self, memory

    def use(self) -> Use:
        """Return an object for a program to keep; see `_forget_unused`."""
        use = self._use() if self._use else None
        if use is None:
            use = Use()
            self._use = weakref.ref(use, lambda _: _UNUSED.append(self))
        return use

    @property
    def is_used(self) -> bool:
        """True while a program with this ticket lives."""
        return self._use is not None and self._use() is not None

    def _kernel(self) -> tuple[Any, tuple[int, ...], tuple[int, ...]] | None:
        """Return the product's kernel, and the axes of its arguments and results, or None.

        Also write the order of the kernel's arguments into the table.
        """
        problem, options = self.problem, self.problem.options
        function: Any = problem.operator.kernels.get(self.kind)
        coupled = problem.model is not problem.tree  # calls of coupled models go to Python
        kernel = compiled_function(function.work.kernel) if function and not coupled else None
        if kernel is None or options.keys() - {"frame"} or options.get("frame") not in FRAMES:
            return None
        work, n = function.work, problem.states
        if problem.has_force and problem.model.is_planar:
            return None
        order = list(range(len(work.cores) + problem.has_force))
        forces = [-1] * (work.takes_force + work.takes_frame)
        if problem.has_force:
            forces[options.get("frame") == "body"] = order.pop(n)
        order += forces
        taken = (1,) * len(work.cores) + (2,) * len(forces)
        results = tuple(len(dims) for dims in work.results)
        axes = taken + results
        self.table[at.ORDER : at.ORDER + len(order)] = order
        self.table[at.KINDS : at.KINDS + len(axes)] = axes
        self.table[at.TAKEN], self.table[at.MADE] = len(taken), len(results)
        return kernel, taken, results

    def refresh(self) -> None:
        """Fill the table for the model's present state, if the kernel supports the model."""
        table, model = self.table, copy.copy(self.problem.model)
        table[at.STATE], self.state = 0, None
        if model.layout is not self.problem.layout or model.has_rotors:
            return
        if model.layout.matrices:
            return  # calls then go to Python, which checks that matrices in q are rotations
        state = model.checked()
        if not state.real:
            return
        record = state.keep("record", lambda: Record(kernel_tree(model)))
        table[at.TREE] = record.address
        table[at.STATE], self.state = id(state), state  # the address last: calls read it first

    def compute(self, frame: int) -> None:
        """Compute the product in Python from the buffers of a frame."""
        out = self.problem.compute(self.kind, *buffers(frame, ARGUMENTS))
        for x, y in zip(buffers(frame, RESULTS), out, strict=True):
            x[...] = y
        if self.kernel:
            self.refresh()


def ticket(problem: Problem, kind: str, shapes: Sequence[tuple[int, ...]]) -> Ticket:
    """Return the ticket of a product for arguments with these shapes: the present one if a
    program has it, else a new one.
    """
    lead = shapes[0][:-1]
    alike = all(shape[: len(lead)] == lead for shape in shapes)
    options = tuple((name, id(x)) for name, x in sorted(problem.options.items()))
    model = id(problem.model), id(problem.layout)
    key = problem.operator.name, model, options, problem.has_force, kind, alike
    _forget_unused()
    made = _KNOWN.get(key)
    if made is None:
        made = _KNOWN[key] = Ticket(problem, kind, alike)
    return made


def _forget_unused() -> None:
    """Forget tickets whose programs are gone, if all calls have run.

    JAX returns arrays before it computes them, and a program may be deleted meanwhile.
    """
    count = len(_UNUSED)
    if count and all(x.is_deleted() or x.is_ready() for x in jax.live_arrays("cpu")):
        for ticket in _UNUSED[:count]:
            if not ticket.is_used:
                _TICKETS.pop(ticket.key, None)
                _TABLES.pop(ticket.key, None)
        del _UNUSED[:count]


def _ask(frame: int) -> None:
    """Compute the results of XLA's call frame in Python."""
    made = _TICKETS.get(attribute(frame))
    if made is None:
        raise SpatialError(FOREIGN)
    made.compute(frame)


@functools.cache
def _python() -> tuple[str, int]:
    """Register the foreign function that calls Python; return its name and address."""
    address, kept = capsule(_ask)
    _register(name := "spatial_v2_python", address)
    _FUNCTIONS.append(kept)
    return name, address


@functools.cache
def _compiled() -> str:
    """Register the foreign function that runs kernels; return its name."""
    unknown = np.frombuffer(memory := bytearray(8 * at.SIZE), dtype=np.int64)
    unknown[at.PYTHON] = _python()[1]
    _TABLES[0] = memory
    setattr(sys, REGISTRY, _TABLES)
    _register(name := "spatial_v2_kernel", _module().address())
    return name


def _module() -> Any:
    """Import the module `foreign`, which needs the Numba compiler, when first used."""
    from spatial_v2.interop.jax import foreign

    return foreign


def _register(name: str, address: int) -> None:
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(address), platform="cpu")
