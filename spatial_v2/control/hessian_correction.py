"""Multiples of the natural curvature that are added to Hessians of quadratic problems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spatial_v2.control.quadratic import Quadratic

__all__ = ["GENTLE", "Correction"]

FIRST, AFTER_SHORT, GROWTH, DECAY, LARGEST = 1e-4, 1e-3, 8.0, 10.0, 1e20
"""Corrections, in natural units: the first one of an indefinite Hessian, the first one after a
short step, their factors of growth and decay, and the largest one.
"""
GENTLE = 3.0
"""Factor of decay, and of growth after short steps, of a second attempt."""
STIFFEST = 100.0
"""Correction from which on a step that is no improvement ends the search."""
SHORT, LONG = 0.3, 0.9
"""Step lengths below which corrections grow, and above which they decay."""


@dataclass
class Correction:
    """The correction with which the next step begins, and that of the last step."""

    shift: float = 0.0
    used: float = 0.0
    was_long: bool = False
    """True if the last step was long: one long step after a short one does not yet show that a
    smaller correction gives another.
    """
    decay: float = DECAY
    """Factor by which corrections change after short and long steps."""

    @property
    def is_too_large(self) -> bool:
        """True if no larger one is tried for an indefinite Hessian."""
        return not self.used < LARGEST

    @property
    def is_stiffest(self) -> bool:
        """True if no larger one is tried after a step that was no improvement."""
        return not self.used < STIFFEST

    def grow(self, first: float = FIRST) -> None:
        """Let the present correction grow."""
        self.used = max(first, GROWTH * self.used)

    def stiffen(self) -> None:
        """Begin with a larger correction than the last one."""
        self.shift = max(AFTER_SHORT, GROWTH * self.used)

    def adapt(self, length: float) -> None:
        """Choose the next correction by the length of the step."""
        if length < SHORT:
            self.shift = max(AFTER_SHORT, self.decay * self.shift)
        elif length > LONG and self.was_long:
            self.shift = self.shift / self.decay if self.shift > AFTER_SHORT else 0.0
        self.was_long = length > LONG

    def added(self, q: Quadratic, impacts: np.ndarray) -> Quadratic:
        """Return the problem with the present correction; the Hessians of the controls of impacts
        tell nothing.
        """
        if not self.used:
            return q
        curved, n = np.abs(np.diagonal(q.H, axis1=1, axis2=2)), q.F.shape[1]
        of_u = np.delete(curved[:-1, n:], impacts, axis=0)
        mean = np.append(curved[:, :n].mean(axis=0), of_u.mean(axis=0))
        H, i = q.H.copy(), np.arange(len(q.of_z))
        H[:, i, i] += self.used * np.maximum(1 / q.of_z**2, mean)
        return q._replace(H=H)
