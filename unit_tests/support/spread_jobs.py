"""Operators of JAX over four devices of one processor, in a separate process that prints JSON.

For each operator it prints the differences of values and gradients between a batch split over the
devices and one on one device, and whether compiled programs gather data from all devices.
"""

import json
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import numpy as np
from interop_samples import Case
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from spatial_v2.interop import jax as tool
from spatial_v2.interop.operators import OPERATORS

jax.config.update("jax_enable_x64", True)


def far(a: object, b: object) -> float:
    """Return the largest difference of two arrays relative to the largest entry."""
    x, y = np.asarray(a), np.asarray(b)
    return float(abs(x - y).max() / (1 + abs(y).max()))


def examine(name: str) -> dict[str, float | bool]:
    case = Case(name, "one_Fb", (8,))
    mesh = Mesh(np.array(jax.devices()), ("b",))
    spread = NamedSharding(mesh, P("b"))
    x = [jax.device_put(y, spread) for y in case.x]

    def f(*y):  # type: ignore[no-untyped-def]
        out = getattr(tool, name)(case.model, *y, **case.options)
        return tuple(out) if isinstance(out, tuple) else (out,)

    def total(*y):  # type: ignore[no-untyped-def]
        return sum((a**2).sum() for a in f(*y))

    gradient = jax.grad(total, range(len(x)))
    wanted, slopes = f(*case.x), gradient(*case.x)
    each = [P("b")] * len(x)

    def mapped(g, n):  # type: ignore[no-untyped-def]
        return jax.shard_map(g, mesh=mesh, in_specs=tuple(each), out_specs=(P("b"),) * n)

    inside = jax.grad(lambda *y: sum((a**2).sum() for a in mapped(f, len(wanted))(*y)))
    pairs = {
        "values": (jax.jit(f)(*x), wanted),
        "values without jit": (f(*x), wanted),
        "gradients": (jax.jit(gradient)(*x), slopes),
        "shard_map": (mapped(f, len(wanted))(*x), wanted),
        "gradient in shard_map": (jax.jit(mapped(gradient, len(x)))(*x), slopes),
        "gradient of shard_map": ((inside(*x),), slopes[:1]),
    }
    told: dict[str, float | bool] = {
        key: max(far(a, b) for a, b in zip(*pair, strict=True)) for key, pair in pairs.items()
    }
    for key, g in {"values": f, "gradients": gradient}.items():
        program = jax.jit(g).lower(*x).compile()
        told[f"{key} gather"] = "all-gather" in program.as_text()
        parts = [y.sharding.is_fully_replicated for y in jax.tree.leaves(jax.jit(g)(*x))]
        told[f"{key} replicate"] = any(parts)
    return told


if __name__ == "__main__":
    json.dump({name: examine(name) for name in sys.argv[1:] or OPERATORS}, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # threads of JAX may never end when the interpreter does
