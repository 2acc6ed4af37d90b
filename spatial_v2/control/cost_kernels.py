"""Calls of the kernels of costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.calls.loading import compiled_for, has_kernels, load_procedure
from spatial_v2.control.costs import Instants

__all__ = ["add_by_kernel", "runs_kernel"]

FLOAT = np.dtype(np.float64)
VIEWS = np.zeros((2, 2, 4))[..., ::2], np.zeros((2, 2, 2, 4))[..., ::2]
"""Gradients and Hessians that are not contiguous, for whose types the kernels are compiled."""
_compiled: dict[str, Any] = {}


def runs_kernel(name: str, at: Instants, *others: np.ndarray) -> bool:
    """Test if kernels can compute a cost, by the name of the one for its value: they run, all
    arrays are of float64, and there are at most two leading axes.
    """
    for x in (at.q, at.qd, *others):
        if type(x) is not np.ndarray or x.dtype != FLOAT:
            return False
    return at.q.ndim <= 3 and has_kernels(name, f"add_{name}")


def add_by_kernel(
    name: str, given: tuple[Any, ...], gradient: np.ndarray, hessian: np.ndarray
) -> None:
    """Run a kernel that adds to gradients (..., z) and Hessians (..., z, z), which may be views.

    `given` are its first arguments, contiguous arrays of float64 and numbers, always of the same
    types for a kernel.
    """
    if name not in _compiled:
        _compiled[name] = compiled_for(load_procedure(name), *given, *VIEWS)
    g, Q = gradient[(None,) * (3 - gradient.ndim)], hessian[(None,) * (4 - hessian.ndim)]
    _compiled[name](*given, g, Q)
