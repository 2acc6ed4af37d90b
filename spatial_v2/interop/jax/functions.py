"""Functions of a model and JAX arrays, made from the table of operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spatial_v2.interop.jax.numbers import as_double
from spatial_v2.interop.jax.primitive import bind
from spatial_v2.interop.operators.functions import function as general

__all__ = ["function"]


def function(name: str) -> Callable[..., Any]:
    """Make the JAX function of the operator `name`: arguments are a model and JAX arrays."""
    return general(name, "JAX", "jax.Array", as_double, bind)
