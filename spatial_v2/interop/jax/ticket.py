"""What a compiled programme of JAX knows of an operator: an address of what is kept here."""

from __future__ import annotations

import functools
import importlib
import uuid
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.interop.jax import table as at
from spatial_v2.interop.jax.frame import ARGUMENTS, RESULTS, attribute, buffers, capsule
from spatial_v2.interop.operators.problem import Problem

__all__ = ["Ticket", "ticket"]

_PROCESS = uuid.uuid4().hex
"""In the names of foreign functions: programmes that hold addresses are good for one process."""
_KEPT: dict[Any, Ticket] = {}
"""All of them, with their models, since compiled programmes do not keep them alive."""
_BY_ADDRESS: dict[int, Ticket] = {}
_FUNCTIONS: list[Any] = []
FRAMES = (None, "base", "body")


class Ticket:
    """A product of an operator on a model, as foreign functions know it.

    Parameters
    ----------
    problem : Problem
        The operator with its model and options.
    kind : str
        The product.
    alike : bool
        Whether all arguments have the same leading axes.

    Attributes
    ----------
    target : str
        The name of the foreign function.
    address : int
        What it is called with.
    """

    def __init__(self, problem: Problem, kind: str, alike: bool) -> None:
        self.problem, self.kind = problem, kind
        self.table = np.zeros(at.SIZE, dtype=np.int64)
        self.address = self.table.ctypes.data
        self.target, self.table[at.PYTHON] = _python()
        self.tree: list[np.ndarray] = []
        kernel = self._kernel() if alike else None
        if kernel:
            kinds = [np.int64] * 2 + [np.float64] * 4
            tree = kernel_tree(problem.model)
            self.tree = [np.zeros(x.shape, kind) for x, kind in zip(tree, kinds, strict=True)]
            self.target = _compiled(*kernel)
            self.refresh()

    def _kernel(self) -> tuple[Any, tuple[int, ...], tuple[int, ...]] | None:
        """The kernel that computes all, if there is one, and the axes of what it takes and fills.

        Its arguments are noted in the table.
        """
        problem, options = self.problem, self.problem.options
        function: Any = problem.operator.kernels.get(self.kind)
        kernel = function.work.load() if function else None
        if kernel is None or options.keys() - {"frame"} or options.get("frame") not in FRAMES:
            return None
        work, n = function.work, problem.states
        if (problem.has_force and problem.model.is_planar) or not _module().LAID_OUT:
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
        return kernel, given, results

    def refresh(self) -> None:
        """Fill the table with the model as it is, if the kernel takes it."""
        table, model = self.table, self.problem.model
        table[at.SNAPSHOT] = 0
        if model.layout is not self.problem.layout or model.has_joint_terms or model.has_rotors:
            return
        snapshot = model.checked()
        if not snapshot.real:
            return
        tree, lists = kernel_tree(model), (None, *model.lists())
        for copy, x in zip(self.tree, tree, strict=True):
            copy[...] = x
        watched = [model.parent, model.Xtree, model.I, model.gravity, model.has_rotor]
        copies = [x.copy() for x in watched]
        shapes = [np.array(x.shape, dtype=np.int64) for x in watched]
        rows = [
            (id(x), id(x.dtype), x.ctypes.data, y.ctypes.data, x.nbytes, x.ndim, n.ctypes.data)
            for x, y, n in zip(watched, copies, shapes, strict=True)
        ]
        self.kept: list[Any] = [
            lists,
            watched,
            copies,
            shapes,
            [x.dtype for x in watched],
            snapshot,
        ]
        table[at.MODEL], table[at.LISTS], table[at.NDARRAY] = id(model), id(lists), id(np.ndarray)
        table[at.BODIES] = len(tree.parent)
        table[at.PARENT : at.GRAVITY + 1] = [x.ctypes.data for x in self.tree]
        table[at.HEAD :] = np.ravel(rows)
        table[at.SNAPSHOT] = id(snapshot)

    def compute(self, frame: int) -> None:
        """The product as Python computes it."""
        out = self.problem.compute(self.kind, *buffers(frame, ARGUMENTS))
        for x, y in zip(buffers(frame, RESULTS), out, strict=True):
            x[...] = y
        if self.tree:
            self.refresh()


def ticket(problem: Problem, kind: str, shapes: Sequence[tuple[int, ...]]) -> Ticket:
    """The ticket for a product, of arguments with these shapes; one for all equal cases."""
    lead = shapes[0][:-1]
    alike = all(shape[: len(lead)] == lead for shape in shapes)
    options = tuple((name, id(x)) for name, x in sorted(problem.options.items()))
    model = id(problem.model), id(problem.layout)
    key = problem.operator.name, model, options, problem.has_force, kind, alike
    if key not in _KEPT:
        _KEPT[key] = made = Ticket(problem, kind, alike)
        _BY_ADDRESS[made.address] = made
    return _KEPT[key]


@functools.cache
def _python() -> tuple[str, int]:
    """The foreign function that asks Python: its name and address."""
    address, kept = capsule(lambda frame: _BY_ADDRESS[attribute(frame)].compute(frame))
    _register(name := f"spatial_v2_{_PROCESS}", address)
    _FUNCTIONS.append(kept)
    return name, address


@functools.cache
def _compiled(kernel: Any, axes: tuple[int, ...], outs: tuple[int, ...]) -> str:
    """The foreign function that runs a kernel: its name."""
    name = f"spatial_v2_{kernel.__name__}_{_PROCESS}"
    _register(name, _module().address_of(kernel, axes, outs))
    return name


def _module() -> Any:
    """The module that needs a compiler."""
    return importlib.import_module("spatial_v2.interop.jax.foreign")


def _register(name: str, address: int) -> None:
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(address), platform="cpu")
