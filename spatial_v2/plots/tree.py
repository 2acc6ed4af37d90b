"""Chart of the kinematic tree of a robot."""

from __future__ import annotations

from matplotlib.axes import Axes

from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.plots.axes import axes_or_new
from spatial_v2.plots.tree_map import draw_tree

__all__ = ["plot_tree"]


def plot_tree(model: Model, ax: Axes | None = None) -> Axes:
    """Draw the tree of a robot as a transit map: a station for each body, a colour per branch.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    ax : matplotlib.axes.Axes, optional
        Axes to draw in; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, a row for each body: its velocity indices, the name of its joint, the joint code.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from spatial_v2 import autoTree
    >>> ax = plot_tree(autoTree(5, 2), Figure().subplots())
    >>> "joint4" in [text.get_text() for text in ax.texts]
    True
    """
    check_model(model)
    ax = axes_or_new(ax, 4.5, 0.32 * (model.NB + 1) + 0.3)
    dpi = ax.figure.dpi
    draw_tree(ax, model, ax.bbox.width / dpi, ax.bbox.height / dpi / (model.NB + 1))
    return ax
