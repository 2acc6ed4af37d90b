"""How kernels are run: arrays made flat, batches cut, results given their shapes."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.calls.arguments import FLOAT, is_plain
from spatial_v2.calls.frame import frame_view
from spatial_v2.calls.outputs import Call
from spatial_v2.calls.plan import KernelPlan
from spatial_v2.calls.prepared import (
    Page,
    Rotors,
    count_rotors,
    geared_tree,
    kernel_tree,
    prepare,
)
from spatial_v2.calls.status import Status
from spatial_v2.calls.tensor_plan import TensorPlan
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.engine.tree import lift_forces, lower, raise_vectors
from spatial_v2.model import Model
from spatial_v2.model.state import common_lead
from spatial_v2.packed.compute import fill_dense, room, rows_of
from spatial_v2.packed.gears import patterns_of
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.tensor import PackedTensor

__all__ = [
    "FLOAT",
    "Composed",
    "KernelPage",
    "ValidateConstraints",
    "contiguous",
    "has_compiler",
    "is_plain",
]

Composed = Callable[..., bool | None]
ValidateConstraints = Callable[[Model, dict[str, Any]], int]
"""Checks the options of a page, in place, and says how many rows of constraints there are."""


@functools.cache
def has_compiler() -> bool:
    """Whether numba can be imported, so that kernels run.

    Of something by that name that cannot be used, another folder perhaps, a warning tells.
    """
    try:
        importlib.import_module("numba").njit  # noqa: B018
    except ModuleNotFoundError:
        return False
    except (ImportError, AttributeError) as error:
        text = f"numba cannot be used; reference implementations run instead, more slowly: {error}"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
        return False
    return True


@functools.cache
def load_kernel(kernel: str) -> Callable[..., Any]:
    return cast(
        "Callable[..., Any]",
        getattr(importlib.import_module(f"spatial_v2.engine.algorithms.{kernel}"), kernel),
    )


def run_batch(
    fill: Callable[..., bool | None],
    workers: int,
    arrays: list[Array],
    results: list[Array],
    single: bool,
) -> bool:
    """Call fill(arrays, results, batched) for slices of a batch, one for each worker.

    Single states, which are no batch, are not computed in SIMD batches. Returns whether each call
    says that its results are finite.
    """
    share = importlib.import_module("spatial_v2.engine.compile.share")
    states = len(arrays[0])
    batched = states > 0 and not single

    def task(part: slice) -> bool:
        given = [x[part] if len(x) == states else x for x in arrays]
        return bool(fill(given, [x[part] for x in results], batched))

    return all(share.share(workers, states, task))


def contiguous(x: np.ndarray) -> np.ndarray:
    """A plain array as kernels are given it."""
    return as_doubles(np.require(x, requirements=["C", "A"]))


def as_doubles(x: np.ndarray) -> np.ndarray:
    """The same memory; arrays out of a file may have a dtype of their own that is equal."""
    return x if x.dtype is FLOAT else x.view(FLOAT)


def _given(arrays: Sequence[np.ndarray], n: int) -> list[np.ndarray]:
    """The first n arguments of a kernel, and forces if there are any."""
    return [*arrays[:n], *(x for x in arrays[n : n + 1] if len(x))]


class KernelPage:
    """An algorithm page as its signature describes it, and its kernel."""

    def __init__(
        self,
        page: Callable[..., Any],
        kernel: str | None,
        signature: str,
        rotors: Rotors,
        runs: Runs | None,
    ) -> None:
        left, right = (re.findall(r"\(([^)]*)\)", side) for side in signature.split("->"))
        parameters = inspect.signature(page).parameters
        self.page = self.function = page
        self.kernel, self.rotors, self.runs = kernel, rotors, runs
        self.composed: Composed | None = None
        self.make_plan: Callable[[Page, Model], Any] | None = None
        self.review: Callable[..., None] | None = None
        self.cores = tuple(left)
        self.results = tuple(tuple(dims.split(",")) if dims else () for dims in right)
        self.names = tuple(parameters)[1 : 1 + len(left)]
        options = list(parameters.values())[1 + len(left) :]
        self.options = [p.name for p in options if p.kind is p.POSITIONAL_OR_KEYWORD]
        self.defaults = {p.name: p.default for p in options if p.kind is not p.VAR_KEYWORD}
        self.takes_force = "f_ext" in parameters
        self.validate_constraints: ValidateConstraints | None = None
        self.joint_terms = False
        self.takes_frame = self.takes_force and "frame" in parameters
        self.of_frame = False

    def load(self) -> Any:
        """The kernel for `prepare`; None where it is not compiled."""
        known = self.kernel and has_compiler()
        kernel = load_kernel(cast("str", self.kernel)) if known else None
        return kernel if hasattr(kernel, "overloads") else None

    def sizes(self, model: Model, planar: bool = False, m: int = 0) -> list[tuple[int, ...]]:
        """The shapes of the results for a model."""
        rotors = count_rotors(model) if any("r" in dims for dims in self.results) else 0
        return self.shapes(model.layout.NQ, model.layout.NV, model.NB, planar, rotors, m)

    def result_shapes(self, model: Model, **options: Any) -> list[tuple[int, ...]]:
        """The shapes of the results for one state."""
        m = self.validate_constraints(model, options) if self.validate_constraints else 0
        return [shape[1:] for shape in self.sizes(model, model.is_planar, m)]

    @functools.cache  # noqa: B019
    def shapes(
        self, NQ: int, NV: int, NB: int, planar: bool = False, rotors: int = 0, m: int = 0
    ) -> list[tuple[int, ...]]:
        """Shapes of the results of one state, with a batch axis of length one.

        Those of kernels are spatial for planar models too.
        """
        size = {"q": NQ, "v": NV, "b": NB, "6": 3 if planar else 6, "3": 2 if planar else 3}
        size |= {"j": NV - 6, "p": 10 * NB, "r": 10 * rotors, "m": m}
        return [(1, *(size[d] for d in dims)) for dims in self.results]

    def lead(self, arrays: Sequence[Array], force: Array | None) -> tuple[int, ...]:
        """The leading axes of all arguments together."""
        leads = [tuple(x.shape[:-1]) for x in arrays]
        if force is not None:
            leads.append(tuple(force.shape[:-2]))
        if all(lead == leads[0] for lead in leads):
            return leads[0]
        return common_lead(dict(zip([*self.names, "f_ext"], leads, strict=False)))

    def compiled(
        self, model: Model, *arrays: np.ndarray, call: Call, **kw: Any
    ) -> tuple[Any, bool]:
        """The results of the kernel on flat batches, and whether it says that they are finite."""
        force = kw.get("f_ext")
        lead = self.lead(arrays, force)
        if model.is_planar and "6" in self.cores:
            raised = zip(arrays, self.cores, strict=True)
            arrays = tuple(raise_vectors(x) if core == "6" else x for x, core in raised)
        if any(x.shape[:-1] != lead for x in arrays):
            arrays = tuple(np.broadcast_to(x, (*lead, x.shape[-1])) for x in arrays)
        flat = [np.require(x, requirements=["C", "W"]).reshape(-1, x.shape[-1]) for x in arrays]
        if self.takes_force:
            carried = kw.get("frame") == "body"
            flat.append(lift_forces(None if carried else force, lead))
            if self.takes_frame:
                flat.append(lift_forces(force if carried else None, lead))
        flat = [as_doubles(x) for x in flat]
        if self.runs:
            return self.tensors(model, flat, lead, call)
        if self.composed:
            options = {name: value for name, value in kw.items() if name in self.choices}
            return self.compose(model, flat, lead, call, options, kw.get("m", 0))
        shapes = [lead + shape[1:] for shape in self.sizes(model)]
        outs: Any = [target.array for target in call.targets or ()]
        if not outs and len(set(shapes)) == 1:
            outs = allocate((len(shapes), *shapes[0]))
        elif not outs:
            outs = [allocate(shape) for shape in shapes]
        states = flat[0].shape[0]
        views = [as_doubles(x).reshape(states, *x.shape[len(lead) :]) for x in outs]
        finite = run_batch(self.filler(model, kw), call.workers, flat, views, not lead)
        if model.is_planar:
            outs = [lower(x, dims) for x, dims in zip(outs, self.results, strict=True)]
        return self.returned(outs), finite

    def filler(self, model: Model, options: dict[str, Any] | None = None) -> Callable[..., bool]:
        """What fills the results of a batch: fill(arrays, results, batched)."""
        drive = importlib.import_module("spatial_v2.engine.numbers.batches")
        geared = self.rotors == "own" and model.has_rotors
        tree: Any = geared_tree(model) if geared else kernel_tree(model)
        if self.of_frame:
            tree = frame_view(model, **(options or {}))
        run: Callable[..., bool] = functools.partial(
            drive.run, load_kernel(cast("str", self.kernel)), tree
        )
        n, plan = len(self.cores), prepare(self, model)

        def fill(given: list[np.ndarray], results: list[np.ndarray], batched: bool) -> bool:
            if batched and isinstance(plan, KernelPlan) and not any(map(len, given[n + 1 :])):
                status = plan.batch(results, _given(given, n))
                if status in (Status.DONE, Status.NOT_FINITE):
                    return status is Status.DONE
            return run(given, results, batched)

        return fill

    def pourer(self, model: Model) -> Callable[..., None]:
        """What fills rows of values of a batch: fill(arrays, rows, batched)."""
        drive = importlib.import_module("spatial_v2.engine.numbers.batches")
        kernel, tree = load_kernel(cast("str", self.kernel)), kernel_tree(model)
        n, plan = len(self.cores), prepare(self, model)

        def fill(given: list[np.ndarray], rows: list[np.ndarray], batched: bool) -> None:
            status = Status.REFUSED
            if batched and isinstance(plan, TensorPlan) and not any(map(len, given[n + 1 :])):
                status = plan.batch(rows, _given(given, n))
            if status:
                drive.run_values(kernel, tree, given, rows, batched)

        return fill

    @functools.cached_property
    def choices(self) -> frozenset[str]:
        """The options of the page that `composed` has as well."""
        taken = inspect.signature(self.composed).parameters if self.composed else ()
        return frozenset(self.defaults) & frozenset(taken) - {"f_ext"}

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """The options that need no page."""
        own = ("frame", "axes") if self.of_frame else ("frame",) if self.takes_frame else ()
        return self.choices | {"m", *own}

    def compose(
        self,
        model: Model,
        flat: list[np.ndarray],
        lead: tuple[int, ...],
        call: Call,
        options: dict[str, Any],
        m: int,
    ) -> tuple[Any, bool]:
        """Results made of those of other functions, each written once."""
        composed = functools.partial(cast("Composed", self.composed), **options)
        shapes = [lead + shape[1:] for shape in self.sizes(model, m=m)]
        outs: list[Any] = [target.array for target in call.targets or ()]
        outs = outs or [allocate(shape) for shape in shapes]
        views = [x.reshape(len(flat[0]), *x.shape[len(lead) :]) for x in outs]
        plain = run_batch(functools.partial(composed, model), call.workers, flat, views, not lead)
        if self.review and not plain:
            self.review(model, [x.reshape(*lead, -1) for x in flat[: len(self.cores)]], **options)
        return self.returned(outs), False

    def tensors(
        self, model: Model, flat: list[np.ndarray], lead: tuple[int, ...], call: Call
    ) -> tuple[Any, bool]:
        """Tensors from a kernel that pours their values: packed, or put to their places."""
        patterns = patterns_of(model, cast("Runs", self.runs))
        fill = run = self.pourer(model)
        outs: list[Any] = [target.array for target in call.targets or ()]
        if call.packed:
            outs = outs or [room(lead, pattern.nnz) for pattern in patterns]
            views = [cast("np.ndarray", rows_of(x)) for x in outs]
            outs = [PackedTensor(pattern, x) for pattern, x in zip(patterns, outs, strict=True)]
        else:
            zero = [target.zero for target in call.targets or ()] or [False] * len(patterns)
            outs = outs or [allocate(lead + pattern.shape) for pattern in patterns]
            views = [x.reshape(len(flat[0]), *x.shape[len(lead) :]) for x in outs]
            run = functools.partial(fill_dense, fill, patterns, zero)
        run_batch(run, call.workers, flat, views, not lead)
        return self.returned(outs), False

    def returned(self, parts: Sequence[Any]) -> Any:
        """What a caller gets of so many results: one as it is, several in their named tuple."""
        return parts[0] if len(parts) == 1 else self.named(*parts)

    @functools.cached_property
    def finish(self) -> Callable[[tuple[Any, ...]], Any]:
        """`returned`, of a tuple and in the least time."""
        kind: Any = self.named
        several = len(self.results) > 1 and isinstance(kind, type)
        return functools.partial(tuple.__new__, kind) if several else self.returned

    @functools.cached_property
    def named(self) -> Callable[..., Any]:
        """The NamedTuple that the page is annotated to return, else a plain tuple."""
        annotation = inspect.signature(self.page, eval_str=True).return_annotation
        return annotation if hasattr(annotation, "_fields") else lambda *xs: xs
