"""`FD_SO_derivatives` of plain arrays without rotors, straight from kernel to kernel."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from derivatives.second_order import fill_at, sums_for
from spatial_v2.calls.kernels import has_compiler
from spatial_v2.calls.options import states_in
from spatial_v2.calls.prepared import Page, kernel_tree, prepare
from spatial_v2.calls.prepared_tensors import fits
from spatial_v2.dynamics.FDab import FDab
from spatial_v2.engine.lines import MANY
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = ["PreparedSecond", "ready"]


class PreparedSecond:
    """Single states of a model as it is: what the tensors are made of in one call, then they.

    Parameters
    ----------
    page : Page
        The function.
    model : Model
        The model, without rotors.

    Attributes
    ----------
    single : Single
        What the tensors are made of.
    """

    __slots__ = (
        "_model",
        "_n",
        "_parts",
        "_past",
        "_room",
        "_second",
        "_sums",
        "_tree",
        "finish",
        "single",
    )

    def __init__(self, page: Page, model: Model) -> None:
        patterns, self._sums = model.checked().keep("fd_so", lambda: sums_for(model))
        single = importlib.import_module("spatial_v2.engine.single")
        self._second = importlib.import_module("spatial_v2.engine.fd_so").fd_so
        self._model = model
        self._tree, self._n, self.finish = kernel_tree(model), model.NV, page.finish
        n, m = self._n, model.NV
        self._past = n**3 >= MANY
        none = np.zeros(0, dtype=np.int64)
        self._parts = [(n, n)] * 3 + [(pattern.nnz + 1,) for pattern in patterns]
        self._room: list[tuple[np.ndarray, ...]] = []
        self.single: Any = single.Single(
            importlib.import_module("spatial_v2.engine.fd_so_parts").fd_so_parts,
            self._tree,
            [model.parent, model.Xtree, model.I, model.gravity, model.has_rotor],
            model.lists(),
            single.Gears(none, none, np.zeros(0)),
            [("q", model.NQ), ("v", m), ("v", m)],
            [-1 if model.is_planar else model.NB] * 2,
            [(("n",) * len(shape), shape) for shape in self._parts],
        )

    def load(self) -> None:
        """Compile what runs single states."""
        self.single.load()

    def _fill(self, args: tuple[Any, ...], outs: Sequence[np.ndarray]) -> bool:
        """Fill tensors; True, and nothing done, where the arguments have to go another way."""
        parts = self._room.pop() if self._room else tuple(map(np.zeros, self._parts))
        refused = bool(self.single.run(parts, args))
        if not refused:
            n, given = self._n, [x[None] for x in parts[:6]]
            flat = [out.reshape(1, n, n * n) for out in outs]
            self._second(self._tree, self._sums, self._past, args[0][None], *given, *flat)
        self._room.append(parts)
        return refused

    def new(self, args: tuple[Any, ...]) -> Any:
        """Dense tensors, or None where the arguments have to go another way."""
        n = self._n
        outs = [allocate((n, n, n)) for _ in range(4)]
        return None if self._fill(args, outs) else self.finish(tuple(outs))

    def many(self, args: tuple[Any, ...]) -> Any:
        """Dense tensors for a batch, or None where the arguments have to go another way."""
        states = states_in(args)
        if not states:
            return None
        outs = tuple([allocate((states, *(self._n,) * 3)) for _ in range(4)])
        return self.finish(outs) if self._fill_many(args, outs) else None

    def _fill_many(self, args: tuple[Any, ...], outs: Sequence[np.ndarray]) -> bool:
        """Fill tensors; False where that goes another way. `FDab` looks at the arguments."""
        dynamics: Any = prepare(FDab.work, self._model)
        if not all(type(x) is np.ndarray and len(x) == len(args[0]) for x in args):
            return False
        qdd, none = np.empty((len(args[0]), self._n)), np.zeros((0, 0, 6))
        if not dynamics or not dynamics.packs or dynamics.single.batch((qdd,), args):
            return False
        fill_at(self._model, [*args[:3], qdd, *(args[3:] or (none,)), none], outs, True)
        return True

    def fill(self, args: tuple[Any, ...], outs: tuple[Any, ...]) -> bool:
        """Fill dense tensors; True, and nothing done, where they have to be filled another way."""
        states = states_in(args)
        shape = (*((states,) if states else ()), *(self._n,) * 3)
        if len(outs) != 4 or not all(fits(out, shape) for out in outs):
            return True
        given = [*(x for x in args if x is not None), *outs]
        for k, out in enumerate(outs):
            if any(np.may_share_memory(out, x) for x in given[: len(given) - 4 + k]):
                return True
        return not self._fill_many(args, outs) if states else self._fill(args, outs)


def ready(page: Page, model: Model) -> PreparedSecond | None:
    """Make single states ready, where they do not have to go another way."""
    if model.has_rotors or not has_compiler():
        return None
    kernel = importlib.import_module("spatial_v2.engine.fd_so_parts").fd_so_parts
    laid_out = importlib.import_module("spatial_v2.engine.single").LAID_OUT
    if not laid_out or not hasattr(kernel, "overloads"):
        return None
    return PreparedSecond(page, model)
