"""Array functions that several operators share."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.interop.operators.operator import Blocks

__all__ = ["by_swap", "grid", "times", "weighted"]


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
