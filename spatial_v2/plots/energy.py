"""Energies over time."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.plots.axes import axes_or_new
from spatial_v2.plots.style import INK, PALETTE, ROUNDING, open_range, style
from spatial_v2.simulation import EnergyReport

__all__ = ["plot_energy"]


def plot_energy(t: ArrayLike, energy: EnergyReport, ax: Axes | None = None) -> Axes:
    """Draw the energies of a motion over time.

    Parameters
    ----------
    t : array_like, shape (N,)
        Instants [s].
    energy : EnergyReport
        Energy report of `simulate`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw in; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes: kinetic and potential energy, their sum, and the sum minus the work done, which is
        constant except for integration errors. The legend says how far it departs from its first
        value, or that it is constant up to rounding.

    Raises
    ------
    ArrayShapeError
        Shapes that do not agree.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from spatial_v2 import planar, simulate
    >>> motion = simulate(planar(2), ([0, 0], [1, 0]), [0, 1])
    >>> ax = plot_energy(motion.t, motion.energy, Figure().subplots())
    >>> [line.get_label() for line in ax.lines][:3]
    ['kinetic', 'potential', 'sum']
    """
    times, KE, PE = np.asarray(t, dtype=float), np.asarray(energy.KE), np.asarray(energy.PE)
    if times.ndim != 1 or KE.shape != times.shape or PE.shape != times.shape:
        raise ArrayShapeError(
            f"t, energy: want as many instants as energies, got {times.shape} and {KE.shape}"
        )
    ax = style(axes_or_new(ax))
    total = KE + PE
    rest = total - np.asarray(energy.work)
    drift = float(np.abs(rest - rest[0]).max(initial=0.0))
    largest = max(float(np.abs(x).max(initial=0.0)) for x in (KE, PE))
    note = f"departs {drift:.0e} J" if drift > ROUNDING * largest else "constant up to rounding"
    names = ("kinetic", "potential", "sum", f"sum less work ({note})")
    looks = ((PALETTE[0], "-"), (PALETTE[1], "--"), (INK, "-"), (PALETTE[2], "-."))
    for x, name, (color, dash) in zip((KE, PE, total, rest), names, looks, strict=True):
        ax.plot(times, x, color=color, linestyle=dash, label=name)
    open_range(ax, np.concatenate([KE, PE, total, rest]))
    ax.set(xlabel="time [s]", ylabel="energy [J]")
    ax.legend(fontsize="small", frameon=False)
    return ax
