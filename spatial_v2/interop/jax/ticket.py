"""What a compiled programme of JAX knows of an operator: an address of what is kept here."""

from __future__ import annotations

import functools
import importlib
import uuid
from typing import Any

import jax
import numpy as np

from spatial_v2.calls.kernels import has_compiler
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


class Ticket:
    """A product of an operator on a model, for programmes that are called with these shapes.

    Parameters
    ----------
    problem : Problem
        The operator with its model and options.
    kind : str
        The product.
    shapes : sequence of tuple of int
        Of the arguments.

    Attributes
    ----------
    target : str
        The name of the foreign function.
    address : int
        What it is called with.
    """

    def __init__(self, problem: Problem, kind: str, shapes: tuple[tuple[int, ...], ...]) -> None:
        self.problem, self.kind, self.shapes = problem, kind, shapes
        self.results = problem.shapes(kind, shapes)
        self.table = np.zeros(at.SIZE, dtype=np.int64)
        self.address = self.table.ctypes.data
        self.target, asks = _python()
        self.table[at.PYTHON] = asks
        self.kept: list[Any] = []
        self.straight = self._look_for_kernel()
        if self.straight:
            self.refresh()

    def _look_for_kernel(self) -> bool:
        """Find the kernel that computes all, if there is one."""
        problem = self.problem
        function = problem.operator.kernels.get(self.kind)
        work = function and function.work
        if work is None or work.accepts or not (work.kernel and has_compiler()):
            return False
        frame = problem.options.get("frame", "base")
        kernel, forces = work.load(), work.takes_force + work.takes_frame
        if kernel is None or problem.options.keys() - {"frame"} or frame not in ("base", "body"):
            return False
        if problem.has_force and problem.model.is_planar:
            return False
        lead = self.results[0][: len(self.shapes[0]) - 1]
        axes = [1] * len(work.cores) + [2] * forces
        ends = [1] * problem.states + [2] * problem.has_force
        ends += [len(core) for g in self._groups() for core in problem.cores(g)]
        if any(s[: len(s) - n] != lead for s, n in zip(self.shapes, ends, strict=True)):
            return False
        order = [k for k in range(len(self.shapes)) if k != problem.states or not problem.has_force]
        order += [-1] * forces
        if problem.has_force:
            order[len(work.cores) + (frame == "body")] = problem.states
        outs = [len(dims) for dims in work.results]
        if len(order) != len(axes) or max(outs) > 2 or len(axes) + len(outs) > at.MOST:
            return False
        self.table[at.ORDER : at.ORDER + len(order)] = order
        self.table[at.KINDS : at.KINDS + len(axes) + len(outs)] = axes + outs
        self.target = _straight(kernel, tuple(axes), tuple(outs))
        return True

    def _groups(self) -> str:
        from spatial_v2.interop.operators.algebra import ALGEBRA

        return ALGEBRA[self.kind].groups

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
        if not self.kept:
            self.tree = [np.array(x, order="C") for x in tree]
        for copy, x in zip(self.tree, tree, strict=True):
            copy[...] = x
        watched = [model.parent, model.Xtree, model.I, model.gravity, model.has_rotor]
        copies = [x.copy() for x in watched]
        shapes = [np.array(x.shape, dtype=np.int64) for x in watched]
        rows = [
            (id(x), id(x.dtype), x.ctypes.data, y.ctypes.data, x.nbytes, x.ndim, n.ctypes.data)
            for x, y, n in zip(watched, copies, shapes, strict=True)
        ]
        self.kept = [lists, watched, copies, shapes, [x.dtype for x in watched], snapshot]
        table[at.MODEL], table[at.LISTS], table[at.NDARRAY] = id(model), id(lists), id(np.ndarray)
        table[at.BODIES] = len(tree.parent)
        table[at.PARENT : at.GRAVITY + 1] = [x.ctypes.data for x in self.tree]
        table[at.HEAD :] = np.ravel(rows)
        table[at.SNAPSHOT] = id(snapshot)

    def compute(self, frame: int) -> None:
        """The product as Python computes it."""
        given = buffers(frame, ARGUMENTS, self.shapes)
        out = self.problem.compute(self.kind, *given)
        for x, y in zip(buffers(frame, RESULTS, self.results), out, strict=True):
            x[...] = y
        if self.straight:
            self.refresh()


def ticket(problem: Problem, kind: str, shapes: tuple[tuple[int, ...], ...]) -> Ticket:
    """The ticket for a product of an operator on a model, one for equal cases."""
    model, options = problem.model, tuple((k, id(x)) for k, x in sorted(problem.options.items()))
    key = problem.operator.name, id(model), id(problem.layout), options, kind, shapes
    if key not in _KEPT:
        _KEPT[key] = made = Ticket(problem, kind, shapes)
        _BY_ADDRESS[made.address] = made
    return _KEPT[key]


@functools.cache
def _python() -> tuple[str, int]:
    """The foreign function that asks Python: its name and address."""
    address, kept = capsule(lambda frame: _BY_ADDRESS[attribute(frame)].compute(frame))
    _register(name := f"spatial_v2_{_PROCESS}", address)
    _KEPT[name] = kept
    return name, address


@functools.cache
def _straight(kernel: Any, axes: tuple[int, ...], outs: tuple[int, ...]) -> str:
    """The foreign function that runs a kernel: its name."""
    module = importlib.import_module("spatial_v2.interop.jax.straight")
    name = f"spatial_v2_{kernel.__name__}_{_PROCESS}"
    _register(name, module.address_of(kernel, axes, outs))
    return name


def _register(name: str, address: int) -> None:
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(address), platform="cpu")
