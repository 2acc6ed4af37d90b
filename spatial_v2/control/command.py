"""Results of a model predictive controller."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks

__all__ = ["Command"]


@shown_in_notebooks
class Command(NamedTuple):
    """Controls for a measured state, and what is known about the motion that they begin."""

    u: np.ndarray
    """Controls, shape (m,)."""
    gains: np.ndarray
    """Feedback matrix K (m, 2 NV): until the next call the controls are ``u + K dx``, with dx the
    deviation of the state.
    """
    cost: float
    """Cost of the motion; without a line search, cost of the motion before the last step."""
    error: float
    """Largest error of the optimality conditions before the last iteration; see `Iteration`."""
    step: float
    """Length of the last step, at most 1; 0 if no step was an improvement."""
    iterations: int
    """Number of iterations of this call."""
    seconds: float
    """Time of this call [s]."""
