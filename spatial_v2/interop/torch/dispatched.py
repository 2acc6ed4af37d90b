"""Operators and products with their derivatives, registered as PyTorch operators.

`torch.compile` and `torch.export`, fake and meta tensors, and the older `vmap` of
`torch.autograd.functional` need registered operators, each with the shapes of its results, its
derivative and its batching rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.interop.operators.algebra import ALGEBRA
from spatial_v2.interop.operators.problem import Problem
from spatial_v2.interop.operators.table import EVERY
from spatial_v2.interop.torch.products import along, backward, computed, remember, spread
from spatial_v2.interop.torch.registered import differentiate, register
from spatial_v2.interop.torch.registry import dispatch, number_of, operator_name, problem_of
from spatial_v2.model import Model

__all__ = ["call"]

_KEPT: dict[Any, Problem] = {}
"""All problems that compiled programs refer to, since these do not keep them alive."""


@torch._dynamo.assume_constant_result  # type: ignore[no-untyped-call,untyped-decorator,unused-ignore]
def _number(name: str, model: Model, has_force: bool, many: int, *options: Any) -> int:
    """Return the number of a problem as a constant of a compiled program.

    The first `many` entries of `options` are constraints; the others are pairs of name and value.
    PyTorch compiles again if the model is replaced by another object.
    """
    chosen = dict(zip(options[many::2], options[many + 1 :: 2], strict=True))
    if many:
        first = options[0]
        chosen["constraints"] = first if isinstance(first, ConstraintSet) else list(options[:many])
    key = name, id(model), id(model.layout), has_force, many, *map(repr, options[many:])
    key += tuple(map(id, options[:many]))
    if key not in _KEPT:
        chosen |= {"f_ext": True} if has_force else {}
        _KEPT[key] = Problem(EVERY[name], model, chosen)
    return number_of(_KEPT[key])


def call(name: str, model: Model, x: Sequence[Any], f_ext: Any, options: dict[str, Any]) -> Any:
    """Call a function of the table of operators while PyTorch is compiling."""
    constraints = options.pop("constraints", ())
    if not isinstance(constraints, list | tuple):
        constraints = (constraints,)
    flat = [y for pair in options.items() for y in pair]
    number = _number(name, model, f_ext is not None, len(constraints), *constraints, *flat)
    axes = [1] * len(x) + [2] * (f_ext is not None)
    arrays = [*x] if f_ext is None else [*x, f_ext]
    for y in arrays:
        if y.dtype != torch.float64:
            raise ArrayShapeError(
                f"{name}: want torch.float64, got {y.dtype}; convert it, x.double()"
            )
    leads = [y.shape[: y.dim() - n] for y, n in zip(arrays, axes, strict=True)]
    lead = torch.broadcast_shapes(*leads)
    wide = [y.expand(*lead, *y.shape[y.dim() - n :]) for y, n in zip(arrays, axes, strict=True)]
    results = len(EVERY[name].results)
    out = getattr(torch.ops.spatial_v2, operator_name(len(wide), results))(number, "value", *wide)
    return out if results > 1 else (out,)


def _define(arrays: int, results: int) -> None:
    """Register the PyTorch operator for given numbers of argument arrays and results."""
    several = results > 1

    def run(number: int, kind: str, *arrays: Any) -> Any:
        out = computed(problem_of(number), kind, arrays)
        return out if several else out[0]

    def shapes(number: int, kind: str, *arrays: Any) -> Any:
        made = problem_of(number).shapes(kind, [tuple(x.shape) for x in arrays])
        out = tuple(arrays[0].new_empty(shape) for shape in made)
        return out if several else out[0]

    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        number, kind, *arrays = inputs
        results = output if several else [output]
        remember(ctx, problem_of(number), kind, arrays, results, dispatch)
        ctx.save_for_forward(*arrays)

    def along_directions(ctx: Any, _number: Any, _kind: Any, *tangents: Any) -> Any:
        out = along(ctx, *tangents)
        return out if several else out[0]

    def batched(info: Any, dims: Any, number: int, kind: str, *arrays: Any) -> Any:
        out = dispatch(problem_of(number), kind, spread(dims[2:], arrays))
        return (out, (0,) * len(out)) if several else (out[0], 0)

    parameters = ", ".join(f"Tensor x{k}" for k in range(arrays))
    made = ", ".join(["Tensor"] * results)
    schema = f"(int number, str kind, {parameters}) -> {f'({made})' if several else made}"
    name = operator_name(arrays, results)
    op = register(name, schema, run, shapes, batched)
    differentiate(name, op, setup, backward, along_directions)


def _define_all() -> None:
    """Register operators for all products of all functions."""
    sizes = set()
    for op in EVERY.values():
        counts = {"u": len(op.variables), "w": len(op.results)}
        for product in ALGEBRA.values():
            n = len(op.variables) + sum(counts[group] for group in product.groups)
            sizes |= {(n + force, counts[product.result]) for force in (0, 1)}
    for arrays, results in sorted(sizes):
        _define(arrays, results)


_define_all()
