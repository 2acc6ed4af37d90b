"""Prepared calls of functions of a tree with closed loops."""

from __future__ import annotations

import math
from typing import Any

from spatial_v2.calls.loading import load_kernel
from spatial_v2.calls.prepare import quaternions_of
from spatial_v2.calls.prepared import Prepared
from spatial_v2.calls.signature import Function
from spatial_v2.calls.steps import Results
from spatial_v2.engine.kernel import KernelCall
from spatial_v2.engine.runner import Runner
from spatial_v2.mechanisms.at_once import KERNELS, Way, are_closed
from spatial_v2.model import Model

__all__ = ["prepared_of"]


def prepared_of(of: Function, model: Model, tree: Model, way: Way) -> Prepared | None:
    """Prepare a function of y by its kernel; None if the loops are closed elsewhere, or if the
    kernel computes another function. States that the kernel does not find closed are refused.
    """
    whole, n = KERNELS[of.name], len(of.results)
    own = way.joined is None and way.closes and way.record.of.own.size
    if not own or whole.finish or not (of.takes_force and of.takes_frame):
        return None
    kernel = load_kernel(whole.name)
    if not kernel.has_entry:
        return None
    plain = not (tree.is_planar or tree.has_rotors)
    sizes, bodies = {"q": model.NQ, "v": model.NV}, tree.NB if plain else -1
    arguments = [(core, sizes[core]) for core in of.cores]
    loops = (len(way.closed.branches),)
    shapes = [(model.NV,) * axes for axes in whole.axes]
    names = [*of.results, ("loops",), ("loops",)]
    batched = kernel.in_simd_batches(sum(map(math.prod, shapes)))
    results = list(zip(names, [*shapes, loops, loops], strict=True))

    def finish(outs: tuple[Any, ...]) -> Any:
        return of.finish(outs[:n]) if are_closed(*outs[n:]) else None

    call = KernelCall(arguments, [bodies, bodies], results, finish=finish)
    quaternions = quaternions_of(model)
    runner = Runner(kernel, way.record.of, call, quaternions)
    return Prepared(runner, finish, batched, Results(returned=of.finish))
