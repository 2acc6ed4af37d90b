"""The motion of the joints over time."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_state
from spatial_v2.plots.axes import axes_or_new
from spatial_v2.plots.style import line_styles, open_range, style
from spatial_v2.plots.units import axis_label, position_variables

__all__ = ["plot_motion"]

ROWS, MOST = 20, 80
"""Lines of a column of the legend, and largest number of lines that it names."""


def plot_motion(model: Model, t: ArrayLike, q: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw the position variables of all joints over time, and the joint limits.

    Parameters
    ----------
    model : Model
        The rigid-body tree, with joint limits in ``model.limits``; see `load_urdf`.
    t : array_like, shape (N,)
        Instants [s].
    q : array_like, shape (N, NQ)
        Configurations.
    ax : matplotlib.axes.Axes, optional
        Axes to draw in; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes: a line for each variable, thin lines of dots at its limits, and dots where limits
        are exceeded. Units are those of the joint types; if variables have different units, the
        legend names the unit of each.

    Raises
    ------
    ArrayShapeError
        Shapes that do not agree.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from spatial_v2 import planar
    >>> ax = plot_motion(planar(2), [0, 1, 2], np.ones((3, 2)), Figure().subplots())
    >>> [line.get_label() for line in ax.lines]
    ['joint0', 'joint1']
    >>> ax.get_ylabel()
    'angle [rad]'
    """
    times = np.asarray(t, dtype=float)
    (values,) = check_state(model, q=q)
    if times.ndim != 1 or values.shape != (len(times), model.NQ):
        raise ArrayShapeError(
            f"t, q: want shapes (N,) and (N, {model.NQ}), got {times.shape} and {values.shape}"
        )
    ax = style(axes_or_new(ax, 7.4))
    limits, looks = model.limits or {}, line_styles(model.NQ)
    variables = [position_variables(joint) for joint in model.layout.joints]
    shown = [x for joint in variables for x in joint]
    mixed = len({x.unit for x in shown}) > 1
    for name, joint, qs in zip(model.joint_names, variables, model.qinds, strict=True):
        for variable, x in zip(joint, np.asarray(values)[:, qs].T, strict=True):
            unit, look = f" [{variable.unit}]" if mixed else "", next(looks)
            ax.plot(times, x, label=f"{name} {variable.name}".rstrip() + unit, **look)  # type: ignore[arg-type]
            if len(joint) == 1 and name in limits:
                _draw_limits(ax, limits[name], times, x, look["color"])
    open_range(ax, np.asarray(values))
    ax.set(xlabel="time [s]", ylabel=axis_label(shown))
    lines, labels = ax.get_legend_handles_labels()
    if len(lines) > MOST:
        labels = [*labels[: MOST - 1], f"and {len(lines) - MOST + 1} more"]
    ax.legend(
        lines[: len(labels)], labels, fontsize="small", frameon=False, loc="center left",
        bbox_to_anchor=(1.0, 0.5), ncols=-(-len(labels) // ROWS),
    )  # fmt: skip
    return ax


def _draw_limits(ax: Axes, limits: object, t: np.ndarray, x: np.ndarray, colour: str) -> None:
    for name, sign in (("lower", -1), ("upper", 1)):
        bound = float(getattr(limits, name))
        if np.isfinite(bound):
            ax.axhline(bound, color=colour, ls=(0, (1, 3)), lw=1.2, label="_limit")
            beyond = sign * (x - bound) > 0
            if beyond.any():
                ax.plot(t[beyond], x[beyond], ".", color=colour, label="_beyond")
