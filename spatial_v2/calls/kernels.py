"""Kernels for arrays of any shape: flattened batches, shared by threads, and reshaped results."""

import functools
import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.calls.arguments import FLOAT
from spatial_v2.calls.blocks import in_threads
from spatial_v2.calls.declaration import Composed
from spatial_v2.calls.frame import frame_view
from spatial_v2.calls.loading import load_kernel
from spatial_v2.calls.outputs import Call
from spatial_v2.calls.prepare import geared_tree, kernel_tree, prepare
from spatial_v2.calls.prepared import Prepared
from spatial_v2.calls.signature import Function
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.python_call import rows_of
from spatial_v2.engine.status import Status
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.engine.tree import lift_forces, lower, raise_vectors
from spatial_v2.model import Model
from spatial_v2.packed.compute import fill_dense, room
from spatial_v2.packed.gears import patterns_of
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.tensor import PackedTensor


def run_batch(
    fill: Callable[..., object],
    workers: int,
    arrays: list[Array],
    results: list[Array],
    single: bool,
) -> bool:
    """Call fill(arrays, results, batched) for slices of a batch, one for each worker.

    Single states are not computed in SIMD batches. Returns True if each call reports finite
    results.
    """
    states = len(arrays[0])
    batched = states > 0 and not single
    if workers == 1:
        return bool(fill(arrays, results, batched))

    def task(part: slice) -> bool:
        some = [x[part] if len(x) == states else x for x in arrays]
        return bool(fill(some, [x[part] for x in results], batched))

    return all(in_threads(workers, states, task))


def as_doubles(x: np.ndarray) -> np.ndarray:
    """View an array with NumPy's own dtype object; arrays from files may have an equal one."""
    return x if x.dtype is FLOAT else x.view(FLOAT)


def _filled(
    fill: Callable[..., object], flat: list[np.ndarray], shapes: list[tuple[int, ...]],
    lead: tuple[int, ...], call: Call,
) -> tuple[list[Any], bool]:  # fmt: skip
    """Fill results of given shapes, new or those of the call; return them with that of `fill`."""
    outs = [target.array for target in call.targets or ()] or list(map(allocate, shapes))
    views = [as_doubles(x).reshape(len(flat[0]), *x.shape[len(lead) :]) for x in outs]
    return outs, run_batch(fill, call.workers, flat, views, not lead)


class KernelFunction(Function):
    """A function that runs its kernel, or other functions, on plain arrays."""

    def compiled(
        self, model: Model, *arrays: np.ndarray, call: Call, **kw: Any
    ) -> tuple[Any, bool]:
        """Run the kernel; return its results, and True if they are known to be finite."""
        force = kw.get("f_ext")
        lead = self.lead(arrays, force)
        if model.is_planar and "6" in self.cores:
            raised = zip(arrays, self.cores, strict=True)
            arrays = tuple(raise_vectors(x) if core == "6" else x for x, core in raised)
        if any(x.shape[:-1] != lead for x in arrays):
            arrays = tuple(np.broadcast_to(x, (*lead, x.shape[-1])) for x in arrays)
        states = math.prod(lead)
        flat = [np.require(x, requirements=["C", "W"]) for x in arrays]
        flat = [x.reshape(states, x.shape[-1]) for x in flat]
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
        outs, finite = _filled(self.filler(model, kw), flat, shapes, lead, call)
        if model.is_planar:
            outs = [lower(x, dims) for x, dims in zip(outs, self.results, strict=True)]
        return self.returned(outs), finite

    def filler(self, model: Model, options: dict[str, Any] | None = None) -> Callable[..., bool]:
        """Return the function that computes the results of a batch: fill(arrays, results, batched).

        If the kernel computes tensors, the results are rows of packed values. For functions of a
        frame the options include the frame.
        """
        if self.of_frame:
            tree: Any = frame_view(model, **(options or {}))
        elif self.rotors == "own":
            tree = geared_tree(model)
        else:
            tree = kernel_tree(model)
        kernel, look = load_kernel(cast("str", self.kernel)), not self.runs
        n, prepared = len(self.cores), prepare(self, model)
        prepared = prepared.packed or prepared if isinstance(prepared, Prepared) else None

        def fill(arrays: list[np.ndarray], results: list[np.ndarray], batched: bool) -> bool:
            if batched and prepared and not any(map(len, arrays[n + 1 :])):
                force = [x for x in arrays[n : n + 1] if len(x)]
                status = prepared.fill_batch(results, [*arrays[:n], *force])
                if status is Status.DONE or (status is Status.NOT_FINITE and not self.runs):
                    return status is Status.DONE
            return kernel.run(Record(tree), arrays, results, batched, look)

        return fill

    def compose(
        self,
        model: Model,
        flat: list[np.ndarray],
        lead: tuple[int, ...],
        call: Call,
        options: dict[str, Any],
        m: int,
    ) -> tuple[Any, bool]:
        """Compute the results of a function that is composed of other functions."""
        composed = functools.partial(cast("Composed", self.composed), **options)
        shapes = [lead + shape[1:] for shape in self.sizes(model, m=m)]
        outs, plain = _filled(functools.partial(composed, model), flat, shapes, lead, call)
        if self.review and not plain:
            self.review(model, [x.reshape(*lead, -1) for x in flat[: len(self.cores)]], **options)
        return self.returned(outs), False

    def tensors(
        self, model: Model, flat: list[np.ndarray], lead: tuple[int, ...], call: Call
    ) -> tuple[Any, bool]:
        """Compute tensors by a kernel that writes packed values; return them packed or dense."""
        patterns = patterns_of(model, cast("Runs", self.runs))
        fill, targets = self.filler(model), call.targets or ()
        if call.packed:
            outs: list[Any] = [target.array for target in targets]
            outs = outs or [room(lead, pattern.nnz) for pattern in patterns]
            rows = [cast("np.ndarray", rows_of(x)) for x in outs]
            run_batch(fill, call.workers, flat, rows, not lead)
            outs = [PackedTensor(pattern, x) for pattern, x in zip(patterns, outs, strict=True)]
        else:
            zero = [target.zero for target in targets] or [False] * len(patterns)
            run = functools.partial(fill_dense, fill, patterns, zero)
            shapes = [lead + pattern.shape for pattern in patterns]
            outs, _ = _filled(run, flat, shapes, lead, call)
        return self.returned(outs), False
