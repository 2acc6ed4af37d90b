"""Measurements of the study `compiling`: times in which JAX compiles ID and its derivatives."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks import study
from benchmarks.robots import robot, states
from spatial_v2 import ID
from spatial_v2.interop import jax as in_jax
from spatial_v2.interop.jax.scanned import scanned


def seconds(call: Callable[..., Any], *x: Any) -> float:
    """Return the processor time of a compilation, summed over all threads [s]."""
    start = time.process_time()
    jax.jit(call).lower(*x).compile()
    return time.process_time() - start


def compile_times(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each robot and form of ID: time to compile it, its gradient and its Hessian
    [s].
    """
    for name in args.robots:
        model = robot(name)
        x = [jnp.asarray(sample[0]) for sample in (states(model, 1)[key] for key in "qvx")]
        loops = scanned(model)
        forms: dict[str, Callable[..., Any]] = {
            "the page": lambda *x, m=model: ID.reference(m, *x).sum(),
            "loops": lambda *x, r=loops: r.ID(*x).sum(),
            "the operator": lambda *x, m=model: in_jax.ID(m, *x).sum(),
        }
        for form, f in forms.items():
            paged = form == "the page" and args.largest < model.NV
            yield {
                "robot": name, "NV": model.NV, "form": form,
                "ID": float("nan") if paged else seconds(f, *x),
                "gradient": float("nan") if paged else seconds(jax.grad(f), *x),
                "Hessian": float("nan") if paged else seconds(jax.hessian(f), *x),
            }  # fmt: skip
