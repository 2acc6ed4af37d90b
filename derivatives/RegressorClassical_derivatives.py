"""Derivatives of the regressor of inverse dynamics."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.regressor_sweep import columns_of, product_rule, rates_of, split, sweep
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model

__all__ = ["RegressorClassicalDerivatives", "RegressorClassical_derivatives"]


@shown_in_notebooks
class RegressorClassicalDerivatives(NamedTuple):
    """Derivatives of the regressor Y of inverse dynamics, arrays (..., NV, 10*NB, NV).

    Entry [k, p, l] is the derivative of Y[k, p] along q_l or with respect to qd_l.
    """

    dY_dq: Array
    dY_dqd: Array
    dY_rot_dq: Array
    """Derivatives of the columns for rotor parameters, shape (..., NV, 10*NB_rot, NV)."""
    dY_rot_dqd: Array


@accelerated(
    "RegressorClassical_derivatives",
    "(q),(v),(v)->(v,p,v),(v,p,v),(v,r,v),(v,r,v)",
    rotors="own",
    joint_terms=True,
)
def RegressorClassical_derivatives(
    model: Model, q: Array, qd: Array, qdd: Array, **options: Unpack[Options]
) -> RegressorClassicalDerivatives:
    """Compute the derivatives of `RegressorClassical` with respect to q and qd.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    dY_dq, dY_dqd, dY_rot_dq, dY_rot_dqd : array, shape (..., NV, 10*NB, NV)
        Named tuple, for rotors (..., NV, 10*NB_rot, NV). Derivatives along q are along the joints'
        degrees of freedom. Each body has ten columns, for its parameters
        ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments and products of inertia
        about the origin of the body frame; see `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    The derivatives follow from the product rule on ``Y_i = J_i^T individualRegressor(a_i, v_i)``.
    Multiplied by the inertial parameters, they are the results of `ID_derivatives`. The derivative
    with respect to qdd_l is ``YH[:, l]`` of `RegressorHandG`. One use is the search for
    trajectories along which the parameters are identified best.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> RegressorClassical_derivatives(autoTree(2), [0, 1], [1, 2], [3, 4]).dY_dq[0, 11].round(3)
    array([  0.   , -12.737])
    """
    dq, dqd = [], []
    for m in sweep(model, q, qd, qd, qdd):
        Y = columns_of(m.a, m.v, m.v)
        dq.append(product_rule(m.J, Y, rates_of(m.da, m.v, 2 * m.dv), m.dJ))
        dqd.append(product_rule(m.J, Y, rates_of(m.da_dqd + m.Jd, m.v, 2 * m.J)))
    return RegressorClassicalDerivatives(*split(model, dq, dqd))
