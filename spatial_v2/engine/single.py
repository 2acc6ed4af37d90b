"""Single states from Python in the least time: a kernel for one tree, given by addresses.

What Python hands to compiled code it unpacks array by array. A tree has six arrays, which are the
same at every call of a control loop. Here they are packed once, as addresses in a table, together
with copies of what they held when they were checked; the compiled code compares the two before it
uses them, so that no edit goes unseen.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir

from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.extend import carray, cgutils, intrinsic, overload, typeof, types
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.joints.table import FLOATING, SPHERICAL

__all__ = ["DONE", "NOT_FINITE", "NO_FORCES", "REFUSED", "Single"]

DONE, REFUSED, NOT_FINITE = 0, 1, 2
"""What a call returns: results are there; the tree or a size is not as it was; they would be or are
not finite."""

NO_FORCES = np.empty((0, 6))
"""External forces of one state that has none."""

_HEAD = 4
"""Entries of a table before those of what is compared: bodies, comparisons, joint, par."""


@intrinsic
def _pointer(typing: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), generate


@intrinsic
def _differ(typing: Any, one: Any, other: Any, size: Any) -> Any:
    """Whether two places hold different bytes: memcmp."""
    kind = ir.FunctionType(ir.IntType(32), [cgutils.voidptr_t, cgutils.voidptr_t, cgutils.intp_t])

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memcmp = cgutils.get_or_insert_function(builder.module, kind, "memcmp")
        places = [builder.inttoptr(x, cgutils.voidptr_t) for x in args[:2]]
        result = builder.call(memcmp, [*places, args[2]])
        return builder.icmp_signed("!=", result, ir.Constant(ir.IntType(32), 0))

    return types.boolean(types.int64, types.int64, types.int64), generate


@part
def _changed(table: Ints) -> bool:
    """Whether anything holds something else than its copy."""
    for k in range(_HEAD, _HEAD + 3 * table[1], 3):
        if _differ(table[k], table[k + 1], table[k + 2]):
            return True
    return False


@part
def _turns(tree: Tree, q: Floats) -> bool:
    """Whether every quaternion in q is a rotation: of squares that do not vanish."""
    for i in range(tree.parent.size):
        kind, k = tree.joint[i, 0], tree.joint[i, 2]
        squares = 1.0
        if kind in (SPHERICAL, FLOATING):
            squares = q[k] ** 2 + q[k + 1] ** 2 + q[k + 2] ** 2 + q[k + 3] ** 2
        if squares == 0.0:
            return False
    return True


def _tree(table: Ints) -> Any:
    """The tree; its arrays come first in what is compared."""
    raise NotImplementedError


@overload(_tree)
def _tree_of(table: Any) -> Any:
    def tree(table: Any) -> Any:
        n, at = table[0], _HEAD
        return Tree(
            carray(_pointer(table[at]), (n,), np.int64),
            carray(_pointer(table[2]), (n, 6), np.int64),
            carray(_pointer(table[3]), (n, 2), np.float64),
            carray(_pointer(table[at + 3]), (n, 6, 6), np.float64),
            carray(_pointer(table[at + 6]), (n, 6, 6), np.float64),
            carray(_pointer(table[at + 9]), (3,), np.float64),
        )

    return tree


def _batched(arrays: Any) -> Any:
    """Each array as a batch of one state."""
    raise NotImplementedError


@overload(_batched)
def _batched_of(arrays: Any) -> Any:
    def none(arrays: Any) -> Any:
        return ()

    def some(arrays: Any) -> Any:
        x = arrays[0]
        return (x.reshape((1,) + x.shape),) + _batched(arrays[1:])  # noqa: RUF005

    return some if len(arrays) else none


def _fit(arrays: Any, table: Any, k: Any) -> Any:
    """Whether each array has the size that the end of the table states."""
    raise NotImplementedError


@overload(_fit)
def _fit_of(arrays: Any, table: Any, k: Any) -> Any:
    def yes(arrays: Any, table: Any, k: Any) -> Any:
        return True

    def all_of(arrays: Any, table: Any, k: Any) -> Any:
        first = _HEAD + 3 * table[1]
        return arrays[0].size == table[first + k] and _fit(arrays[1:], table, k + 1)

    return all_of if len(arrays) else yes


def _finite(arrays: Any) -> Any:
    """Whether the vectors and matrices among the arrays have finite entries alone."""
    raise NotImplementedError


@overload(_finite)
def _finite_of(arrays: Any) -> Any:
    def yes(arrays: Any) -> Any:
        return True

    def rest(arrays: Any) -> Any:
        return _finite(arrays[1:])

    def all_of(arrays: Any) -> Any:
        total = 0.0
        for x in arrays[0].flat:
            total += 0.0 * x
        return total == 0.0 and _finite(arrays[1:])

    if not len(arrays):
        return yes
    return rest if arrays[0].ndim > 2 else all_of


def page(tree: Tree, *arrays: Any) -> None:
    """The kernel that `_run` calls; each single has its own."""
    raise NotImplementedError


def _run(table: Ints, arrays: tuple[Floats, ...]) -> int:
    """Run the page for one state; the arrays are its arguments, then its results."""
    if _changed(table) or not _fit(arrays, table, 0):
        return REFUSED
    tree = _tree(table)
    if not _turns(tree, arrays[0]):
        return NOT_FINITE
    page(tree, *_batched(arrays))
    return DONE if _finite(arrays) else NOT_FINITE


@functools.cache
def _compiled(kernel: Callable[..., None], count: int) -> Any:
    """`_run` for a kernel of so many arguments and results, which are given one by one."""
    name = f"{kernel.__module__.rpartition('.')[-1]}_{kernel.__name__}_single"
    run = FunctionType(_run.__code__, {**globals(), "page": kernel})
    run.__module__, run.__qualname__ = __name__, f"{name}_run"
    names = ", ".join(f"x{k}" for k in range(count))
    source = f"def call(table, {names}):\n    return run(table, ({names},))"
    scope = {"run": jit(run), "__name__": __name__}
    exec(compile(source, __file__, "exec"), scope)
    call: Any = scope["call"]
    call.__qualname__ = name
    return jit(call)


class Single:
    """A kernel for single states of one tree.

    Parameters
    ----------
    kernel : callable
        A kernel of the engine.
    tree : Tree
        The tree; its arrays are used where they are.
    others : sequence of arrays
        What else must not change.
    sizes : sequence of int
        Length of each argument.
    forces : bool
        Whether the kernel takes external forces after them.
    shapes : sequence of tuple of int
        Shape of each result.
    """

    __slots__ = ("_kept", "call", "forces", "shape", "shapes", "table")

    def __init__(
        self,
        kernel: Callable[..., None],
        tree: Tree,
        others: Sequence[np.ndarray],
        sizes: Sequence[int],
        forces: bool,
        shapes: Sequence[tuple[int, ...]],
    ) -> None:
        watched = (tree.parent, tree.Xtree, tree.I, tree.gravity, *others)
        copies = [x.copy() for x in watched]
        self._kept = (tree, watched, copies)
        self.shapes, self.forces = tuple(shapes), (NO_FORCES,) if forces else ()
        self.shape = self.shapes[0] if len(shapes) == 1 else None
        head = [len(tree.parent), len(watched), tree.joint.ctypes.data, tree.par.ctypes.data]
        pairs = zip(watched, copies, strict=True)
        rows = [(x.ctypes.data, copy.ctypes.data, x.nbytes) for x, copy in pairs]
        wanted = [*sizes, *[0] * forces, *(int(np.prod(shape)) for shape in shapes)]
        self.table = np.array([*head, *(n for row in rows for n in row), *wanted])
        results = [np.zeros(shape) for shape in self.shapes]
        example = (*[np.zeros(n) for n in sizes], *self.forces, *results)
        self.call: Callable[..., int] = _compiled(kernel, len(example))
        """``call(table, *arguments, *forces, *results)``; TypeError for arrays of another kind."""
        signature = tuple(map(typeof, (self.table, *example)))
        if signature not in self.call.overloads:
            self.call.compile(signature)
            self.call.disable_compile()
