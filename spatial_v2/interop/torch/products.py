"""The `torch.autograd.Function` that computes operators and all products with their derivatives.

A product is a function such as a vector-Jacobian product; see
`spatial_v2.interop.operators.algebra`. The backward method calls the same Function for the
transposed products, so that ``create_graph=True`` gives second derivatives. Under `torch.func.vmap`
a batch is one call.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch.autograd import forward_ad

from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.operators.algebra import ALGEBRA, COTANGENT
from spatial_v2.interop.operators.problem import Problem
from spatial_v2.interop.tangent import cotangent, tangent
from spatial_v2.interop.torch.registry import dispatch
from spatial_v2.model import Model

__all__ = ["apply"]


def apply(problem: Problem, kind: str, arrays: Sequence[Any]) -> tuple[Any, ...]:
    """Compute a product of an operator for tensors, and record it for autograd if needed."""
    if any(map(is_special, arrays)):
        return dispatch(problem, kind, arrays)
    if torch._C._are_functorch_transforms_active():
        out: tuple[Any, ...] = Products.apply(problem, kind, *arrays)
    elif _is_recorded(arrays):
        out = Recorded.apply(problem, kind, *arrays)
    else:
        out = Products.forward(problem, kind, *arrays)
    return out


def computed(problem: Problem, kind: str, arrays: Sequence[Any]) -> tuple[Any, ...]:
    """Compute a product of an operator for tensors without recording it; results are on the first
    tensor's device.
    """
    out = problem.compute(kind, *[_numbers(x) for x in arrays])
    whole = [y if y.flags.carray else np.array(y, order="C") for y in out]
    made, like = map(torch.from_numpy, whole), arrays[0]
    return tuple(made) if like.is_cpu else tuple(y.to(like.device) for y in made)


def remember(
    ctx: Any, problem: Problem, kind: str, arrays: Sequence[Any], output: Any, product: Any = apply
) -> None:
    """Save the arguments of a product for `backward`, which calls the function `product` for the
    transposed ones.
    """
    ctx.problem, ctx.kind, ctx.product = problem, kind, product
    ctx.shapes = [y.shape for y in output]
    ctx.save_for_backward(*arrays)


def backward(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:
    """Compute the cotangents of the state and of each group by transposed products."""
    problem, kind, arrays = ctx.problem, ctx.kind, ctx.saved_tensors
    if all(c is None for c in cotangents):
        return (None,) * (2 + len(arrays))
    like = arrays[0]
    ct = [
        like.new_zeros(shape) if c is None else c
        for c, shape in zip(cotangents, ctx.shapes, strict=True)
    ]
    product, needed = ALGEBRA[kind], ctx.needs_input_grad[-len(arrays) :]
    n, head = problem.states, problem.head
    state, groups = list(arrays[:head]), problem.groups(kind, arrays)
    _refuse_forces(problem, any(needed[n:head]))

    def transposed(name: str, numbers: Sequence[int]) -> tuple[Any, ...]:
        taken = [y for i in numbers for y in (ct if i == COTANGENT else groups[i])]
        return ctx.product(problem, name, [*state, *taken])  # type: ignore[no-any-return]

    back: list[Any] = [None] * head
    derivative = problem.along(kind)
    if derivative is None and any(needed[:n]) and _asked(ctx, range(n)):
        raise problem.third()
    if derivative is not None and any(needed[:n]):
        fixed = problem.operator.constant
        problem.refuse_constants([k for k in fixed if needed[k] and _asked(ctx, [k])])
        g, *rest = transposed(*product.transpose_along())
        back[:n] = [_gradient(ctx, arrays[0], g) if needed[0] else None, *rest]
    start = head
    for group, (name, numbers) in zip(groups, product.transposes, strict=True):
        asked = any(needed[start : start + len(group)])
        back += transposed(name, numbers) if asked else [None] * len(group)
        start += len(group)
    sums = (None if y is None else _summed(y, x) for y, x in zip(back, arrays, strict=True))
    return None, None, *sums


def along(ctx: Any, *tangents: Any) -> tuple[Any, ...]:
    """Compute the derivative of a product in the directions of the tangents."""
    problem, kind, arrays = ctx.problem, ctx.kind, ctx.saved_tensors
    n, head, terms = problem.states, problem.head, []
    _refuse_forces(problem, any(t is not None for t in tangents[n:head]))
    full = [torch.zeros_like(x) if t is None else t for x, t in zip(arrays, tangents, strict=True)]
    if any(t is not None for t in tangents[:n]):
        problem.refuse_constants([k for k, t in enumerate(tangents[:n]) if t is not None])
        derivative = problem.along(kind)
        if derivative is None:
            raise problem.third()
        _refuse_older_vmap(problem.model, full[0])
        u = [tangent(problem.model, arrays[0], full[0]), *full[1:n]]
        terms.append(ctx.product(problem, derivative, [*arrays, *u]))
    start = head
    for group in problem.groups(kind, arrays):
        end = start + len(group)
        if any(t is not None for t in tangents[start:end]):
            moved = [*arrays[:start], *full[start:end], *arrays[end:]]
            terms.append(ctx.product(problem, kind, moved))
        start = end
    return tuple(sum(parts[1:], parts[0]) for parts in zip(*terms, strict=True))


def spread(dims: Sequence[int | None], arrays: Sequence[Any]) -> list[Any]:
    """Move the axis of a `vmap` to the front; arrays without it get one of length one."""
    return [
        x.unsqueeze(0) if dim is None else x.movedim(dim, 0)
        for x, dim in zip(arrays, dims, strict=True)
    ]


def is_special(x: Any) -> bool:
    """Return whether a tensor has no data of its own: fake, meta, or of the older `vmap`."""
    kind = type(x)
    if kind is not torch.Tensor and kind is not torch.nn.Parameter:
        return True
    return bool(x.is_meta or torch._C._functorch.is_legacy_batchedtensor(x))


def _asked(ctx: Any, numbers: Sequence[int]) -> bool:
    """Return whether autograd computes gradients with respect to some of the arguments now."""
    for node, _ in [ctx.next_functions[k] for k in numbers]:
        try:
            if node is not None and torch._C._will_engine_execute_node(node):
                return True
        except RuntimeError:  # of leaf tensors that are inputs of `torch.autograd.grad`
            return True
    return False


class Products(torch.autograd.Function):
    """Any product of any operator: `problem` holds the operator, its model and its options; `kind`
    is the name of the product.
    """

    @staticmethod
    def forward(problem: Problem, kind: str, *arrays: Any) -> tuple[Any, ...]:
        """Compute the product on the CPU."""
        return computed(problem, kind, arrays)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Save the arguments for reverse and forward mode."""
        problem, kind, *arrays = inputs
        remember(ctx, problem, kind, arrays, output)
        ctx.save_for_forward(*arrays)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:
        """Compute the cotangents of the state and of each group by transposed products."""
        return backward(ctx, *cotangents)

    @staticmethod
    def jvp(ctx: Any, _problem: Any, _kind: Any, *tangents: Any) -> tuple[Any, ...]:
        """Compute the derivative of the product in the directions `tangents`."""
        return along(ctx, *tangents)

    @staticmethod
    def vmap(info: Any, dims: Any, problem: Problem, kind: str, *arrays: Any) -> Any:
        """Compute the product with one more leading axis."""
        out = apply(problem, kind, spread(dims[2:], arrays))
        return out, (0,) * len(out)


