"""Residuals of the identities of tensor spatial vector algebra."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from spatial_v2.exceptions import SpatialError
from spatial_v2.plots.axes import axes_or_new
from spatial_v2.plots.style import MARKERS, PALETTE, ROUNDING, style
from tensor_sva.identities import Row, table

__all__ = ["plot_residuals"]

FLOOR = 1e-18
"""Value at which a residual of zero is drawn."""


def plot_residuals(rows: Sequence[Row] | None = None, ax: Axes | None = None) -> Axes:
    """Draw the residual of every identity, with a colour for each of the families M, K, J and P.

    Parameters
    ----------
    rows : sequence of Row, optional
        Result of `tensor_sva.identities.table`; computed if not given.
    ax : matplotlib.axes.Axes, optional
        Axes to draw in; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with residuals on a logarithmic scale and a dashed line at machine precision.
        Residuals of zero are at the bottom, those at rounding level in a shaded band.

    Raises
    ------
    SpatialError
        No rows.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = plot_residuals(ax=Figure().subplots())
    >>> [line.get_label() for line in ax.lines][:4]
    ['M1 to M27', 'K1 to K16', 'J1 to J9', 'P1 to P7']
    """
    table_rows = list(table() if rows is None else rows)
    if not table_rows:
        raise SpatialError("rows: want at least one row of `table()`, got none")
    ax = style(axes_or_new(ax, 9.0, 3.2), "y")
    families = list(dict.fromkeys(row.name[0] for row in table_rows))
    for k, family in enumerate(families):
        mine = [(n, row) for n, row in enumerate(table_rows) if row.name[0] == family]
        values = [max(FLOOR, row.residual) for _, row in mine]
        label = f"{mine[0][1].name} to {mine[-1][1].name}"
        marker, color = MARKERS[k % len(MARKERS)], PALETTE[k % len(PALETTE)]
        ax.plot([n for n, _ in mine], values, marker, color=color, label=label)
    ax.axhspan(FLOOR / 2, ROUNDING, color="0.93", lw=0, label="rounding level")
    ax.axhline(np.finfo(float).eps, color="0.6", ls="--", lw=0.8, label="_rounding")
    ax.set(yscale="log", ylabel="residual", xlim=(-1, len(table_rows)))
    ax.set_ylim(bottom=FLOOR / 2)
    ax.set_xticks(
        range(len(table_rows)), [row.name for row in table_rows], rotation=90, fontsize="x-small"
    )
    ax.legend(fontsize="small", frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax
