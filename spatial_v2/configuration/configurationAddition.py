"""Addition of a displacement to a configuration."""

from __future__ import annotations

from typing import get_args

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.numbers import is_one_of
from spatial_v2.configuration.by_joint import runs
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.groups import Retraction
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["configurationAddition"]


def configurationAddition(
    model: Model, q: Array, dq: Array, retraction: Retraction = "exp"
) -> Array:
    """Compute ``q (+) dq``: each joint moves by the exponential of its part of dq.

    MATLAB: ``q_new = configurationAddition(model,q,dq)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors follow their joints.
    q : array, shape (..., NQ)
        Configurations.
    dq : array, shape (..., NV)
        Displacements along the velocity variables, in body coordinates: the joints move with
        constant velocity dq for a unit of time.
    retraction : {"exp", "matlab"}, optional
        ``"matlab"`` displaces the position of an ``Fb`` joint along the axes of the old
        orientation, as MATLAB does, which agrees with the exponential to first order in dq. Other
        joints are not affected.

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
    ``X_J(q (+) dq) = exp(-crm(S dq)) X_J(q)``. Derivatives with respect to q in this library are
    derivatives with respect to dq at 0. The function is analytic, so that complex steps are exact
    to rounding. Murray, Li, Sastry (1994), Sec. 2.3-2.4.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> configurationAddition(model, [1, 0, 0, 0], [0, 0, np.pi]).round(12)
    array([0., 0., 0., 1.])
    """
    if not is_one_of(retraction, *get_args(Retraction)):
        raise SpatialError(f"retraction: want 'exp' or 'matlab', got {retraction!r}")
    q, dq = check_state(model, q=q, dq=dq)
    parts = [group.add(q[..., qs], dq[..., vs], retraction) for group, qs, vs in runs(model)]
    return namespace(q, dq).concat(parts, axis=-1)
