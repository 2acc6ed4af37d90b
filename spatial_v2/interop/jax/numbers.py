"""Conversion of arguments to JAX arrays of doubles."""

from __future__ import annotations

from typing import Any

from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["as_double"]


def as_double(name: str, x: Any) -> Any:
    """Convert `x` to a JAX array of doubles; of other types only integers are converted."""
    import jax
    import jax.numpy as jnp

    if not jax.config.jax_enable_x64:
        raise SpatialError(
            "the kernels compute in double precision, which JAX has not enabled; call "
            'jax.config.update("jax_enable_x64", True) before anything else'
        )
    if isinstance(x, jax.Array) and x.dtype == jnp.float64:
        return x
    y = jnp.asarray(x)
    if jnp.issubdtype(y.dtype, jnp.integer):
        return y.astype(jnp.float64)
    if y.dtype != jnp.float64:
        raise ArrayShapeError(f"{name}: want float64, got {y.dtype}; convert it, x.astype(float)")
    return y
