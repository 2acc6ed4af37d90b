"""Timed calls of JAX: the reference implementation compiled by jit, for batches by vmap, and its
derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Round, round_of
from spatial_v2 import ID, FDab, Model

__all__ = ["rounds"]

LARGEST = 7
"""Degrees of freedom of the largest robot that is measured: compiling a Hessian takes minutes."""


def rounds(
    name: str, model: Model, states: dict[str, np.ndarray]
) -> Iterator[tuple[str, str, int, Round]]:
    """Yield function, form, number of states, and timed call, in double precision on one thread."""
    import jax

    if model.NV > LARGEST or model.NQ != model.NV:
        return
    jax.config.update("jax_enable_x64", True)
    many = [jax.numpy.asarray(states[key]) for key in "qvx"]
    one = [array[0] for array in many]

    def inverse(q: Any, v: Any, x: Any) -> Any:
        return ID.reference(model, q, v, x)

    def forward(q: Any, v: Any, x: Any) -> Any:
        return FDab.reference(model, q, v, x)

    forms: dict[str, Callable[..., Any]] = {
        "ID": inverse,
        "FDab": forward,
        "ID_derivatives": jax.jacfwd(inverse, (0, 1)),
        "FD_derivatives": jax.jacfwd(forward, (0, 1, 2)),
        "ID_SO": jax.hessian(inverse, (0, 1)),
    }
    for ours, function in forms.items():
        yield ours, "JAX, jit", 1, round_of(ready(jax.jit(function), one))
        yield ours, "JAX, vmap", len(many[0]), round_of(ready(jax.jit(jax.vmap(function)), many))


def ready(function: Callable[..., Any], args: list[Any]) -> Callable[[], object]:
    """Return a call that waits for its result."""
    import jax

    return lambda: jax.block_until_ready(function(*args))
