"""The motion of the joints over time."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from numpy.typing import ArrayLike

from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_state
from spatial_v2.plots.axes import axes_or_new

__all__ = ["plot_motion"]


def plot_motion(model: Model, t: ArrayLike, q: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw the position variables of all joints over time, and the joint limits.

    Parameters
    ----------
    model : Model
        The rigid-body tree, with joint limits in ``model.limits``; see `load_urdf`.
    t : array_like, shape (N,)
        Instants [s].
    q : array_like, shape (N, NQ)
        Configurations [rad or m].
    ax : matplotlib.axes.Axes, optional
        Axes to draw in; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes: a line for each variable, dashed limits in the colour of the joint, and dots where
        limits are exceeded.

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
    """
    times = np.asarray(t, dtype=float)
    (values,) = check_state(model, q=q)
    if times.ndim != 1 or values.shape != (len(times), model.NQ):
        raise ArrayShapeError(
            f"t, q: want shapes (N,) and (N, {model.NQ}), got {times.shape} and {values.shape}"
        )
    ax = axes_or_new(ax)
    if model.NQ > 10:
        ax.set_prop_cycle(color=colormaps["tab20"].colors)  # type: ignore[attr-defined]
    limits = model.limits or {}
    for name, joint, qs in zip(model.joint_names, model.layout.joints, model.qinds, strict=True):
        for k, x in enumerate(np.asarray(values)[:, qs].T):
            label = name if joint.nq == 1 else f"{name}[{k}]"
            (line,) = ax.plot(times, x, label=label)
            if joint.nq == 1 and name in limits:
                _draw_limits(ax, limits[name], times, x, to_hex(line.get_color()))
    ax.set(xlabel="time [s]", ylabel="position [rad or m]")
    if model.NQ <= 16:
        ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return ax


def _draw_limits(ax: Axes, limits: object, t: np.ndarray, x: np.ndarray, colour: str) -> None:
    for name, sign in (("lower", -1), ("upper", 1)):
        bound = float(getattr(limits, name))
        if np.isfinite(bound):
            ax.axhline(bound, color=colour, ls="--", lw=0.8, label="_limit")
            beyond = sign * (x - bound) > 0
            if beyond.any():
                ax.plot(t[beyond], x[beyond], ".", color=colour, label="_beyond")
