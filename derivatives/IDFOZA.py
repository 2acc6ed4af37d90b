"""IDFOZA: derivatives of the product of the joint-space inertia matrix with a vector."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from derivatives.ID_derivatives import ID_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.weightless import inertial
from spatial_v2.model import Model

__all__ = ["IDFOZA"]


@accelerated("IDFOZA", "(q),(v)->(v,v)", joint_terms=True)
def IDFOZA(model: Model, q: Array, b: Array, **options: Unpack[Options]) -> Array:
    """Compute the product of dM/dq with a vector b: the derivative of ``H(q) b`` along q.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    b : array, shape (..., NV)
        The constant vector. For several vectors at one configuration, put them along a leading axis
        and pass ``q[..., None, :]``.

    Returns
    -------
    array, shape (..., NV, NV)
        Entry [i, k] is ``sum_j dM_dq[i, j, k] b_j``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    The result is that of `ID_derivatives` at rest, without gravity and springs, with b as the
    acceleration. Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body Dynamics"
    (2023), eq. (52). O(N d).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> IDFOZA(autoTree(3), [0.1, 0.2, 0.3], [1, 0, 0]).round(3)
    array([[ 0.   , -1.075, -0.775],
           [ 0.   , -0.538, -0.535],
           [ 0.   , -0.24 , -0.387]])
    """
    rest = constant(np.zeros(model.NV), b)
    return ID_derivatives.reference(inertial(model), q, rest, b).dtau_dq
