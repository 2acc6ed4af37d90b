"""Limits at which the iterations of a solver end."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.calls.clock import working_time

__all__ = ["Stopping"]


class Stopping(NamedTuple):
    """Limits of `solve`: see there."""

    tolerance: float
    max_iterations: int | np.ndarray
    """The same for all problems, or one for each."""
    begin: float
    """Working time at the start of the solver."""
    on_time: Callable[[], bool]
    """Returns False if no time is left."""

    def seconds(self) -> float:
        """Return the time since the start of the solver."""
        return working_time() - self.begin
