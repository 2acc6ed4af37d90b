"""Charts of robots and their motions: functions that draw in matplotlib axes and return them."""

import spatial_v2.beside  # noqa: F401 - an error if a user's file hides derivatives
from spatial_v2.plots.energy import plot_energy
from spatial_v2.plots.errors import plot_errors
from spatial_v2.plots.motion import plot_motion
from spatial_v2.plots.residuals import plot_residuals
from spatial_v2.plots.sparsity import plot_sparsity
from spatial_v2.plots.tree import plot_tree

__all__ = [
    "plot_energy", "plot_errors", "plot_motion", "plot_residuals", "plot_sparsity", "plot_tree",
]  # fmt: skip
