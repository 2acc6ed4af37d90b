"""States and batches, straight to the kernel: what a plain call looks up, what `bind` gives."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, cast

import numpy as np

from spatial_v2.calls.options import states_in
from spatial_v2.calls.prepared_tensors import PreparedTensors, packed
from spatial_v2.engine.runs import Runs
from spatial_v2.engine.tree import Floats, Tree, gear, lift, lower
from spatial_v2.model import Model
from spatial_v2.model.rotors import expand
from spatial_v2.packed.compute import width
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.pattern import patterns

__all__ = [
    "Page",
    "Prepared",
    "Rotors",
    "count_rotors",
    "geared_tree",
    "kernel_tree",
    "prepare",
]

Rotors = Literal["expand", "own", "ignore"]


class Page(Protocol):
    """What there is to know of an algorithm page with a kernel."""

    function: Callable[..., Any]
    """The page behind its door, as users call it."""
    kernel: str | None
    rotors: Rotors
    cores: tuple[str, ...]
    results: tuple[tuple[str, ...], ...]
    takes_force: bool
    takes_frame: bool
    runs: Runs | None
    ready: Callable[[Page, Model], Any] | None
    """What is prepared in place of a kernel, for a page without one; it may return None."""

    @property
    def finish(self) -> Callable[[tuple[Any, ...]], Any]:
        """Of a tuple of results what a caller gets."""

    def returned(self, parts: Sequence[Any]) -> Any:
        """What a caller gets of so many results."""

    def load(self) -> Any:
        """The kernel; None where it is not compiled."""

    def sizes(self, model: Model) -> list[tuple[int, ...]]:
        """Shapes of the results of one state, with a batch axis of length one."""


class Prepared:
    """A kernel ready for a model as it is: for its next states, and batches of them.

    Attributes
    ----------
    single : Single
        The kernel, for arguments and results in tuples; see there.
    new : callable
        Of a tuple of arguments: what a caller gets for one state, or None where they have to go
        another way.
    shapes : tuple of tuple of int
        Of the results for one state.
    packs : bool
        Whether batches are computed in packs.
    fills : bool
        Whether results may be written where the caller wants them.
    finish : callable
        Of a tuple of results what the caller gets.
    """

    __slots__ = ("fills", "finish", "new", "packs", "shapes", "single")

    def __init__(self, single: Any, finish: Callable[..., Any], fills: bool, packs: bool) -> None:
        self.single, self.shapes, self.finish = single, single.shapes, finish
        self.fills, self.packs = fills, packs
        self.new: Callable[[tuple[Any, ...]], Any] = self._first

    def load(self) -> None:
        """Compile what runs single states."""
        self.single.load()
        self.new = self.single.new

    def _first(self, args: tuple[Any, ...]) -> Any:
        found = self.single.new(args)
        if self.single.loaded:
            self.new = self.single.new
        return found

    def many(self, args: tuple[Any, ...]) -> Any:
        """The results for a batch, or None where the arguments have to go another way."""
        states = states_in(args)
        if not states or not self.packs:
            return None
        outs = tuple(allocate((states, *shape)) for shape in self.shapes)
        return None if self.single.batch(outs, args) else self.finish(outs)

    def fill(self, args: tuple[Any, ...], outs: tuple[Any, ...]) -> bool:
        """Fill the results; True, and no error, where they have to be filled another way."""
        if not self.fills or not outs:
            return True
        if not self.single.fill(outs, args):
            return False
        return not (self.packs and states_in(args)) or bool(self.single.batch(outs, args))


def _lowered(page: Page, outs: Sequence[Floats]) -> Any:
    """The planar parts of what the kernel computes for a planar model."""
    return page.returned([lower(x, dims) for x, dims in zip(outs, page.results, strict=True)])


def count_rotors(model: Model) -> int:
    """How many joints of a model drive a rotor."""
    return int(np.count_nonzero(model.has_rotor))


def kernel_tree(model: Model) -> Tree:
    """The tree of a model that is right, by reference; a planar one as a slice of a spatial one."""
    layout = model.layout
    tree = Tree(model.parent, layout.joint, layout.par, model.Xtree, model.I, model.gravity)
    return model.checked().keep("tree", lambda: lift(tree)) if model.is_planar else tree


def geared_tree(model: Model) -> Tree:
    """The tree of a model that is right, with its rotors."""

    def make() -> Tree:
        has = np.flatnonzero(model.has_rotor)
        return gear(kernel_tree(expand(model)), has, model.gr[has])

    return model.checked().keep("geared", make)


def prepare(page: Page, model: Model) -> Prepared | PreparedTensors | None:
    """Make a kernel ready for the next calls with a model, where it can be."""
    if model.has_joint_terms:
        return None
    snapshot = model.checked()
    if page in snapshot.kept:
        kept: Prepared | PreparedTensors = snapshot.kept[page]
        return kept
    if page.ready is not None:
        made_ready = page.ready(page, model) if snapshot.real else None
        if made_ready is not None:
            snapshot.kept[page] = made_ready
        return cast("Prepared | None", made_ready)
    kernel = page.load()
    single = importlib.import_module("spatial_v2.engine.single") if kernel else None
    own = page.rotors == "own" and model.has_rotors
    if single is None or not snapshot.real or not single.LAID_OUT:
        return None
    if len(page.cores) + len(page.results) >= single.ROOM or (
        max(map(len, page.results)) > 3 or (page.runs and model.has_rotors)
    ):
        return None
    drive = importlib.import_module("spatial_v2.engine.lanes.drive")
    geared = page.rotors == "expand" and model.has_rotors
    watched = [model.parent, model.Xtree, model.I, model.gravity, model.has_rotor]
    rotors: np.ndarray = np.flatnonzero(model.has_rotor) if geared else np.zeros(0, dtype=np.int64)
    if model.has_rotors:
        watched += [model.Xrotor, model.I_rotor, model.gr]
    first_q, first_v = model.layout.joint[rotors, 2], model.layout.joint[rotors, 3]
    found = patterns(model.layout, page.runs) if page.runs else ()
    shapes = [shape[1:] for shape in page.sizes(model)]
    make = functools.partial(
        single.Single,
        kernel,
        geared_tree(model) if own else kernel_tree(expand(model) if geared else model),
        watched,
        model.lists(),
        single.Gears(first_q, first_v, np.ascontiguousarray(model.gr[rotors])),
        [(core, model.NQ if core == "q" else model.NV) for core in page.cores],
        [-1 if geared or model.is_planar else model.NB] * (page.takes_force + page.takes_frame),
    )
    ready: Prepared | PreparedTensors
    if found:
        values: list[Any] = [(("n",), (pattern.nnz,)) for pattern in found]
        rows: list[Any] = [(("n",), (width(pattern.nnz),)) for pattern in found]
        wide = None
        if drive.LANES > 1:
            wide = make(rows, look=False, values=[pattern.nnz for pattern in found])
        made = make(values, look=False, finish=functools.partial(packed, found, page.finish))
        ready = PreparedTensors(made, wide, found, page.finish)
    else:
        packs = drive.in_packs(sum(map(math.prod, shapes)))
        results = list(zip(page.results, shapes, strict=True))
        whole = not (model.is_planar and {"6", "3"} & {d for dims in page.results for d in dims})
        finish = page.finish if whole else functools.partial(_lowered, page)
        alone = whole and len(results) == 1
        ready = Prepared(make(results, finish=None if alone else finish), finish, whole, packs)
    snapshot.kept[page] = ready
    return ready
