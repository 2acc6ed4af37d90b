"""Creation of matplotlib axes."""

from __future__ import annotations

from matplotlib.axes import Axes

__all__ = ["axes_or_new"]


def axes_or_new(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """Return ax, or new axes in a figure of the given width and height [inch] if ax is None."""
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]
