"""Derivatives of the regressor of the spatial momentum of the whole tree."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.regressor_sweep import columns_of, rates_of, split, sweep
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model
from spatial_v2.spatial import crf

__all__ = ["RegressorMomentumDerivatives", "RegressorMomentum_derivatives"]


@shown_in_notebooks
class RegressorMomentumDerivatives(NamedTuple):
    """Derivatives of the regressor Yh of the momentum, arrays (..., 6, 10*NB, NV).

    Entries [:, p, l] are the derivative of Yh[:, p] along q_l or with respect to qd_l.
    """

    dYh_dq: Array
    dYh_dqd: Array
    dYh_rot_dq: Array
    """Derivatives of the columns for rotor parameters, shape (..., 6, 10*NB_rot, NV)."""
    dYh_rot_dqd: Array


@accelerated(
    "RegressorMomentum_derivatives",
    "(q),(v)->(6,p,v),(6,p,v),(6,r,v),(6,r,v)",
    rotors="own",
    joint_terms=True,
)
def RegressorMomentum_derivatives(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> RegressorMomentumDerivatives:
    """Compute the derivatives of `RegressorMomentum` with respect to q and qd.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    dYh_dq, dYh_dqd, dYh_rot_dq, dYh_rot_dqd : array, shape (..., 6, 10*NB, NV)
        Named tuple, for rotors (..., 6, 10*NB_rot, NV). Derivatives along q are along the joints'
        degrees of freedom. Each body has ten columns, for its parameters
        ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments and products of inertia
        about the origin of the body frame; see `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    With ``h = individualRegressor(v_i, 0)`` for body i, Jacobian J and transform X_i from the base,
    the derivative along q_l is ``X_i^T (dh + J_l x* h)``, since h turns with the body;
    the product of ``dYh_dqd[:, :, l]`` and the parameters is column l of the momentum matrix about
    the base origin.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> RegressorMomentum_derivatives(autoTree(2), [0, 1], [1, 2]).dYh_dq[0, 7].round(3)
    array([-1.,  0.])
    """
    xp = namespace(q, qd)
    T = xp.matrix_transpose
    dq, dqd = [], []
    for m in sweep(model, q, qd, qd, 0 * qd):
        X = T(m.X)[..., None, :, :]
        turned = crf(T(m.J)) @ columns_of(m.v)[..., None, :, :]
        dq.append(xp.moveaxis(X @ (rates_of(m.dv) + turned), -3, -1))
        dqd.append(xp.moveaxis(X @ rates_of(m.J), -3, -1))
    return RegressorMomentumDerivatives(*split(model, dq, dqd))
