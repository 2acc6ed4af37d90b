"""The operators as functions for PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spatial_v2.interop.operators.functions import function as general
from spatial_v2.interop.torch.numbers import as_double
from spatial_v2.interop.torch.products import apply

__all__ = ["function"]


def function(name: str) -> Callable[..., Any]:
    """The operator of that name as a function of a model and tensors."""
    return general(name, "PyTorch", "torch.Tensor", as_double, apply)
