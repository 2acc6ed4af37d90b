"""Derivative of the inverse joint-space inertia matrix."""

from __future__ import annotations

from typing import Unpack

from derivatives.H_derivatives import H_derivatives
from spatial_v2.accelerated import page
from spatial_v2.arrays import Array, namespace
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.Hinverse import Hinverse
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.model import Model

__all__ = ["dMinv_dq"]


@page("(q)->(v,v,v)", rotors="own", joint_terms=True, singular=singular_joints)
def dMinv_dq(model: Model, q: Array, **options: Unpack[Options]) -> Array:
    """Compute the derivatives of the inverse of the joint-space inertia matrix with respect to q.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    array, shape (..., NV, NV, NV)
        Entry [i, j, k] is the derivative of (H^-1)_ij along q_k; symmetric in i and j.

    Raises
    ------
    ArrayShapeError
        `q` has the wrong shape.
    SpatialError
        A joint that moves no inertia of its own in this configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    ``dMinv_dq = -H^-1 dM_dq H^-1``; also the derivative of the acceleration with respect to tau_j
    and along q_k, (44) of Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body
    Dynamics" (2023).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> dMinv_dq(autoTree(3), [0.1, 0.2, 0.3])[0].round(3) + 0.0
    array([[ 0.   , -1.151,  0.116],
           [ 0.   ,  2.537, -0.245],
           [ 0.   , -0.785,  0.378]])
    """
    moveaxis = namespace(q).moveaxis
    dM = moveaxis(H_derivatives(model, q), -1, -3)
    Minv = Hinverse(model, q)[..., None, :, :]
    return -moveaxis(Minv @ dM @ Minv, -3, -1)
