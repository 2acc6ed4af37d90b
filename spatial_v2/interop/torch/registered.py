"""Registration of an operator in PyTorch's registry, with rules that `torch.func` accepts.

`torch.library.custom_op` makes a derivative that `torch.func.grad` refuses: an operator made so
raises an error under `torch.func`, compiled or not. Here the derivative is defined for one level of
nested transformations at a time, as PyTorch does for its own `torch.autograd.Function`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._functorch.utils import enable_single_level_autograd_function
from torch.autograd.forward_ad import unpack_dual
from torch.autograd.function import _SingleLevelFunction

__all__ = ["differentiate", "register"]

_LIBRARY = torch.library.Library("spatial_v2", "FRAGMENT")
Rule = Callable[..., Any]


def register(name: str, schema: str, run: Rule, shapes: Rule, batched: Rule) -> Any:
    """Define an operator: its implementation, shapes of its results, and its batching rule."""
    _LIBRARY.define(name + schema, tags=[torch.Tag.pt2_compliant_tag])
    _LIBRARY.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"spatial_v2::{name}", shapes, lib=_LIBRARY)
    torch.library.register_vmap(f"spatial_v2::{name}", batched, lib=_LIBRARY)
    return getattr(torch.ops.spatial_v2, name).default


def differentiate(name: str, op: Any, setup: Rule, back: Rule, along: Rule) -> None:
    """Give an operator its derivatives.

    `setup` and `back` are as in `torch.library.register_autograd`; `along` computes the derivative
    in the directions of tangents.
    """

    def below(keyset: Any, arguments: Any) -> Any:
        with torch._C._AutoDispatchBelowAutograd():
            return op.redispatch(keyset & torch._C._after_autograd_keyset, *arguments)

    class Derivative(_SingleLevelFunction):
        """Differentiable function for one level of nested transformations."""

        @staticmethod
        def forward(ctx: Any, keyset: Any, *arguments: Any) -> Any:
            with torch.enable_grad():  # forward is called without it, and outer derivatives need it
                result = below(keyset, arguments)
            setup(ctx, arguments, result)
            return result

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> Any:
            return None, *back(ctx, *cotangents)

        @staticmethod
        def jvp(ctx: Any, _keyset: Any, *tangents: Any) -> Any:
            with torch.enable_grad():
                return along(ctx, *tangents)

    def impl(keyset: Any, *arguments: Any) -> Any:
        recorded = torch.is_grad_enabled() and torch._C._any_requires_grad(*arguments)
        if not (recorded or any(map(_is_dual, arguments))):
            return below(keyset, arguments)
        with enable_single_level_autograd_function():
            return Derivative.apply(keyset, *arguments)

    _LIBRARY.impl(name, impl, "Autograd", with_keyset=True)


def _is_dual(x: Any) -> bool:
    """Return whether an argument is a tensor with a tangent of forward mode."""
    return isinstance(x, torch.Tensor) and unpack_dual(x, level=0).tangent is not None
