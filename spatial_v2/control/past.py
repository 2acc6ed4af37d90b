"""Values that the steps of shooting methods keep for each of several problems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spatial_v2.control.shooting import Evaluation, Shooting

__all__ = ["Past", "where"]


@dataclass
class Past:
    """Values that the steps so far have left for each of B problems."""

    number: np.ndarray
    """Numbers of the problems, in order."""
    K: np.ndarray
    """Gains of the last step."""
    weights: np.ndarray
    """Multipliers of the defects."""
    by_adjoint: np.ndarray
    """True where these are costates, as the last step was no full one."""
    best: list[np.ndarray]
    """The best motion q, qd, u, its cost, costates, and gains."""
    best_defect: np.ndarray
    error: np.ndarray
    """Larger error of the optimality conditions before the last step."""
    cost: np.ndarray
    renewed: np.ndarray
    """Error at which the unit of cost was renewed."""
    length: np.ndarray
    penalty: np.ndarray
    shift: np.ndarray
    """Correction of the Hessian, and the one to begin with."""
    next_shift: np.ndarray
    short: np.ndarray
    """Number of short steps in a row."""
    exact: np.ndarray
    """True where the last Hessian was exact, or was to be."""
    tried_exact: np.ndarray
    settled: np.ndarray
    """True where the last step promised less than the tolerance, or next to nothing."""
    negligible: np.ndarray

    @classmethod
    def none(cls, s: Shooting, e: Evaluation) -> Past:
        """Return the past of B problems at their guesses."""
        B = len(e.cost)
        K, p = np.zeros((B, s.stages, s.m, 2 * s.n)), np.zeros((B, s.stages + 1, 2 * s.n))
        most, number = np.full((3, B), np.inf), np.zeros((5, B))
        best = [*e.at, np.full(B, np.inf), p, K]
        return cls(
            np.arange(B), K, p, np.ones(B, dtype=bool), best, np.zeros(B), *most, *number,
            *np.zeros((4, B), dtype=bool),
        )  # fmt: skip

    def only(self, some: np.ndarray) -> Past:
        """Return the past of some of the problems."""
        each = {name: y[some] for name, y in vars(self).items() if name != "best"}
        return Past(best=[y[some] for y in self.best], **each)


def where(some: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x for some of the problems and y for the others."""
    if some.all():
        return x
    return np.where(some.reshape(-1, *(1,) * (x.ndim - 1)), x, y)
