"""Derivatives of the regressors of the kinetic and the potential energy."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.regressor_sweep import columns_of, split, sweep
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model

__all__ = ["RegressorEnergyDerivatives", "RegressorEnergy_derivatives"]


@shown_in_notebooks
class RegressorEnergyDerivatives(NamedTuple):
    """Derivatives of the regressors Y of kinetic and potential energy, arrays (..., 10*NB, NV).

    Entry [p, l] is the derivative of Y[p] along q_l or with respect to qd_l. The last three are
    derivatives of the entries for rotor parameters, (..., 10*NB_rot, NV).
    """

    dY_KE_dq: Array
    dY_KE_dqd: Array
    dY_PE_dq: Array
    dY_KE_rot_dq: Array
    dY_KE_rot_dqd: Array
    dY_PE_rot_dq: Array


@accelerated(
    "RegressorEnergy_derivatives",
    "(q),(v)->(p,v),(p,v),(p,v),(r,v),(r,v),(r,v)",
    rotors="own",
    joint_terms=True,
)
def RegressorEnergy_derivatives(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> RegressorEnergyDerivatives:
    """Compute the derivatives of `RegressorEnergy` with respect to q and qd.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    RegressorEnergyDerivatives
        Named tuple of arrays (..., 10*NB, NV). Derivatives along q are along the joints' degrees of
        freedom. Each body has ten entries of Y, for its parameters
        ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments and products of inertia
        about the origin of the body frame; see `individualRegressor`. The potential energy does not
        depend on qd.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``dY_KE_dqd`` and ``dY_PE_dq`` are ``Y_Hqd`` of `Regressor_HqdandCTqd` and ``Yg`` of
    `RegressorHandG`, transposed: Lagrange's equations, column by column.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> RegressorEnergy_derivatives(autoTree(2), [0, 1], [1, 2]).dY_KE_dq[11].round(3)
    array([ 0.   , -2.524])
    """
    T = namespace(q, qd).matrix_transpose
    KE_dq, KE_dqd, PE_dq = [], [], []
    for m in sweep(model, q, qd, 0 * qd, 0 * qd):
        h, g = T(columns_of(m.v)), T(columns_of(m.a))
        KE_dq.append(h @ m.dv)
        KE_dqd.append(h @ m.J)
        PE_dq.append(g @ m.J)
    return RegressorEnergyDerivatives(*split(model, KE_dq, KE_dqd, PE_dq))
