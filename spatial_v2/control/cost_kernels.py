"""Calls of the kernels of costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.calls.loading import compiled_for, has_kernels, load_procedure
from spatial_v2.control.costs import Instants

__all__ = [
    "NOTHING",
    "NO_COST",
    "NO_SPACES",
    "Arguments",
    "Three",
    "add_by_kernel",
    "add_states",
    "runs_kernel",
]

FLOAT = np.dtype(np.float64)
VIEWS = np.zeros((2, 2, 4))[..., ::2], np.zeros((2, 2, 2, 4))[..., ::2]
"""Gradients and Hessians that are not contiguous, for whose types the kernels are compiled."""
NOTHING = np.zeros((1, 0))
"""Desired values and weights of a cost that concerns states or controls alone."""
NO_SPACES = np.zeros((0, 4), dtype=np.int64)
_WITHOUT = VIEWS[0][:0], VIEWS[1][:0]
NO_COST, _ONCE = np.zeros(0), np.ones(1)
_compiled: dict[str, Any] = {}

Three = tuple[np.ndarray, np.ndarray, np.ndarray]
Arguments = tuple[np.ndarray, Three, Three, Three]
"""The first arguments of the kernel `StateCost`: configuration space, desired values, weights, and
states with controls, in arrays (N, n).
"""


def runs_kernel(name: str, at: Instants, *others: np.ndarray) -> bool:
    """Test if a kernel can compute a cost: it runs, all arrays are of float64 and have at most two
    leading axes.
    """
    for x in (at.q, at.qd, *others):
        if type(x) is not np.ndarray or x.dtype != FLOAT:
            return False
    return at.q.ndim <= 3 and has_kernels(name)


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


def add_states(
    given: Arguments, cost: np.ndarray = NO_COST, factor: np.ndarray = _ONCE,
    derivatives: tuple[np.ndarray, np.ndarray] = _WITHOUT, exact: bool = False,
) -> None:  # fmt: skip
    """Add costs of states and controls, and their derivatives, by the kernel `StateCost`.

    `cost` has an entry for each instant, or one for the instants of each motion.
    """
    spaces, *others = given
    add_by_kernel("StateCost", (spaces, *others, factor, exact, cost), *derivatives)
