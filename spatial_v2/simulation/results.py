"""Results of a simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks

__all__ = ["EnergyReport", "Simulation"]


@shown_in_notebooks
class EnergyReport(NamedTuple):
    """Energy along a motion [J], arrays (N,)."""

    KE: np.ndarray
    """Kinetic energy."""
    PE: np.ndarray
    """Potential energy, of gravity."""
    work: np.ndarray
    """Work done since the beginning by joint forces, less damping and friction, by external forces
    and the ground, integrated with the motion."""
    drift: np.ndarray
    """Change of energy since the beginning less that work: zero but for errors of the integration
    and, in `FDgq`, for what draws the state to the constraint."""


@shown_in_notebooks
class Simulation(NamedTuple):
    """A motion, at N instants."""

    t: np.ndarray
    """Instants [s], shape (N,)."""
    q: np.ndarray
    """Joint positions, on the manifold, shape (N, NQ)."""
    qd: np.ndarray
    """Joint velocities, shape (N, NV)."""
    u: np.ndarray | None
    """Tangential deformations of the ground, shape (N, n, 2), as of `gcontact`; None without it."""
    energy: EnergyReport
    """Energy, work, and how far they disagree."""
    t_events: list[np.ndarray]
    """For each event the instants at which it happened."""
    x_events: list[tuple[np.ndarray, np.ndarray]]
    """For each event the states (q, qd) at these instants."""
    sol: Callable[[float | np.ndarray], tuple[np.ndarray, np.ndarray]] | None
    """With `dense_output`, the state (q, qd) at any time between the first and the last."""
    nfev: int
    """Number of evaluations of forward dynamics."""
    message: str
    """Reason why the solver stopped."""
