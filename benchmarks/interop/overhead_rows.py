"""Measurements for `overhead`.

Two things are timed: the value, and the value with the gradient of a weighted sum of the results.
Each is compared with calls of the kernels that it needs at least, on the same arrays. Derivatives
are compared with matrices and tensors of the library, which other kernels compute.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch

from benchmarks import study
from benchmarks.robots import robot, states
from benchmarks.timing import interleaved
from spatial_v2 import Model, configurationRates
from spatial_v2.interop import jax as in_jax
from spatial_v2.interop import torch as in_torch
from spatial_v2.interop.operators import OPERATORS, Operator, pull, push, second, value

FUNCTIONS = ("ID", "FDab", "HandC")


def both(op: Operator, model: Model, x: Any, w: Any) -> None:
    """Compute the value and the gradient by kernels alone."""
    value(op, model, x)
    pull(op, model, x, w)


def tuple_of(out: Any) -> tuple[Any, ...]:
    return tuple(out) if isinstance(out, tuple) else (out,)


def jax_calls(op: Operator, model: Model, x: Any, w: Any) -> dict[str, Callable[[], object]]:
    """Return the compiled JAX functions for the value and the gradient."""
    f, X, W = getattr(in_jax, op.name), list(map(jnp.asarray, x)), list(map(jnp.asarray, w))

    def total(*x: Any) -> Any:
        return sum((a * b).sum() for a, b in zip(tuple_of(f(model, *x)), W, strict=True))

    compiled = jax.jit(lambda *x: f(model, *x))
    gradient = jax.jit(jax.value_and_grad(total, range(len(X))))
    return {
        "JAX": lambda: jax.block_until_ready(compiled(*X)),
        "JAX, gradient": lambda: jax.block_until_ready(gradient(*X)),
    }


def torch_calls(op: Operator, model: Model, x: Any, w: Any) -> dict[str, Callable[[], object]]:
    """Return the PyTorch functions for the value and the gradient."""
    f, X, W = getattr(in_torch, op.name), *([torch.tensor(y) for y in z] for z in (x, w))
    recorded = [y.clone().requires_grad_() for y in X]
    return {
        "PyTorch": lambda: f(model, *X),
        "PyTorch, gradient": lambda: torch.autograd.grad(
            tuple_of(f(model, *recorded)), recorded, W
        ),
    }


def errors(op: Operator, model: Model, x: Any, w: Any, u: Any) -> tuple[float, float]:
    """Return the errors of first and second derivatives by JAX, relative to the largest entry."""
    f = getattr(in_jax, op.name)

    def total(*x: Any) -> Any:
        return sum((a * b).sum() for a, b in zip(tuple_of(f(model, *x)), w, strict=True))

    gradient = jax.grad(total, range(len(x)))
    rates = [configurationRates(model, x[0], u[0], stabilise=False), *u[1:]]
    slope = sum((a * b).sum() for a, b in zip(w, push(op, model, x, u), strict=True))
    one = abs(sum((a * b).sum() for a, b in zip(gradient(*x), rates, strict=True)) - slope)
    arrays = tuple(map(jnp.asarray, x))
    _, (_, *rows) = jax.jvp(gradient, arrays, tuple(map(jnp.asarray, rates)))
    across = [0 * u[0], *u[1:]]
    parts = second(op, model, x, across, u)
    twice = sum((a * b).sum() for a, b in zip(w, parts, strict=True))
    two = abs(sum((a * b).sum() for a, b in zip(rows, u[1:], strict=True)) - twice)
    return float(one / abs(slope)), float(two / abs(twice))


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each function: times of a batch [us], and errors of derivatives."""
    for name in args.robots:
        model = robot(name)
        sample, rng = states(model, args.states), np.random.default_rng(1)
        for function in FUNCTIONS:
            op = OPERATORS[function]
            x = [sample[key] for key in "qvx"[: len(op.variables)]]
            cores = [op.size(model, r, 0) for r in range(len(op.results))]
            w = [rng.normal(size=(args.states, *core)) for core in cores]
            u = [rng.normal(size=(args.states, model.NV)) for _ in x]
            calls: dict[str, Callable[[], object]] = {
                "kernel": partial(value, op, model, x),
                "kernel, gradient": partial(both, op, model, x, w),
                **jax_calls(op, model, x, w),
                **torch_calls(op, model, x, w),
            }
            us = interleaved(calls, **args.effort)
            first, other = errors(op, model, x, w, u)
            yield {
                "robot": name, "NV": model.NV, "function": function, **us,
                "first": first, "second": other,
            }  # fmt: skip
