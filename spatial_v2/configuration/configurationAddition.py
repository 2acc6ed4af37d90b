"""A configuration moved along the free modes of the joints."""

from __future__ import annotations

from typing import get_args

from spatial_v2.arrays import Array, namespace
from spatial_v2.configuration.by_joint import runs
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.groups import Retraction
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["configurationAddition"]


def configurationAddition(
    model: Model, q: Array, dq: Array, retraction: Retraction = "exp"
) -> Array:
    """The configuration ``q (+) dq``: each joint moved by the exponential of its part of dq.

    MATLAB: ``q_new = configurationAddition(model,q,dq)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors follow their joints.
    q : array, shape (..., NQ)
        Configurations.
    dq : array, shape (..., NV)
        Displacements along the free modes, in body coordinates: where they are velocities times a
        unit of time, the joints move at these constant velocities for that time.
    retraction : {"exp", "matlab"}, optional
        ``"matlab"`` moves the position of an ``Fb`` joint along the old orientation, as MATLAB
        does; it agrees with the exponential to first order in dq. No other joint is concerned.

    Returns
    -------
    array, shape (..., NQ)
        The new configurations, on the manifold if q is.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown retraction.

    Notes
    -----
    ``X_J(q (+) dq) = exp(-dq x) X_J(q)``. The derivatives of this library with respect to q are
    derivatives with respect to dq at 0. Complex and other arrays are as good as real ones, so a
    complex step keeps all its digits. Murray, Li, Sastry (1994), Sec. 2.3-2.4.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> configurationAddition(model, [1, 0, 0, 0], [0, 0, np.pi]).round(12)
    array([0., 0., 0., 1.])
    """
    if retraction not in get_args(Retraction):
        raise SpatialError(f"retraction: want 'exp' or 'matlab', got {retraction!r}")
    q, dq = check_state(model, q=q, dq=dq)
    parts = [group.add(q[..., qs], dq[..., vs], retraction) for group, qs, vs in runs(model)]
    return namespace(q, dq).concat(parts, axis=-1)
