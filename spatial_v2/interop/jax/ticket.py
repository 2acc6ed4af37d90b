"""Tickets: records by which compiled JAX programmes find an operator and its model."""

from __future__ import annotations

import copy
import ctypes
import functools
import sys
import weakref
from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import jax
import numpy as np

from spatial_v2.calls.loading import compiled_function
from spatial_v2.calls.prepared import kernel_tree
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
"""Tickets by operator, model and product. They live as long as the programmes compiled with them,
to which the lowering gives them.
"""
_BY_KEY: WeakValueDictionary[int, Ticket] = WeakValueDictionary()
_FUNCTIONS: list[Any] = []
FRAMES = (None, "base", "body")


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
    address : int
        Address of the table.
    key : int
        Key of the call, the same in each process, so that programmes can be cached on disk.
    """

    def __init__(self, problem: Problem, kind: str, alike: bool) -> None:
        self.problem, self.kind = problem, kind
        self.key = new_key(problem, _BY_KEY, kind, alike)
        self.table = np.zeros(at.SIZE, dtype=np.int64)
        self.address = self.table.ctypes.data
        self.target, self.table[at.PYTHON] = _python()
        self.state: State | None = None
        self.kernel = self._kernel() if alike else None
        if self.kernel:
            self.table[at.ENTRY], self.table[at.BATCH] = _module().entries(*self.kernel)
            self.target = _compiled()
            self.refresh()

    def _kernel(self) -> tuple[Any, tuple[int, ...], tuple[int, ...]] | None:
        """Return the product's kernel, and the axes of its arguments and results, or None.

        Also write the order of the kernel's arguments into the table.
        """
        problem, options = self.problem, self.problem.options
        function: Any = problem.operator.kernels.get(self.kind)
        kernel = compiled_function(function.work.kernel) if function else None
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
        given = (1,) * len(work.cores) + (2,) * len(forces)
        results = tuple(len(dims) for dims in work.results)
        axes = given + results
        self.table[at.ORDER : at.ORDER + len(order)] = order
        self.table[at.KINDS : at.KINDS + len(axes)] = axes
        self.table[at.TAKEN], self.table[at.MADE] = len(given), len(results)
        return kernel, given, results

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
        table[at.MODEL], table[at.TREE] = id(self.problem.model), record.address
        table[at.STATE], self.state = id(state), state

    def compute(self, frame: int) -> None:
        """Compute the product in Python from the buffers of a frame."""
        out = self.problem.compute(self.kind, *buffers(frame, ARGUMENTS))
        for x, y in zip(buffers(frame, RESULTS), out, strict=True):
            x[...] = y
        if self.kernel:
            self.refresh()


def ticket(problem: Problem, kind: str, shapes: Sequence[tuple[int, ...]]) -> Ticket:
    """Return the ticket of a product for arguments with these shapes: the present one if a
    programme has it, else a new one.
    """
    lead = shapes[0][:-1]
    alike = all(shape[: len(lead)] == lead for shape in shapes)
    options = tuple((name, id(x)) for name, x in sorted(problem.options.items()))
    model = id(problem.model), id(problem.layout)
    key = problem.operator.name, model, options, problem.has_force, kind, alike
    made = _KNOWN.get(key)
    if made is None:
        made = Ticket(problem, kind, alike)
        _KNOWN[key] = _BY_KEY[made.key] = made
        _registry().add(made)
    return made


class Registry:
    """The rows ``[count, _ask, key, address, key, ...]`` that compiled code searches for the table
    of a ticket. It does so while it holds the interpreter's lock.

    Rows of tickets that are gone have the key 0, and are used again.
    """

    def __init__(self) -> None:
        self.free: list[int] = []
        self.arrays: list[np.ndarray] = []
        """The present array and the smaller ones before it, which a thread may still read."""
        self._publish(np.array([0, _python()[1], *[0] * 32], dtype=np.int64))

    def add(self, ticket: Ticket) -> None:
        """Enter a ticket until it is gone."""
        rows = self.arrays[-1]
        if not self.free and 2 * rows[0] + 2 == len(rows):
            self._publish(rows := np.concatenate([rows, np.zeros(len(rows) - 2, np.int64)]))
        at = self.free.pop() if self.free else 2 + 2 * int(rows[0])
        rows[at + 1], rows[at] = ticket.address, ticket.key
        rows[0] = max(rows[0], at // 2)
        weakref.finalize(ticket, self._remove, at).atexit = False

    def _remove(self, at: int) -> None:
        self.arrays[-1][at] = 0
        self.free.append(at)

    def _publish(self, rows: np.ndarray) -> None:
        """Make an array known to compiled code, as an attribute of `sys`."""
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
        self.arrays.append(rows)
        setattr(sys, REGISTRY, new(rows.ctypes.data, None, None))


@functools.cache
def _registry() -> Registry:
    return Registry()


def _ask(frame: int) -> None:
    """Compute the results of XLA's call frame in Python."""
    made = _BY_KEY.get(attribute(frame))
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
    _register(name := "spatial_v2_kernel", _module().address())
    return name


def _module() -> Any:
    """Import the module `foreign`, which needs the Numba compiler, when first used."""
    from spatial_v2.interop.jax import foreign

    return foreign


def _register(name: str, address: int) -> None:
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(address), platform="cpu")
