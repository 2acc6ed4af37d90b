"""Chart of the sparsity pattern of a matrix or tensor, with the magnitudes of entries."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.plots.axes import axes_or_new
from spatial_v2.plots.style import INK, ROUNDING

__all__ = ["COLORS", "EMPTY", "SHADES", "draw_shades", "plot_sparsity"]

COLORS = LinearSegmentedColormap.from_list(
    "depth", ["#cfe7ee", "#7cc0d4", "#2f79ad", "#1d3b7c", "#150f3d"]
).with_extremes(under="#c9b79c")
LEAST = 1e-4
SHADES = LogNorm(LEAST, 1.0)
EMPTY = "#f2f4f6"
UNDER = 1e-300
"""Value that stands for an entry at rounding level, below the range of shades."""


def plot_sparsity(x: ArrayLike, ax: Axes | None = None, *, bar: bool | None = None) -> Axes:
    """Draw the nonzero entries of a matrix or tensor, larger ones darker.

    Parameters
    ----------
    x : array_like, shape (m, n) or (k, m, n)
        A matrix, or a tensor, of which the largest magnitude along the first axis is drawn.
    ax : matplotlib.axes.Axes, optional
        Axes to draw in; new ones by default.
    bar : bool, optional
        If True, a colour bar is drawn beside the axes; by default only beside new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes. The shade is the logarithm of the magnitude, relative to the largest entry;
        entries at rounding level are brown. The title counts the nonzero entries.

    Raises
    ------
    ArrayShapeError
        Neither a matrix nor a tensor of three axes; entries that are not finite.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> plot_sparsity([[1, 0], [0.1, 1]], Figure().subplots()).get_title()
    '3 of 4'
    >>> plot_sparsity([[1, 0], [1e-17, 1]], Figure().subplots()).get_title()
    '3 of 4, 1 at rounding level'
    """
    values = np.abs(np.asarray(x))
    if values.ndim not in (2, 3) or values.size == 0 or values.dtype.kind not in "fiu":
        raise ArrayShapeError(
            f"x: want a matrix (m, n) or a tensor (k, m, n) of numbers, got shape {np.shape(x)}"
        )
    if not np.isfinite(values).all():
        raise ArrayShapeError("x: want finite numbers, got some that are NaN or infinite")
    bar = ax is None if bar is None else bar
    ax = axes_or_new(ax, 5.4 if bar else 4.4, 4.4)
    page = values if values.ndim == 2 else values.max(axis=0)
    largest = float(page.max()) or 1.0
    image = draw_shades(ax, page / largest)
    ax.tick_params(length=0, colors=INK, labelsize="small")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="column", ylabel="row")
    if values.ndim == 3:
        ax.set(xlabel="third index", ylabel="second index")
    rounded = np.count_nonzero((values > 0) & (values < ROUNDING * largest))
    note = f", {rounded} at rounding level" if rounded else ""
    ax.set_title(f"{np.count_nonzero(values)} of {values.size}{note}")
    if bar:
        extend = "min" if rounded else "neither"
        scale = ax.figure.colorbar(image, ax=ax, extend=extend, shrink=0.8)
        scale.outline.set_visible(False)
        below = " (brown: rounding level)" if rounded else ""
        scale.set_label(f"magnitude / largest entry{below}", color=INK)
    return ax


def draw_shades(ax: Axes, share: np.ndarray) -> AxesImage:
    """Draw magnitudes (m, n) relative to the largest, with white lines between the entries.

    Zeros are blank. Entries at rounding level have a colour of their own; those between that level
    and the smallest shade have the smallest shade.
    """
    shown = np.where(share < ROUNDING, UNDER, np.maximum(share, LEAST))
    image = ax.imshow(np.ma.masked_array(shown, share == 0.0), norm=SHADES, cmap=COLORS)
    ax.set_facecolor(EMPTY)
    m, n = share.shape
    ax.hlines(np.arange(0.5, m - 1), -0.5, n - 0.5, colors="white", lw=min(1.0, 10 / m))
    ax.vlines(np.arange(0.5, n - 1), -0.5, m - 0.5, colors="white", lw=min(1.0, 10 / n))
    ax.spines[:].set_visible(False)
    return image
