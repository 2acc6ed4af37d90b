"""Axes to draw in."""

from __future__ import annotations

from matplotlib.axes import Axes

__all__ = ["axes_or_new"]


def axes_or_new(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """The given axes, or new ones in a figure of that size [inch]."""
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]
