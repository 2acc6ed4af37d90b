"""Small pieces that the rows of the table share."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.interop.operators.operator import Blocks

__all__ = ["by_swap", "grid", "times", "weighted"]


def by_swap(x: Any) -> Any:
    """The last two indices exchanged."""
    return np.swapaxes(x, -1, -2)


def times(A: Any, x: Any) -> Any:
    """Matrices times vectors, along leading axes."""
    return (A @ x[..., None])[..., 0]


def grid(qq: Any, vv: Any, qv: Any, qx: Any) -> Blocks:
    """Blocks by q, v and a third variable x, in which the function is linear.

    Examples
    --------
    >>> one = np.ones((1, 1))
    >>> [[b is not None for b in row] for row in grid(one, one, one, one)]
    [[True, True, True], [True, True, False], [True, False, False]]
    """
    return [[qq, qv, qx], [by_swap(qv), vv, None], [by_swap(qx), None, None]]


def weighted(x: Any, w: Any) -> Any:
    """Tensors (..., m, j, k) with weights (..., m) of their first index, summed."""
    m, j, k = x.shape[-3:]
    return (w[..., None, :] @ x.reshape(*x.shape[:-3], m, j * k)).reshape(
        *np.broadcast_shapes(x.shape[:-3], w.shape[:-1]), j, k
    )
