"""Functions of a model and PyTorch tensors, made from the table of operators."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import torch

from spatial_v2.interop.operators.functions import function as general
from spatial_v2.interop.operators.table import EVERY
from spatial_v2.interop.torch import dispatched
from spatial_v2.interop.torch.numbers import as_double
from spatial_v2.interop.torch.products import apply

__all__ = ["function"]


def function(name: str) -> Callable[..., Any]:
    """Make the PyTorch function of the operator `name`: arguments are a model and tensors."""
    eager = general(name, "PyTorch", "torch.Tensor", as_double, apply)
    result = get_type_hints(EVERY[name].function)["return"]
    variables = EVERY[name].variables
    _, *names = inspect.signature(EVERY[name].function).parameters
    several = hasattr(result, "_fields")

    @functools.wraps(eager)
    def call(model: Any, *x: Any, **options: Any) -> Any:
        if not torch.compiler.is_compiling():
            return eager(model, *x, **options)
        options.update(zip(names, x, strict=False))
        arrays = [options.pop(k) for k in variables]
        out = dispatched.call(name, model, arrays, options.pop("f_ext", None), options)
        return result(*out) if several else out[0]

    return call
