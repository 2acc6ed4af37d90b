"""Operators, and products with their derivatives, computed by JAX's own operations for exported
programs.

JAX differentiates the reference implementation along the joints' degrees of freedom. The programs
are longer and slower than a call of a kernel, but they contain the model's numbers and run without
this library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from spatial_v2.configuration import configurationAddition
from spatial_v2.interop.operators.algebra import ALGEBRA
from spatial_v2.interop.operators.problem import Problem

__all__ = ["product"]

Vectors = tuple[Any, ...]


def product(problem: Problem, kind: str, *arrays: Any) -> list[Any]:
    """Compute a product with derivatives of an operator, such as a Jacobian-vector product; see
    `spatial_v2.interop.operators.algebra`.
    """
    model, n = problem.model, problem.states
    options = dict(problem.options)
    cores = [len(c) for group in ALGEBRA[kind].groups for c in problem.cores(group)]
    axes = [1] * n + [2] * problem.has_force + cores
    leads = [x.shape[: x.ndim - k] for x, k in zip(arrays, axes, strict=True)]
    lead = jnp.broadcast_shapes(*leads)
    wide = [
        jnp.broadcast_to(x, (*lead, *x.shape[x.ndim - k :]))
        for x, k in zip(arrays, axes, strict=True)
    ]
    if problem.has_force:
        options["f_ext"] = wide[n]
    x, groups = tuple(wide[:n]), [tuple(g) for g in problem.groups(kind, wide)]
    zero = tuple(jnp.zeros((*lead, model.NV)) for _ in x)
    page: Any = getattr(problem.operator.function, "reference", problem.operator.function)

    def at(x: Vectors, d: Vectors) -> Vectors:
        moved = configurationAddition(model, x[0], d[0])
        return (moved, *(y + dy for y, dy in zip(x[1:], d[1:], strict=True)))

    def f(x: Vectors) -> Vectors:
        out = page(model, *x, **options)
        return tuple(out) if isinstance(out, tuple) else (out,)

    def push(x: Vectors, u: Vectors) -> Vectors:
        out: Vectors = jax.jvp(lambda d: f(at(x, d)), (zero,), (u,))[1]
        return out

    def pull(x: Vectors, w: Vectors) -> Vectors:
        out: Vectors = jax.vjp(lambda d: f(at(x, d)), zero)[1](w)[0]
        return out

    def along(g: Callable[[Vectors], Vectors], u: Vectors) -> Vectors:
        out: Vectors = jax.jvp(lambda d: g(at(x, d)), (zero,), (u,))[1]
        return out

    ways: dict[str, Callable[..., Vectors]] = {
        "value": lambda: f(x),
        "push": lambda u: push(x, u),
        "pull": lambda w: pull(x, w),
        "second": lambda u1, u2: along(lambda y: push(y, u1), u2),
        "hessian_times": lambda w, u: along(lambda y: pull(y, w), u),
        "times_hessian": lambda w, u: jax.vjp(lambda d: push(at(x, d), u), zero)[1](w)[0],
    }
    return list(ways[kind](*groups))
