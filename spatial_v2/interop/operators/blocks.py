"""Array functions that several operators share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.interop.operators.operator import Blocks
from spatial_v2.model import Model

__all__ = ["by_swap", "gradient_by", "grid", "times", "weighted"]


def by_swap(x: Any) -> Any:
    """Exchange the last two axes."""
    return np.swapaxes(x, -1, -2)


def times(A: Any, x: Any) -> Any:
    """Multiply matrices (..., m, n) by vectors (..., n)."""
    return (A @ x[..., None])[..., 0]


def grid(qq: Any, vv: Any, qv: Any, qx: Any) -> Blocks:
    """Arrange second derivatives in 3 x 3 blocks, for variables q, v and a third one, x.

    The function is linear in x, so its derivatives twice with respect to x, or x and v, are zero.

    Examples
    --------
    >>> one = np.ones((1, 1))
    >>> [[b is not None for b in row] for row in grid(one, one, one, one)]
    [[True, True, True], [True, True, False], [True, False, False]]
    """
    return [[qq, qv, qx], [by_swap(qv), vv, None], [by_swap(qx), None, None]]


def weighted(x: Any, w: Any) -> Any:
    """Sum tensors (..., m, j, k) over m with weights (..., m)."""
    m, j, k = x.shape[-3:]
    return (w[..., None, :] @ x.reshape(*x.shape[:-3], m, j * k)).reshape(
        *np.broadcast_shapes(x.shape[:-3], w.shape[:-1]), j, k
    )


def gradient_by(jacobian: Callable[..., Blocks]) -> Callable[..., list[Any]]:
    """Return the function `gradient` of an operator, computed from its Jacobian."""

    def gradient(model: Model, x: Any, weights: Any, **options: Any) -> list[Any]:
        lead, gradients = x[0].ndim - 1, []
        for blocks in zip(*jacobian(model, x, **options), strict=True):
            pairs = [(A, w) for A, w in zip(blocks, weights, strict=True) if A is not None]
            zero = np.zeros((*weights[0].shape[:lead], model.NV))
            gradients.append(sum((_contracted(A, w, lead) for A, w in pairs), zero))
        return gradients

    return gradient


def _contracted(A: Any, w: Any, lead: int) -> Any:
    """Sum blocks (..., *core, n) over the axes of the core with weights (..., *core)."""
    size = math.prod(w.shape[lead:])
    rows = w.reshape(*w.shape[:lead], 1, size)
    return (rows @ A.reshape(*A.shape[:lead], size, A.shape[-1]))[..., 0, :]
