"""The Coriolis matrix as a sum over bodies of products of their Jacobians."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import page
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import BodyJacobian, BodyJacobianTimeDerivative, Factorization
from spatial_v2.dynamics.factorization import body_factor
from spatial_v2.model import Model
from spatial_v2.spatial import crm

__all__ = ["coriolis_by_jacobians"]


@page("(q),(v)->(v,v)")
def coriolis_by_jacobians(
    model: Model, q: Array, qd: Array, factorization: Factorization = 3, **options: Unpack[Options]
) -> Array:
    """Compute the Coriolis matrix from body Jacobians, independently of `CoriolisMatrix`.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    factorization : {3, 1, 2} or callable, optional
        The factor B of the velocity-product force of a body, as for `CoriolisMatrix`.

    Returns
    -------
    array, shape (..., NV, NV)
        The Coriolis matrix.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Echeandia, Wensing (2021), Remark 4, (31) in body coordinates:
    ``C = sum_k J_k^T (B_k J_k + I_k dJ_k/dt + I_k v_k x J_k)``, where dJ_k/dt is the time
    derivative of the entries of J_k. O(N^3); `CoriolisMatrix` is O(N d).

    Examples
    --------
    >>> from spatial_v2 import CoriolisMatrix
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(3, 2, 1), [0.1, 0.2, 0.3], [1, 2, 3]
    >>> np.allclose(coriolis_by_jacobians(model, q, qd), CoriolisMatrix(model, q, qd).C)
    True
    """
    C = constant(np.zeros((model.NV, model.NV)), q)
    for k in range(model.NB):
        J, Jdot = BodyJacobian(model, q, k), BodyJacobianTimeDerivative(model, q, qd, k)
        I, v = constant(model.I[k], q), J @ column(qd)
        B = body_factor(I, uncolumn(v), factorization)
        C = C + namespace(q, qd).matrix_transpose(J) @ (B @ J + I @ (Jdot + crm(v) @ J))
    return C
