"""Chart of the errors of different methods for derivatives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from derivatives.reference.verify import Row
from spatial_v2.exceptions import SpatialError
from spatial_v2.plots.axes import axes_or_new
from spatial_v2.plots.style import MARKERS, PALETTE, ROUNDING, style

__all__ = ["plot_errors"]

FLOOR = 1e-17
"""Value at which an error of zero is drawn."""
NAMES = {
    "rmsre": "root mean square of relative errors",
    "mre": "largest relative error",
    "rmsae": "root mean square of errors [SI units]",
    "mae": "largest error [SI units]",
}
"""Labels of the axis."""


def plot_errors(rows: Sequence[Row], ax: Axes | None = None, metric: str = "rmsre") -> Axes:
    """Draw the errors of methods for derivatives: a row for each quantity, a dot for each method.

    Parameters
    ----------
    rows : sequence of Row
        Result of `derivatives.reference.verify`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw in; new ones by default.
    metric : {"rmsre", "mre", "rmsae", "mae"}, optional
        Root mean square or maximum (m) of relative (re) or absolute (ae) errors.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with errors on a logarithmic scale and a dashed line at machine precision. Errors
        of zero are at the left end. Relative errors at rounding level lie in a shaded band, and
        their markers are hollow.

    Raises
    ------
    SpatialError
        An unknown metric; no rows.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from derivatives.reference import verify
    >>> from spatial_v2 import planar
    >>> rows = verify(planar(2), ([0.1, 0.2], [1, 2], [0, 0]), methods=["analytic"], orders=[1])
    >>> ax = plot_errors(rows, Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['dtau_dq', 'dtau_dqd', 'dtau_dqdd']
    """
    shown = [row for row in rows if row.quantity != "all"]
    if not shown:
        raise SpatialError("rows: want the rows of verify, got none")
    if metric not in shown[0].errors._fields:
        known = ", ".join(shown[0].errors._fields)
        raise SpatialError(f"metric: want one of {known}; got {metric!r}")
    quantities = list(dict.fromkeys(row.quantity for row in shown))
    methods = list(dict.fromkeys(row.method for row in shown))
    ax = style(axes_or_new(ax, 7.4, 0.45 * len(quantities) + 1.3), "x")
    relative = metric.endswith("re")
    for k, method in enumerate(methods):
        mine = [row for row in shown if row.method == method]
        x = np.array([max(FLOOR, float(getattr(row.errors, metric))) for row in mine])
        shift = 0.5 * (k - (len(methods) - 1) / 2) / max(3, len(methods))
        y = np.array([quantities.index(row.quantity) + shift for row in mine])
        marker = MARKERS[k % len(MARKERS)]
        ax.plot(x, y, marker, color=PALETTE[k % len(PALETTE)], label=method)
        small = (x < ROUNDING) & relative
        ax.scatter(x[small], y[small], s=8, c="white", marker=marker, zorder=3)
    if relative:
        ax.axvspan(FLOOR / 2, ROUNDING, color="0.93", lw=0, label="rounding level")
    ax.axvline(np.finfo(float).eps, color="0.6", ls="--", lw=0.8, label="_rounding")
    ax.set(xscale="log", xlabel=NAMES[metric], ylim=(len(quantities) - 0.5, -0.5))
    ax.set_xlim(left=FLOOR / 2)
    ax.set_yticks(range(len(quantities)), quantities)
    ax.legend(fontsize="small", frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax
