"""Derivatives of the regressors of the generalised momentum and of C^T qd."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.regressor_sweep import columns_of, product_rule, rates_of, split, sweep
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model

__all__ = ["RegressorHqdandCTqdDerivatives", "Regressor_HqdandCTqd_derivatives"]


@shown_in_notebooks
class RegressorHqdandCTqdDerivatives(NamedTuple):
    """Derivatives of the regressors Y of H qd and of C^T qd, arrays (..., NV, 10*NB, NV).

    Entry [k, p, l] is the derivative of Y[k, p] along q_l or with respect to qd_l. The last four
    are derivatives of the columns for rotor parameters, (..., NV, 10*NB_rot, NV).
    """

    dY_Hqd_dq: Array
    dY_Hqd_dqd: Array
    dY_CTqd_dq: Array
    dY_CTqd_dqd: Array
    dY_Hqd_rot_dq: Array
    dY_Hqd_rot_dqd: Array
    dY_CTqd_rot_dq: Array
    dY_CTqd_rot_dqd: Array


@accelerated(
    "Regressor_HqdandCTqd_derivatives", "(q),(v)->" + ",".join(4 * ["(v,p,v)"] + 4 * ["(v,r,v)"]),
    rotors="own", joint_terms=True,
)  # fmt: skip
def Regressor_HqdandCTqd_derivatives(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> RegressorHqdandCTqdDerivatives:
    """Compute the derivatives of `Regressor_HqdandCTqd` with respect to q and qd.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    RegressorHqdandCTqdDerivatives
        Named tuple. Derivatives along q are along the joints' degrees of freedom. Each body has ten
        columns, for its parameters ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments
        and products of inertia about the origin of the body frame; see `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    The derivatives follow from the product rule on ``J_i^T individualRegressor(v_i, 0)`` for H qd,
    and on the same product with the rate of J_i in place of J_i for C^T qd.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> Regressor_HqdandCTqd_derivatives(autoTree(2), [0, 1], [1, 2]).dY_CTqd_dq[1, 11].round(3)
    array([ 0.   , -1.621])
    """
    H_dq, H_dqd, C_dq, C_dqd = [], [], [], []
    for m in sweep(model, q, qd, qd, 0 * qd):
        h, dh, dh_dqd = columns_of(m.v), rates_of(m.dv), rates_of(m.J)
        H_dq.append(product_rule(m.J, h, dh, m.dJ))
        H_dqd.append(product_rule(m.J, h, dh_dqd))
        C_dq.append(product_rule(m.Jd, h, dh, m.dJd))
        C_dqd.append(product_rule(m.Jd, h, dh_dqd, m.dJd_dqd))
    return RegressorHqdandCTqdDerivatives(*split(model, H_dq, H_dqd, C_dq, C_dqd))
