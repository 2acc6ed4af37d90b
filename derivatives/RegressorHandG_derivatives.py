"""Derivatives of the regressors of the joint-space inertia matrix and of gravity."""

from __future__ import annotations

from typing import NamedTuple, Unpack

import numpy as np

from derivatives.regressor_sweep import columns_of, product_rule, rates_of, split, sweep
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model

__all__ = ["RegressorHandGDerivatives", "RegressorHandG_derivatives"]


@shown_in_notebooks
class RegressorHandGDerivatives(NamedTuple):
    """Derivatives of the regressors of `RegressorHandG`; the last axis has the variables q_l."""

    dYH_dq: Array
    """Derivatives of the regressor YH of the inertia matrix, shape (..., NV, NV, 10*NB, NV)."""
    dYg_dq: Array
    """Derivatives of the regressor Yg of gravity, shape (..., NV, 10*NB, NV)."""
    dYH_rot_dq: Array
    """Derivatives of the columns of YH for rotors, shape (..., NV, NV, 10*NB_rot, NV)."""
    dYg_rot_dq: Array
    """Derivatives of the columns of Yg for rotors, shape (..., NV, 10*NB_rot, NV)."""


@accelerated(
    "RegressorHandG_derivatives",
    "(q)->(v,v,p,v),(v,p,v),(v,v,r,v),(v,r,v)",
    rotors="own",
    joint_terms=True,
)
def RegressorHandG_derivatives(
    model: Model, q: Array, **options: Unpack[Options]
) -> RegressorHandGDerivatives:
    """Compute the derivatives of `RegressorHandG` with respect to q.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    dYH_dq, dYg_dq, dYH_rot_dq, dYg_rot_dq : array
        Named tuple. Each body has ten columns, for its parameters
        ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments and products of inertia
        about the origin of the body frame; see `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``YH_i[k, l] = J_k^T individualRegressor(J_l, 0)`` is symmetric in k and l, so its derivative is
    the term with the derivative of J_k plus the same term with k and l exchanged. Multiplied by the
    inertial parameters, dYH_dq gives `H_derivatives`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> RegressorHandG_derivatives(autoTree(2), [0, 1]).dYH_dq[0, 0, 11].round(3)
    array([ 0.   , -1.683])
    """
    xp = namespace(q)
    rest = constant(np.zeros(model.NV), q)
    dYH, dYg = [], []
    for m in sweep(model, q, rest, rest, rest):
        half = xp.matrix_transpose(rates_of(m.J))[..., None, :, :, :] @ m.dJ[..., None, :, :]
        dYH.append(half + xp.moveaxis(half, -4, -3))
        dYg.append(product_rule(m.J, columns_of(m.a), rates_of(m.da), m.dJ))
    return RegressorHandGDerivatives(*split(model, dYH, dYg))
