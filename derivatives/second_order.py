"""How `FD_SO_derivatives` computes plain arrays: from first derivatives and packed tensors."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from derivatives.FD_derivatives import FD_derivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.calls.blocks import blocks, whole_packs
from spatial_v2.calls.kernels import has_compiler
from spatial_v2.calls.prepared import Page, geared_tree, kernel_tree
from spatial_v2.calls.prepared_tensors import fits
from spatial_v2.engine.lines import MANY
from spatial_v2.engine.runs import ID_SO
from spatial_v2.engine.tree import lower
from spatial_v2.model import Model
from spatial_v2.packed.compute import width
from spatial_v2.packed.gears import patterns_of
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.pattern import TensorPattern
from spatial_v2.packed.sums import pairs_of, sums_of

__all__ = ["PreparedSecond", "fill", "fill_at", "ready"]

_BLOCK = 1 << 18
"""Values of packed tensors in a block of states, if it has several packs: two megabytes."""
_FEW = 20
"""The most variables of which all tensors of a pack of states stay next to the processor."""


def fill_at(
    model: Model, arrays: Sequence[np.ndarray], results: Sequence[np.ndarray], packs: bool
) -> None:
    """Fill the tensors of a batch, block by block, while what they are made of is in the cache.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    arrays : sequence of array, shapes (B, NQ), (B, NV), (B, NV), (B, NV), (B, NB, 6), (B, NB, 6)
        Positions, velocities, forces and the accelerations they produce; external forces constant
        in the base and in the bodies, empty if there are none.
    results : sequence of array, shape (B, NV, NV, NV)
        Four, in the order of `FDSODerivatives`.
    packs : bool
        Whether states are computed several at a time, also those left over in the last block.
    """
    patterns = patterns_of(model, ID_SO)
    states, nv = len(arrays[0]), model.NV
    combine = _abreast if packs and nv <= _FEW and not model.has_rotors else _by_tiles
    for part in blocks(states, sum(pattern.nnz for pattern in patterns), _BLOCK):
        tensors = [x[part].reshape(part.stop - part.start, nv, nv * nv) for x in results]
        made = _of_pages if model.has_rotors else _of_kernels
        given = [x[part] if len(x) else x for x in arrays]
        combine(model, given[0], made(model, patterns, given, packs), tensors)


def _by_tiles(
    model: Model, q: np.ndarray, values: Sequence[np.ndarray], tensors: Sequence[np.ndarray]
) -> None:
    """The tensors from first derivatives and the values of others, state by state."""
    fd_so = importlib.import_module("spatial_v2.engine.fd_so").fd_so
    _, sums = model.checked().keep("fd_so", lambda: _prepare(model))
    tree = geared_tree(model) if model.has_rotors else kernel_tree(model)
    fd_so(tree, sums, tensors[0].size >= MANY, q, *values[:6], *tensors)


def _abreast(
    model: Model, q: np.ndarray, values: Sequence[np.ndarray], tensors: Sequence[np.ndarray]
) -> None:
    """The same for packs of states."""
    drive = importlib.import_module("spatial_v2.engine.lanes.drive")
    if drive.LANES == 1:
        return _by_tiles(model, q, values, tensors)
    kernel = importlib.import_module("spatial_v2.engine.fd_so_abreast").fd_so_abreast
    patterns, joint = patterns_of(model, ID_SO), model.layout.body_of_v
    pairs = model.checked().keep("fd_so_abreast", lambda: pairs_of(patterns, joint))
    drive.driver(kernel)(pairs, tuple(values), tuple(tensors))


def fill(
    model: Model, arrays: Sequence[np.ndarray], results: Sequence[np.ndarray], packs: bool
) -> None:
    """`fill_at`, the accelerations not given but computed."""
    drive = importlib.import_module("spatial_v2.engine.lanes.drive")
    aba = importlib.import_module("spatial_v2.engine.aba").aba
    tree = geared_tree(model) if model.has_rotors else kernel_tree(model)
    qdd = np.zeros_like(arrays[2])
    drive.run(aba, tree, arrays, [qdd], packs)
    if not np.isfinite(qdd).all():
        FD_derivatives(model, *arrays[:3])
    fill_at(model, [*arrays[:3], qdd, *arrays[3:]], results, packs)


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
        patterns, self._sums = model.checked().keep("fd_so", lambda: _prepare(model))
        single = importlib.import_module("spatial_v2.engine.single")
        self._second = importlib.import_module("spatial_v2.engine.fd_so").fd_so
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

    def many(self, args: tuple[Any, ...]) -> None:
        """None: batches go another way."""

    def fill(self, args: tuple[Any, ...], outs: tuple[Any, ...]) -> bool:
        """Fill dense tensors; True, and nothing done, where they have to be filled another way."""
        shape = (self._n,) * 3
        if len(outs) != 4 or not all(fits(out, shape) for out in outs):
            return True
        given = [*(x for x in args if x is not None), *outs]
        for k, out in enumerate(outs):
            if any(np.may_share_memory(out, x) for x in given[: len(given) - 4 + k]):
                return True
        return self._fill(args, outs)


def ready(page: Page, model: Model) -> PreparedSecond | None:
    """Make single states ready, where they do not have to go another way."""
    if model.has_rotors or not has_compiler():
        return None
    kernel = importlib.import_module("spatial_v2.engine.fd_so_parts").fd_so_parts
    laid_out = importlib.import_module("spatial_v2.engine.single").LAID_OUT
    if not laid_out or not hasattr(kernel, "overloads"):
        return None
    return PreparedSecond(page, model)


def _prepare(model: Model) -> tuple[Any, Any]:
    patterns = patterns_of(model, ID_SO)
    return patterns, sums_of(patterns, model.layout.body_of_v.astype(np.int64).tobytes())


def _of_kernels(
    model: Model,
    patterns: Sequence[TensorPattern],
    state: Sequence[np.ndarray],
    packs: bool,
) -> list[np.ndarray]:
    """First derivatives, and values of tensors in rows, straight from their kernels."""
    drive = importlib.import_module("spatial_v2.engine.lanes.drive")
    fdsva = importlib.import_module("spatial_v2.engine.fdsva").fdsva
    idsva_so = importlib.import_module("spatial_v2.engine.idsva_so").idsva_so
    (q, qd, tau, qdd, *forces), tree, nv = state, kernel_tree(model), model.NV
    states = len(q)
    first = [np.zeros((states, nv, nv)) for _ in range(3)]
    values = [allocate((states, width(pattern.nnz)), result=False) for pattern in patterns]
    for x, pattern in zip(values, patterns, strict=True):
        x[:, pattern.nnz] = 0.0
    drive.run(fdsva, tree, [q, qd, tau, *forces], first, packs)
    if not all(np.isfinite(x).all() for x in first):
        FD_derivatives(model, q, qd, tau)
    drive.run_values(idsva_so, tree, [q, qd, qdd, *forces], values, packs)
    return [*first, *values]


def _of_pages(
    model: Model, patterns: Sequence[TensorPattern], state: Sequence[np.ndarray], packs: bool
) -> list[np.ndarray]:
    """The same of models with rotors; packs are filled up by the last state."""
    q, qd, tau, qdd, f_ext, f_body = whole_packs(state, packs)
    force = [lower(x, ("6",)) if model.is_planar else x for x in (f_ext, f_body) if x.size]
    external: Any = {"f_ext": force[0], "frame": "body" if f_body.size else "base"} if force else {}
    first = FD_derivatives(model, q, qd, tau, **external, workers=1)
    packed = ID_SO_derivatives(model, q, qd, qdd, **external, packed=True, workers=1)
    behind = [(0, 0), (0, 1)]
    return [*first, *(np.pad(tensor.values, behind) for tensor in packed)]
