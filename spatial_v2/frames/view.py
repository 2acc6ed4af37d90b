"""The motion of a frame in coordinates given by the option `axes`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array, alike, column, constant
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics.robot_frame import shift
from spatial_v2.dynamics.robot_kinematics import robot_kinematics
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, check_axes, find_frame
from spatial_v2.spatial import transform_parts

__all__ = ["FrameView", "view"]


class FrameView(NamedTuple):
    """Pose, Jacobian and velocity of a frame in given axes; planar models have 3 in place of 6."""

    X: Array
    """Transform to the frame from the axes of the base at the point `o`, shape (..., 6, 6)."""
    o: Array
    """A point near the robot in base coordinates, about which moments are taken, (..., 3)."""
    J: Array
    """Jacobian, shape (..., 6, NV): zero for joints that do not carry the frame."""
    Sd: Array
    """Rates ``v_j x S_j`` of the columns of J as vectors in space, shape (..., 6, NV): column S_j
    moves with the body of its joint, whose velocity is v_j.
    """
    v: Array
    """Velocity of the frame, one column (..., 6, 1)."""
    N: Array
    """Matrix (6, 6) that maps the frame's velocity to the velocity of the coordinate system."""


def view(model: Model, q: Array, qd: Array, frame: Any, axes: Axes) -> FrameView:
    """Compute the motion of a frame for checked vectors q and qd, also of a coupled model.

    A vector that is constant in space, with coordinates x, has ``dx/dt = -crm(N v) x``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> view(autoTree(2), np.zeros(2), np.ones(2), 1, "mixed").v[:, 0] + 0
    array([0., 0., 2., 0., 1., 0.])
    """
    check_axes(axes)
    if isinstance(model, CoupledModel):
        G = model.coupling
        if not model.is_linear:
            return _of_mechanism(model, G, q, qd, frame, axes)
        seen = view(free_tree(model), G.configuration(q), G.motion(qd), frame, axes)
        J, Sd = (G.pull_back(x, ("6", "v")) for x in (seen.J, seen.Sd))
        return seen._replace(J=J, Sd=Sd)
    i, X = find_frame(model, frame)
    q, qd, X = alike(q, qd, X)
    g = robot_kinematics(model, q, qd)
    X_f = X @ (g.X0[..., i, :, :] if i >= 0 else shift(-g.o))
    Y = {
        "body": lambda: X_f,
        "base": lambda: shift(-g.o),
        "mixed": lambda: shift(transform_parts(X_f).r),
    }[axes]()
    mask = np.zeros(model.NV)
    if i >= 0:
        mask[model.ancestor_vinds[i]] = 1.0
    angular = [float(axes == "body")] * (1 if model.is_planar else 3)
    linear = [float(axes != "base")] * (2 if model.is_planar else 3)
    J, Sd = (Y @ (S * constant(mask, S)) for S in (g.S, g.Sd))
    v = Y @ column(g.v[..., i, :]) if i >= 0 else 0 * J[..., :1]
    return FrameView(X_f, g.o, J, Sd, v, constant(np.diag(angular + linear), J))


def _of_mechanism(
    model: CoupledModel, coupling: Any, y: Array, yd: Array, frame: Any, axes: Axes
) -> FrameView:
    """Return the view along the independent variables of a mechanism, by its matrix G."""
    x = coupling.jet(model.position(y), yd, 0 * yd)
    seen = view(free_tree(model), x.q, x.qd, frame, axes)
    return seen._replace(J=seen.J @ x.G, Sd=seen.Sd @ x.G + seen.J @ x.Gdot)
