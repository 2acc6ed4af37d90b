"""Regressors of the joint-space inertia matrix and of gravity."""

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

__all__ = ["HandGRegressor", "RegressorHandG"]


@shown_in_notebooks
class HandGRegressor(NamedTuple):
    """Regressors of the inertia matrix H and of the joint forces g that balance gravity."""

    YH: Array
    """Regressor of the inertia matrix, ``H = YH @ pi + YH_rot @ pi_rot``, shape (..., NV, NV,
    10*NB).
    """
    Yg: Array
    """Regressor of gravity, ``g = Yg @ pi + Yg_rot @ pi_rot``, shape (..., NV, 10*NB)."""
    YH_rot: Array
    """Columns for rotors in the regressor of H, shape (..., NV, NV, 10*NB_rot)."""
    Yg_rot: Array
    """Columns for rotors in the regressor of gravity, shape (..., NV, 10*NB_rot)."""


@accelerated("RegressorHandG", "(q)->(v,v,p),(v,p),(v,v,r),(v,r)", rotors="own", joint_terms=True)
def RegressorHandG(model: Model, q: Array, **options: Unpack[Options]) -> HandGRegressor:
    """Compute the regressors of the inertia matrix H and of the gravity force g.

    MATLAB: ``[YH,Yg,YH_rotor,Yg_rot] = RegressorHandG(model,q)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    YH, Yg, YH_rot, Yg_rot : array
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
    ``YH[k, l]`` is row k of the regressor of inverse dynamics at rest, without gravity, under a
    unit acceleration of variable l. MATLAB stacks the columns of H: since H is symmetric, its
    matrix is ``YH.reshape(NV * NV, 10 * NB)``.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> YH, Yg, _, _ = RegressorHandG(autoTree(2), [0.1, 0.2])
    >>> YH.shape, Yg.shape
    ((2, 2, 20), (2, 20))
    """
    T = namespace(q).matrix_transpose
    e = unit_rows(model, q)
    a, J, YH, Yg = {}, {}, {}, {}

    a[-1] = column(constant(-get_gravity(model), q))
    J[-1] = 0 * a[-1] @ e[0][:1, :]
    for i, (j, p, jtype, Xtree, _, gear) in enumerate(moved_bodies(model)[0]):
        XJ, S = jcalc(jtype, gear * q[..., model.qinds[j]])
        Xup = XJ @ constant(Xtree, q)
        a[i] = Xup @ a[p]
        J[i] = Xup @ J[p] + constant(gear * S, q) @ e[j]
        rows = T(J[i])
        YH[i] = rows[..., None, :, :] @ individualRegressor(rows, 0 * rows)
        Yg[i] = rows @ individualRegressor(uncolumn(a[i]), uncolumn(0 * a[i]))

    (H, H_rot), (g, g_rot) = (parted(model, list(x.values())) for x in (YH, Yg))
    return HandGRegressor(H, g, H_rot, g_rot)
