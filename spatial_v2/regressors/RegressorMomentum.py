"""The regressor of the spatial momentum of the whole tree."""

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
from spatial_v2.regressors.moving import parted

__all__ = ["MomentumRegressor", "RegressorMomentum"]


@shown_in_notebooks
class MomentumRegressor(NamedTuple):
    """Regressor of the momentum, ``htot = Yh @ pi + Yh_rot @ pi_rot``; 3 for 6 if planar."""

    Yh: Array
    """Columns for the parameters of links, shape (..., 6, 10*NB)."""
    Yh_rot: Array
    """Columns for the parameters of rotors, shape (..., 6, 10*NB_rot)."""


@accelerated("RegressorMomentum", "(q),(v)->(6,p),(6,r)", rotors="own", joint_terms=True)
def RegressorMomentum(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> MomentumRegressor:
    """Compute the regressor of the spatial momentum of the tree about the base origin.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    Yh, Yh_rot : array, shapes (..., 6, 10*NB), (..., 6, 10*NB_rot)
        Named tuple: columns for the links, and for the rotors in the order of their joints. Each
        body has ten parameters, ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments and
        products of inertia about the origin of the body frame; see `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``Yh_i = X_i^T individualRegressor(v_i, 0)`` with the transform X_i from the base to body i: the
    field htot of `EnerMo`. From the rate of the momentum, parameters of free-floating robots can be
    identified with the forces on the base alone.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> RegressorMomentum(autoTree(2), [0, 0], [1, 0]).Yh[5, :10:3]
    array([0., 0., 0., 0.])
    """
    T = namespace(q, qd).matrix_transpose
    v, Yh = {}, {}
    X: dict[int, Array] = {}

    v[-1] = column(constant(0 * get_gravity(model), q))
    for i, (j, p, jtype, Xtree, _, gear) in enumerate(moved_bodies(model)[0]):
        XJ, S = jcalc(jtype, gear * q[..., model.qinds[j]])
        Xup = XJ @ constant(Xtree, q)
        v[i] = Xup @ v[p] + constant(gear * S, q) @ column(qd[..., model.vinds[j]])
        X[i] = Xup @ X[p] if p >= 0 else Xup
        Yh[i] = T(X[i]) @ individualRegressor(uncolumn(v[i]), uncolumn(0 * v[i]))

    return MomentumRegressor(*parted(model, list(Yh.values())))
