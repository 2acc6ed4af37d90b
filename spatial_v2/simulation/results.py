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
    """Work since the beginning of joint forces minus damping and friction, of stops, of external
    forces, and of the ground; it is integrated together with the motion.
    """
    drift: np.ndarray
    """Change of energy since the beginning minus that work. It is zero except for integration
    errors, for the terms by which `FDgq` stabilises its constraint, and for the work of constraint
    forces, which is not zero where velocities violate the constraints: with `damping`, with gains
    in `baumgarte` while an error decays, or from the beginning.
    """


@shown_in_notebooks
class Simulation(NamedTuple):
    """Result of `simulate`: a motion at N instants."""

    t: np.ndarray
    """Instants [s], shape (N,)."""
    q: np.ndarray
    """Joint positions, on the manifold, shape (N, NQ)."""
    qd: np.ndarray
    """Joint velocities, shape (N, NV)."""
    u: np.ndarray | None
    """Tangential deformations of the ground, shape (N, n, 2); None without it. See `gcontact`."""
    energy: EnergyReport
    """Energy, work, and the difference between their changes."""
    t_events: list[np.ndarray]
    """For each event the instants at which it occurred."""
    x_events: list[tuple[np.ndarray, np.ndarray]]
    """For each event the states (q, qd) at these instants."""
    sol: Callable[[float | np.ndarray], tuple[np.ndarray, np.ndarray]] | None
    """Function of times (), (N,) of the motion that interpolates the state (q, qd); None without
    `dense_output`.
    """
    nfev: int
    """Number of evaluations of forward dynamics."""
    message: str
    """Reason why the solver stopped."""
    tau: np.ndarray | None = None
    """Joint forces of a controller with `control_step`, shape (N, NV): at each instant those that
    acted until then. None without `control_step`.
    """
