"""The joints on the path from a frame to the base, for derivatives of the frame's motion."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from derivatives.per_velocity import ancestry
from spatial_v2.arrays import Array, column, constant, namespace
from spatial_v2.dynamics.robot_frame import shift
from spatial_v2.frames.view import view
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, find_frame
from spatial_v2.spatial import crm, transform_parts

__all__ = ["FramePath", "asked_for", "frame_path", "jacobian_derivatives", "spread"]


class FramePath(NamedTuple):
    """Jacobian and masks of the n velocity variables that move a frame; planar models have 3
    for 6.
    """

    J: Array
    """Columns of the Jacobian of the frame, shape (..., 6, n)."""
    N: Array
    """Projector (6, 6) onto the part of the frame's velocity with which the coordinate axes and
    their origin move.
    """
    below: Array
    """Mask (n, n): 1 at [k, l] if variable l belongs to the joint of k or to a joint that carries
    it, else 0.
    """
    beyond: Array
    """Mask (n, n): as `below`, but 0 if k and l are variables of one joint."""
    places: Array
    """Matrix (NV, n): column k is the unit vector, among all NV variables, of variable k of the
    path.
    """
    Y: Array | None
    """Constant transform (..., 6, 6) to the requested coordinates; None for the identity."""


def frame_path(model: Model, q: Array, frame: Any, axes: Axes) -> FramePath:
    """Collect the joints on the path from a frame to the base, at checked positions q.

    If results are wanted in base coordinates, computations are about the present position of the
    frame, so that no digits are lost far from the base.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> frame_path(autoTree(3, 2), np.zeros(3), 2, "base").places.T
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    at_base, zero = axes == "base", constant(np.zeros(model.NV), q)
    seen = view(model, q, zero, frame, "mixed" if at_base else axes)
    body = find_frame(model, frame).body
    places = np.eye(model.NV)[:, model.ancestor_vinds[body] if body >= 0 else []]
    below, above = ancestry(model, like=seen.J)
    P = constant(np.ascontiguousarray(places), seen.J)
    PT = constant(np.ascontiguousarray(places.T), seen.J)
    beyond = namespace(above).matrix_transpose(above)
    return FramePath(
        J=seen.J @ P,
        N=0 * seen.N if at_base else seen.N,
        below=PT @ below @ P,
        beyond=PT @ beyond @ P,
        places=P,
        Y=shift(-seen.o - transform_parts(seen.X).r) if at_base else None,
    )


def jacobian_derivatives(path: FramePath) -> Array:
    """Compute the derivatives (..., 6, n, n) of the Jacobian: entries [:, k, l] are the derivative
    of column k along variable l.
    """
    J, N = path.J, path.N
    xp = namespace(J)
    T = xp.matrix_transpose
    each, rest = J[..., None, :, :], N @ J
    moved = T(path.below)[:, None, :] * (crm(column(T(J))) @ each) - crm(column(T(rest))) @ each
    return xp.moveaxis(moved, -3, -1)


def asked_for(path: FramePath, x: Array, axes: int) -> Array:
    """Transform arrays (..., 6, n, ..., n) to the requested coordinates, with all NV variables."""
    if path.Y is not None:
        shape, xp = x.shape, namespace(x)
        flat = path.Y @ xp.reshape(x, (*shape[: x.ndim - axes], math.prod(shape[-axes:])))
        x = xp.reshape(flat, (*flat.shape[:-1], *shape[-axes:]))
    return spread(path, x, axes)


def spread(path: FramePath, x: Array, axes: int) -> Array:
    """Spread the last `axes` axes, of the path's n variables, over all NV variables.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> path = frame_path(autoTree(3, 2), np.zeros(3), 2, "base")
    >>> spread(path, np.ones(2), 1)
    array([1., 0., 1.])
    """
    xp = namespace(x)
    for _ in range(axes):
        flat = xp.reshape(x, (math.prod(x.shape[:-1]), x.shape[-1])) @ xp.matrix_transpose(
            path.places
        )
        x = xp.moveaxis(xp.reshape(flat, (*x.shape[:-1], flat.shape[-1])), -1, x.ndim - axes)
    return x
