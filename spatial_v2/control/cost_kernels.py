"""Calls of the kernels of costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.calls.loading import compiled_for, has_compiler
from spatial_v2.control.costs import Instants

__all__ = ["add_by_kernel", "runs_kernel"]

FLOAT = np.dtype(np.float64)
VIEWS = np.zeros((2, 2, 4))[..., ::2], np.zeros((2, 2, 2, 4))[..., ::2]
"""Gradients and Hessians that are not contiguous, for whose types the kernels are compiled."""
_compiled: dict[Any, Any] = {}


def runs_kernel(at: Instants, *others: np.ndarray) -> bool:
    """Test if kernels can compute a cost: there is a compiler, all arrays are of float64, and there
    are at most two leading axes.
    """
    for x in (at.q, at.qd, *others):
        if type(x) is not np.ndarray or x.dtype != FLOAT:
            return False
    return has_compiler() and at.q.ndim <= 3


def add_by_kernel(
    kernel: Any, given: tuple[Any, ...], gradient: np.ndarray, hessian: np.ndarray
) -> None:
    """Run a kernel that adds to gradients (..., z) and Hessians (..., z, z), which may be views.

    `given` are its first arguments, contiguous arrays of float64 and numbers, always of the same
    types for a kernel.
    """
    if kernel not in _compiled:
        _compiled[kernel] = compiled_for(kernel, *given, *VIEWS)
    g, Q = gradient[(None,) * (3 - gradient.ndim)], hessian[(None,) * (4 - hessian.ndim)]
    _compiled[kernel](*given, g, Q)
