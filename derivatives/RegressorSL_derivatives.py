"""Derivatives of the regressor of adaptive control."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.regressor_sweep import columns_of, product_rule, rates_of, split, sweep
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model
from spatial_v2.spatial import crm

__all__ = ["RegressorSLDerivatives", "RegressorSL_derivatives"]


@shown_in_notebooks
class RegressorSLDerivatives(NamedTuple):
    """Derivatives of the regressor Y of adaptive control, arrays (..., NV, 10*NB, NV).

    Entry [k, p, l] is the derivative of Y[k, p] along q_l, or with respect to qd_l or qd_r_l.
    """

    dY_dq: Array
    dY_dqd: Array
    dY_dqd_r: Array
    dY_rot_dq: Array
    """Derivatives of the columns for rotor parameters, shape (..., NV, 10*NB_rot, NV)."""
    dY_rot_dqd: Array
    dY_rot_dqd_r: Array


@accelerated(
    "RegressorSL_derivatives", "(q),(v),(v),(v)->" + ",".join(3 * ["(v,p,v)"] + 3 * ["(v,r,v)"]),
    rotors="own", joint_terms=True,
)  # fmt: skip
def RegressorSL_derivatives(
    model: Model, q: Array, qd: Array, qd_r: Array, qdd: Array, **options: Unpack[Options]
) -> RegressorSLDerivatives:
    """Compute the derivatives of `RegressorSL` with respect to q, qd and qd_r.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    qd_r, qdd : array, shape (..., NV)
        Reference velocity and acceleration [per second, per second^2].

    Returns
    -------
    dY_dq, dY_dqd, dY_dqd_r, dY_rot_dq, dY_rot_dqd, dY_rot_dqd_r : array, shape (..., NV, 10*NB, NV)
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
    The derivatives follow from the product rule, with the Coriolis matrix of the Christoffel
    symbols. The derivative with respect to qdd_l is ``YH[:, l]`` of `RegressorHandG`. An adaptive
    controller obtains the rate of its regressor from these derivatives:
    ``dY/dt = dY_dq qd + dY_dqd qdd + ...``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> RegressorSL_derivatives(autoTree(2), [0, 1], [1, 2], [3, 4], [5, 6]).dY_dqd_r.shape
    (2, 20, 2)
    """
    dq, dqd, dqd_r = [], [], []
    for m in sweep(model, q, qd, qd_r, qdd):
        V, W = crm(m.v) / 2, crm(m.w) / 2
        Y = columns_of(m.a - V @ m.w, m.v, m.w)
        moved = rates_of(m.da - V @ m.dw + W @ m.dv, m.v, m.dw)
        dq.append(product_rule(m.J, Y, moved + rates_of(0 * m.dv, m.dv, m.w), m.dJ))
        dqd.append(product_rule(m.J, Y, rates_of(m.da_dqd + W @ m.J, m.J, m.w)))
        dqd_r.append(product_rule(m.J, Y, rates_of(m.Jd - V @ m.J, m.v, m.J)))
    return RegressorSLDerivatives(*split(model, dq, dqd, dqd_r))
