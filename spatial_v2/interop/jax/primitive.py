"""The JAX primitive for products with the derivatives of the dynamics, one for all operators.

Its derivative and transposes come from `spatial_v2.interop.operators.algebra`, so that ``jvp``,
``vjp``, ``grad`` and ``hessian`` nest up to second derivatives. `vmap` adds a leading axis. A
compiled program runs a kernel or calls Python, once for a batch of any size.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.jax import frame
from spatial_v2.interop.jax.sharded import (
    is_spread,
    matched,
    over_devices,
    result_aval,
    tell_devices,
)
from spatial_v2.interop.jax.ticket import ticket
from spatial_v2.interop.jax.traced import product
from spatial_v2.interop.operators.algebra import ALGEBRA, COTANGENT
from spatial_v2.interop.operators.problem import Problem, options_of
from spatial_v2.interop.operators.table import EVERY
from spatial_v2.interop.tangent import tangent

__all__ = ["bind"]

primitive = Primitive("spatial_v2")
primitive.multiple_results = True
_TOKEN = {"returns_token": False}
_EXTRA = (
    _TOKEN if "returns_token" in inspect.signature(mlir.emit_python_callback).parameters else {}
)


def bind(problem: Problem, kind: str, arrays: Sequence[Any]) -> list[Any]:
    """Compute a product with derivatives of an operator, such as a Jacobian-vector product (see
    `ALGEBRA`), or record it if JAX is tracing.
    """
    return list(primitive.bind(*matched(arrays), problem=problem, kind=kind))


def _numbers(problem: Problem, kind: str, arrays: Sequence[Any]) -> tuple[np.ndarray, ...]:
    out = problem.compute(kind, *map(np.asarray, arrays))
    return tuple(np.ascontiguousarray(y) for y in out)


@primitive.def_impl
def _impl(*arrays: Any, problem: Problem, kind: str) -> list[Any]:
    if any(len(x.devices()) > 1 for x in arrays if isinstance(x, jax.Array)):
        out: list[Any] = jax.jit(partial(bind, problem, kind))(arrays)
        return out
    return [jnp.asarray(y) for y in _numbers(problem, kind, arrays)]


@primitive.def_abstract_eval
def _shapes(*arrays: Any, problem: Problem, kind: str) -> list[Any]:
    shapes = problem.shapes(kind, [x.shape for x in arrays])
    return [result_aval(arrays, arrays[0].ndim - 1, shape) for shape in shapes]


def _lower(ctx: Any, *arrays: Any, problem: Problem, kind: str) -> Any:
    """Compile a product to a foreign function of XLA, or to a callback into Python.

    Exported programs use JAX's own operations instead, and with several devices each device
    computes a part of the batch.
    """
    shapes = [tuple(x.shape) for x in ctx.avals_in]
    if ctx.module_context.lowering_parameters.for_export:
        page = partial(product, problem, kind)
        return mlir.lower_fun(page, multiple_results=True)(ctx, *arrays)
    leads = len(shapes[0]) - 1
    if leads and is_spread(ctx):
        part = copy.copy(problem)  # compiled by itself: what it uses is kept by the whole program
        part.uses = []
        ctx.module_context.add_keepalive(part.uses)
        own = over_devices(
            lambda *x: bind(part, kind, x), shapes, leads, [x.shape for x in ctx.avals_out]
        )
        return mlir.lower_fun(own, multiple_results=True)(ctx, *arrays)
    platforms = ctx.module_context.platforms
    alike = all(shape[:-1] == shapes[0][:-1] for shape in shapes)
    if kind in problem.operator.composed and alike and not problem.has_force:
        whole = partial(_compose, problem, kind)
        return mlir.lower_fun(whole, multiple_results=True)(ctx, *arrays)
    if tuple(platforms) == ("cpu",) and frame.is_there():
        made = ticket(problem, kind, shapes)
        ctx.module_context.add_keepalive(use := made.use())  # as long as the program lives
        if problem.uses is not None:
            problem.uses.append(use)
        lowering = jax.ffi.ffi_lowering(made.target)
        return lowering(ctx, *arrays, key=np.int64(made.key))
    return _lower_to_callback(ctx, *arrays, problem=problem, kind=kind)


def _compose(problem: Problem, kind: str, *arrays: Any) -> list[Any]:
    """Compute a product from values of other operators on the same model."""
    model, n = problem.model, problem.states

    def call(name: str, *x: Any) -> list[Any]:
        operator = EVERY[name]
        known = options_of(operator.function, len(operator.variables))
        options = {k: y for k, y in problem.options.items() if k in known}
        made = Problem(operator, model, options)
        made.uses = problem.uses
        return bind(made, "value", x)

    return list(problem.operator.composed[kind](call, arrays[:n], problem.groups(kind, arrays)))


def _lower_to_callback(ctx: Any, *arrays: Any, problem: Problem, kind: str) -> Any:
    def call(*numbers: Any) -> tuple[np.ndarray, ...]:
        return _numbers(problem, kind, numbers)

    results, *_ = mlir.emit_python_callback(
        ctx, call, None, list(arrays), ctx.avals_in, ctx.avals_out, has_side_effect=False, **_EXTRA
    )
    return results


def _instantiated(tangents: Sequence[Any]) -> list[Any]:
    return [ad.instantiate_zeros(t) for t in tangents]


def _is_zero(tangents: Sequence[Any]) -> bool:
    return all(type(t) is ad.Zero for t in tangents)


def _jvp(arrays: Any, tangents: Any, *, problem: Problem, kind: str) -> Any:
    """Forward-mode rule: return a product, and its derivative in the directions `tangents` of all
    its arguments.
    """
    out, terms = bind(problem, kind, arrays), []
    n, head = problem.states, problem.head
    along, force, groups = tangents[:n], tangents[n:head], problem.groups(kind, tangents)
    if not _is_zero(force):
        raise SpatialError(
            "f_ext: there are no derivatives with respect to external forces; differentiate "
            f"{problem.operator.home}.{problem.operator.name}.reference"
        )
    if not _is_zero(along):
        problem.refuse_constants([k for k, t in enumerate(along) if type(t) is not ad.Zero])
        derivative = problem.along(kind)
        if derivative is None:
            raise problem.third()
        dq, *rest = _instantiated(along)
        u = [tangent(problem.model, arrays[0], dq), *rest]
        terms.append(bind(problem, derivative, [*arrays, *u]))
    inputs, first = list(arrays), head
    for group in groups:
        if not _is_zero(group):
            moved = [*inputs[:first], *_instantiated(group), *inputs[first + len(group) :]]
            terms.append(bind(problem, kind, moved))
        first += len(group)
    if not terms:
        return out, [ad.Zero.from_primal_value(y) for y in out]
    return out, [sum(parts[1:], parts[0]) for parts in zip(*terms, strict=True)]


def _transpose(cotangents: Any, *arrays: Any, problem: Problem, kind: str) -> list[Any]:
    """Transposition rule: compute the product that is the transpose of a product with respect to
    one group of its arguments.
    """
    head, groups = list(arrays[: problem.head]), problem.groups(kind, arrays)
    ct = _instantiated(cotangents)
    wanted = [any(ad.is_undefined_primal(y) for y in group) for group in groups]
    if any(map(ad.is_undefined_primal, head)):
        op = problem.operator
        raise SpatialError(
            f"{op.name}: jax.linear_transpose is for functions that are linear, and this is not "
            f"linear in {', '.join(op.variables)}; jax.vjp transposes its derivative at a state"
        )
    k = wanted.index(True)
    name, numbers = ALGEBRA[kind].transposes[k]
    taken = [y for i in numbers for y in (ct if i == COTANGENT else groups[i])]
    made = bind(problem, name, [*head, *taken])
    back: list[Any] = [None] * len(head)
    for i, group in enumerate(groups):
        for j, y in enumerate(group):
            asked = i == k and ad.is_undefined_primal(y)
            back.append(_summed(made[j], y.aval.shape) if asked else None)
    return back


def _summed(x: Any, shape: tuple[int, ...]) -> Any:
    """Sum `x` over the axes along which an argument of the given shape was broadcast."""
    axes = tuple(i for i, (n, m) in enumerate(zip(x.shape, shape, strict=True)) if n != m)
    return jnp.sum(x, axis=axes, keepdims=True) if axes else x


def _batch(arrays: Any, axes: Any, *, problem: Problem, kind: str) -> Any:
    """Batching rule: add a leading axis, of length one for arguments that are not batched."""
    moved = [
        jnp.expand_dims(x, 0) if axis is None else jnp.moveaxis(x, axis, 0)
        for x, axis in zip(arrays, axes, strict=True)
    ]
    out = bind(problem, kind, moved)
    return out, [0] * len(out)


ad.primitive_jvps[primitive] = _jvp
ad.primitive_transposes[primitive] = _transpose
batching.primitive_batchers[primitive] = _batch
mlir.register_lowering(primitive, _lower)
tell_devices(primitive)
