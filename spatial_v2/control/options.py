"""Options that all functions of time steps have, and checks of their arguments."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, get_args

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.constraints.ConstraintSet import Constraints
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_state, common_lead

__all__ = ["Dynamics", "Method", "check_method", "check_step"]

Method = Literal["semi_implicit_euler", "rk4"]
"""Integration method of a time step."""


class Dynamics(TypedDict, total=False):
    """Options of forward dynamics: constraints, their gains, external forces."""

    constraints: Constraints
    """Constraints, with which accelerations are those of `KKT_FD`; without, those of `FDab`."""
    baumgarte: tuple[float, float] | None
    """Gains of Baumgarte stabilisation, which reduces errors of the constraints; see `KKT_FD`."""
    damping: float
    """Damping of the KKT matrix; see `KKT_FD`."""
    f_ext: Any
    """External forces; see `ID`."""
    frame: Literal["base", "body"]
    """Coordinates in which external forces are given and constant: ``"base"`` or ``"body"``."""


def check_method(method: str) -> None:
    """Raise an error for an unknown method."""
    if method not in get_args(Method):
        valid = " or ".join(map(repr, get_args(Method)))
        raise SpatialError(f"method: want {valid}, got {method!r}")


def check_step(
    model: Model, q: Any, qd: Any, tau: Any, h: Any, **more: Any
) -> tuple[Array, Array, Array, Array, tuple[Array, ...]]:
    """Check and return state, joint forces, time step and further vectors, with equal leading axes.

    The time step is returned with shape (..., 1).
    """
    q, qd, tau, *others = check_state(model, q=q, qd=qd, tau=tau, **more)
    q, h = alike(q, as_numbers(h, "h"))
    if isinstance(h, np.ndarray) and h.dtype.kind in "fc" and not np.isfinite(h).all():
        raise SpatialError(f"h: want finite time steps [s], got {h[~np.isfinite(h)][:1].item()}")
    lead = common_lead({"q, qd, tau": tuple(q.shape[:-1]), "h": tuple(h.shape)})
    if lead != tuple(q.shape[:-1]):
        raise ArrayShapeError(
            "h: want a number, or an array whose shape is the state's leading axes, "
            f"{tuple(q.shape[:-1])}; got {tuple(h.shape)}"
        )
    h = namespace(h).reshape(h, (*h.shape, 1))
    return q, qd, tau, h + 0 * q[..., :1], tuple(others)
