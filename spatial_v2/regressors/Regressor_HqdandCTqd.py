"""Regressors of the generalised momentum H qd, and of the velocity term C^T qd of its rate."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import get_gravity
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.regressors.individualRegressor import individualRegressor
from spatial_v2.regressors.moving import parted, unit_rows
from spatial_v2.spatial import crm

__all__ = ["HqdandCTqdRegressor", "Regressor_HqdandCTqd"]


@shown_in_notebooks
class HqdandCTqdRegressor(NamedTuple):
    """Regressors of `Hqd_and_CTqd`: (..., NV, 10*NB), and (..., NV, 10*NB_rot) for rotors."""

    Y_Hqd: Array
    """``H qd = Y_Hqd @ pi + Y_Hqd_rot @ pi_rot``."""
    Y_CTqd: Array
    """``C^T qd = Y_CTqd @ pi + Y_CTqd_rot @ pi_rot``."""
    Y_Hqd_rot: Array
    """Columns of ``H qd`` for the parameters of the rotors."""
    Y_CTqd_rot: Array
    """Columns of ``C^T qd`` for the parameters of the rotors."""


@accelerated(
    "Regressor_HqdandCTqd", "(q),(v)->(v,p),(v,p),(v,r),(v,r)", rotors="own", joint_terms=True
)
def Regressor_HqdandCTqd(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> HqdandCTqdRegressor:
    """Compute the regressors of the generalised momentum ``H qd`` and of ``C^T qd``.

    MATLAB: ``[Y_Hqd,Y_CTqd,Y_Hqd_rot,Y_CTqd_rot] = Regressor_HqdandCTqd(model,q,qd)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    Y_Hqd, Y_CTqd, Y_Hqd_rot, Y_CTqd_rot : array
        Named tuple; ten columns for each link, and for each rotor in the order of their joints.
        Each body has ten parameters, ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with
        moments and products of inertia about the origin of the body frame; see
        `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``J_i^T`` and ``Jd_i^T`` times the momentum regressor ``individualRegressor(v_i, 0)`` of each
    body i, where Jd_i has columns ``v_j x S_j`` in place of the columns S_j of J_i. With the
    filtered equation ``d/dt(H qd) = tau + C^T qd - g``, parameters can be identified without
    accelerations: Slotine, Li (1987).

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> Regressor_HqdandCTqd(autoTree(2), [0.1, 0.2], [1, 1]).Y_Hqd.shape
    (2, 20)
    """
    T = namespace(q, qd).matrix_transpose
    e = unit_rows(model, q)
    v, J, Jd, Hqd, CTqd = {}, {}, {}, {}, {}

    v[-1] = column(constant(0 * get_gravity(model), q))
    J[-1] = Jd[-1] = v[-1] @ e[0][:1, :]
    for i, (j, p, jtype, Xtree, _, gear) in enumerate(moved_bodies(model)[0]):
        XJ, Si = jcalc(jtype, gear * q[..., model.qinds[j]])
        S, Xup = constant(gear * Si, q), XJ @ constant(Xtree, q)
        v[i] = Xup @ v[p] + S @ column(qd[..., model.vinds[j]])
        J[i] = Xup @ J[p] + S @ e[j]
        Jd[i] = Xup @ Jd[p] + crm(v[i]) @ S @ e[j]
        h = individualRegressor(uncolumn(v[i]), uncolumn(0 * v[i]))
        Hqd[i], CTqd[i] = T(J[i]) @ h, T(Jd[i]) @ h

    (H, H_rot), (C, C_rot) = (parted(model, list(x.values())) for x in (Hqd, CTqd))
    return HqdandCTqdRegressor(H, C, H_rot, C_rot)