class Recorded(torch.autograd.Function):
    """Faster `Products` for calls outside transforms of `torch.func`."""

    @staticmethod
    def forward(ctx: Any, problem: Problem, kind: str, *arrays: Any) -> tuple[Any, ...]:
        """Compute the product and save the arguments."""
        out = computed(problem, kind, arrays)
        remember(ctx, problem, kind, arrays, out)
        if forward_ad._current_level >= 0:
            ctx.save_for_forward(*arrays)
        ctx.set_materialize_grads(False)
        return out

    backward = Products.backward
    jvp = Products.jvp


Products.forward.__signature__ = inspect.signature(Products.forward)  # type: ignore[attr-defined]


def _numbers(x: Any) -> np.ndarray:
    """Return a tensor's numbers as a NumPy array, without copying if they are on the CPU."""
    plain = x.is_cpu and not x.requires_grad
    numbers: np.ndarray = x.numpy() if plain else x.detach().cpu().numpy()
    return numbers


def _gradient(ctx: Any, q: Any, g: Any) -> Any:
    """Compute `cotangent`, in NumPy if autograd records nothing, which is faster."""
    model, known = ctx.problem.model, ctx.product is apply
    if model.NQ == model.NV:
        return g
    _refuse_older_vmap(model, g)
    if not known or torch.is_grad_enabled() or not q.is_cpu or is_special(q):
        return cotangent(model, q, g)
    return torch.from_numpy(np.ascontiguousarray(cotangent(model, _numbers(q), _numbers(g))))


def _is_recorded(arrays: Sequence[Any]) -> bool:
    """Return whether autograd must record the product."""
    if torch.is_grad_enabled() and any(x.requires_grad for x in arrays):
        return True
    return bool(forward_ad._current_level >= 0)


def _refuse_forces(problem: Problem, wanted: bool) -> None:
    if wanted:
        raise SpatialError(
            "f_ext: there are no derivatives with respect to external forces; detach() them, or "
            f"differentiate {problem.operator.home}.{problem.operator.name}.reference"
        )


def _refuse_older_vmap(model: Model, x: Any) -> None:
    """Raise an error for batches of the older `vmap` if the model has quaternions or matrices."""
    if model.NQ != model.NV and torch._C._functorch.is_legacy_batchedtensor(x):
        raise SpatialError(
            "q: vectorize=True and is_grads_batched do not support quaternions and matrices in q; "
            "use torch.func.jacrev, jacfwd or hessian"
        )


def _summed(x: Any, like: Any) -> Any:
    """Sum `x` over the axes along which an argument of the given shape was broadcast."""
    return x if x.shape == like.shape else x.sum_to_size(like.shape)
