"""Chart of the sparsity pattern of a matrix or tensor, with the magnitudes of entries."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.plots.axes import axes_or_new

__all__ = ["COLORS", "EMPTY", "SHADES", "plot_sparsity"]

COLORS = LinearSegmentedColormap.from_list(
    "depth", ["#cfe7ee", "#7cc0d4", "#2f79ad", "#1d3b7c", "#150f3d"]
)
SHADES = LogNorm(1e-4, 1.0)
EMPTY = "#f2f4f6"


def plot_sparsity(x: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw the nonzero entries of a matrix or tensor, larger ones darker.

    Parameters
    ----------
    x : array_like, shape (m, n) or (k, m, n)
        A matrix, or a tensor, of which the largest magnitude along the first axis is drawn.
    ax : matplotlib.axes.Axes, optional
        Axes to draw in; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes. The shade is the logarithm of the magnitude, relative to the largest entry.

    Raises
    ------
    ArrayShapeError
        Neither a matrix nor a tensor of three axes; entries that are not finite.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> plot_sparsity([[1, 0], [0.1, 1]], Figure().subplots()).get_title()
    '3 of 4'
    """
    values = np.abs(np.asarray(x))
    if values.ndim not in (2, 3) or values.size == 0 or values.dtype.kind not in "fiu":
        raise ArrayShapeError(
            f"x: want a matrix (m, n) or a tensor (k, m, n) of numbers, got shape {np.shape(x)}"
        )
    if not np.isfinite(values).all():
        raise ArrayShapeError("x: want finite numbers, got some that are NaN or infinite")
    ax = axes_or_new(ax, 4.4, 4.4)
    page = values if values.ndim == 2 else values.max(axis=0)
    share = np.ma.masked_equal(page / (page.max() or 1.0), 0.0)
    ax.imshow(share, norm=SHADES, cmap=COLORS)
    ax.set_facecolor(EMPTY)
    m, n = page.shape
    ax.hlines(np.arange(0.5, m - 1), -0.5, n - 0.5, colors="white", lw=min(1.0, 10 / m))
    ax.vlines(np.arange(0.5, n - 1), -0.5, m - 0.5, colors="white", lw=min(1.0, 10 / n))
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    ax.set_title(f"{np.count_nonzero(values)} of {values.size}")
    return ax
