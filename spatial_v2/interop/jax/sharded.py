"""Functions whose batches are spread over devices: each device computes its own part."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.sharding import NamedSharding, PartitionSpec

__all__ = ["is_spread", "matched", "over_devices", "result_aval", "tell_devices"]


def result_aval(likes: Sequence[Any], leads: int, shape: tuple[int, ...]) -> Any:
    """Return the abstract value of a result, its leading axes sharded like the arguments."""
    like = likes[0]
    if getattr(like, "sharding", None) is None:
        return jax.core.ShapedArray(shape, jax.numpy.float64)
    specs = [tuple(x.sharding.spec)[:leads] for x in likes]
    lead = [next((s[k] for s in specs if k < len(s) and s[k]), None) for k in range(leads)]
    spec = PartitionSpec(*lead, *[None] * (len(shape) - leads))
    sharding = NamedSharding(like.sharding.mesh, spec)
    return like.update(shape=shape, weak_type=False, sharding=sharding)


def matched(arrays: Sequence[Any]) -> Sequence[Any]:
    """Cast arrays inside `jax.shard_map` so that all vary over the same axes of the mesh."""
    if not hasattr(jax, "typeof"):
        return arrays
    axes = [_varying(x) for x in arrays]
    every = frozenset().union(*axes)
    if all(own == every for own in axes):
        return arrays
    return [_cast(x, tuple(sorted(every - own))) for x, own in zip(arrays, axes, strict=True)]


def _varying(x: Any) -> frozenset[str]:
    aval = jax.typeof(x)
    kind = getattr(aval, "manual_axis_type", None)
    names: frozenset[str] = getattr(aval, "vma", frozenset()) if kind is None else kind.varying
    return names


def _cast(x: Any, axes: tuple[str, ...]) -> Any:
    if not axes:
        return x
    lax: Any = jax.lax
    return lax.pcast(x, axes, to="varying") if hasattr(lax, "pcast") else lax.pvary(x, axes)


def is_spread(ctx: Any) -> bool:
    """Return whether a program is being lowered for several devices."""
    context = ctx.module_context.axis_context
    devices = getattr(context, "device_assignment", None)
    return devices is not None and len(devices) > 1


def tell_devices(primitive: Any) -> None:
    """Ask JAX to pass device assignments to lowerings of a primitive, if its version can."""
    dispatch = importlib.import_module("jax._src.dispatch")
    known: set[Any] = getattr(dispatch, "prim_requires_devices_during_lowering", set())
    known.add(primitive)


def over_devices(product: Callable[..., Any], shapes: Sequence[tuple[int, ...]], leads: int,
                 results: Sequence[tuple[int, ...]]) -> Callable[..., Any]:  # fmt: skip
    """Return a version of a function whose leading axes may be sharded over devices.

    Parameters
    ----------
    product : callable
        Function of arrays that returns a list of arrays.
    shapes, results : sequences of tuple
        Shapes of arguments and results.
    leads : int
        Number of leading axes, which have length one for an argument shared by all states.
    """
    from jax.experimental.custom_partitioning import custom_partitioning

    full = results[0][:leads]

    def spec(shape: tuple[int, ...], lead: Sequence[Any]) -> PartitionSpec:
        wide = [a if n == m else None for a, n, m in zip(lead, shape, full, strict=False)]
        return PartitionSpec(*wide, *[None] * (len(shape) - leads))

    def shardings(mesh: Any, lead: Sequence[Any]) -> tuple[Any, Any]:
        made = [[NamedSharding(mesh, spec(s, lead)) for s in x] for x in (results, shapes)]
        return tuple(made[0]), tuple(made[1])

    def partition(mesh: Any, arguments: Any, wanted: Any) -> Any:
        lead = (*wanted[0].sharding.spec, *[None] * leads)[:leads]
        return mesh, lambda *x: tuple(product(*x)), *shardings(mesh, lead)

    def infer(mesh: Any, arguments: Any, wanted: Any) -> Any:
        lead: list[Any] = [None] * leads
        for x in arguments:
            for k, axis in enumerate(tuple(x.sharding.spec)[:leads]):
                lead[k] = lead[k] or (axis if x.shape[k] == full[k] else None)
        return shardings(mesh, lead)[0]

    names = [
        [f"b{k}" if k < leads and n == full[k] else f"c{i}{'abcdefgh'[k]}" for k, n in enumerate(s)]
        for i, s in enumerate([*shapes, *results])
    ]
    rule = ", ".join(map(" ".join, names[: len(shapes)])) + " -> "
    rule += ", ".join(map(" ".join, names[len(shapes) :]))
    whole = tuple(dict.fromkeys(x for row in names for x in row if x[0] == "c"))
    made: Any = custom_partitioning(functools.wraps(product)(lambda *x: tuple(product(*x))))
    made.def_partition(
        partition, infer_sharding_from_operands=infer, sharding_rule=rule,
        need_replication_factors=whole,
    )  # fmt: skip
    own: Callable[..., Any] = made
    return own
