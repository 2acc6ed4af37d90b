"""Tickets: records by which compiled JAX programmes find an operator and its model."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from spatial_v2.calls.direct import fast_path
from spatial_v2.calls.joints import watched_arrays
from spatial_v2.calls.loading import compiled_function
from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.tree import Tree
from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.jax import table as at
from spatial_v2.interop.jax.frame import ARGUMENTS, RESULTS, attribute, buffers, capsule
from spatial_v2.interop.jax.table import REGISTRY
from spatial_v2.interop.operators.keys import FOREIGN, new_key
from spatial_v2.interop.operators.problem import Problem

__all__ = ["Ticket", "ticket"]

_KEPT: dict[Any, Ticket] = {}
"""All tickets with their models, since compiled programmes do not keep them alive."""
_BY_KEY: dict[int, Ticket] = {}
_REGISTRIES: list[Any] = []
"""Registries that compiled code reads; older ones stay because they may still be in use."""
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
        self.records: dict[int, Any] = {}
        self.kernel = self._kernel() if alike else None
        if self.kernel:
            self.table[at.STATE], self.table[at.BATCH] = _module().entries(*self.kernel)
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
        if (problem.has_force and problem.model.is_planar) or fast_path() is None:
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
        """Fill the table with the model's present values, if the kernel supports the model."""
        table, model = self.table, self.problem.model
        table[at.SNAPSHOT] = 0
        if model.layout is not self.problem.layout or model.has_rotors:
            return
        if model.layout.matrices:
            return  # calls then go to Python, which checks that matrices in q are rotations
        snapshot = model.checked()
        if not snapshot.real:
            return
        tree, lists = kernel_tree(model), (None, *model.lists())
        terms = len(tree.armature)
        if terms not in self.records:
            copies: Any = [x.copy() for x in tree]
            self.records[terms] = Record(Tree(*copies))
        record = self.records[terms]
        for copy, x in zip(record.of, tree, strict=True):
            copy[...] = x
        watched = watched_arrays(model)
        copies = [x.copy() for x in watched]
        shapes = [np.array(x.shape, dtype=np.int64) for x in watched]
        rows = [
            (id(x), id(x.dtype), x.ctypes.data, y.ctypes.data, x.nbytes, x.ndim, n.ctypes.data)
            for x, y, n in zip(watched, copies, shapes, strict=True)
        ]
        kinds = [x.dtype for x in watched]
        self.kept: list[Any] = [lists, watched, copies, shapes, kinds, snapshot]
        table[at.MODEL], table[at.LISTS], table[at.NDARRAY] = id(model), id(lists), id(np.ndarray)
        table[at.WATCHED], table[at.TREE] = len(watched), record.address
        table[at.HEAD : at.HEAD + np.size(rows)] = np.ravel(rows)
        table[at.SNAPSHOT] = id(snapshot)

    def compute(self, frame: int) -> None:
        """Compute the product in Python from the buffers of a frame."""
        out = self.problem.compute(self.kind, *buffers(frame, ARGUMENTS))
        for x, y in zip(buffers(frame, RESULTS), out, strict=True):
            x[...] = y
        if self.kernel:
            self.refresh()


def ticket(problem: Problem, kind: str, shapes: Sequence[tuple[int, ...]]) -> Ticket:
    """Return the ticket of a product for arguments with these shapes, from a cache."""
    lead = shapes[0][:-1]
    alike = all(shape[: len(lead)] == lead for shape in shapes)
    options = tuple((name, id(x)) for name, x in sorted(problem.options.items()))
    model = id(problem.model), id(problem.layout)
    key = problem.operator.name, model, options, problem.has_force, kind, alike
    if key not in _KEPT:
        _KEPT[key] = made = Ticket(problem, kind, alike)
        _BY_KEY[made.key] = made
        _publish()
    return _KEPT[key]


def _publish() -> None:
    """Publish the registry ``[count, _ask, key, address, key, ...]`` to compiled code."""
    rows = [x for key, made in list(_BY_KEY.items()) for x in (key, made.address)]
    listed = np.array([len(_BY_KEY), _python()[1], *rows], dtype=np.int64)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
    )
    _REGISTRIES.append(listed)
    setattr(sys, REGISTRY, new(listed.ctypes.data, None, None))


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
