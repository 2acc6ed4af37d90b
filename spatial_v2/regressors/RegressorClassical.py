"""The regressor of inverse dynamics: joint forces per inertial parameter."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import get_gravity
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.regressors.individualRegressor import individualRegressor
from spatial_v2.regressors.moving import Regressor, parted, unit_rows
from spatial_v2.spatial import crm

__all__ = ["RegressorClassical"]


@accelerated("RegressorClassical", "(q),(v),(v)->(v,p),(v,r)", rotors="own", joint_terms=True)
def RegressorClassical(
    model: Model, q: Array, qd: Array, qdd: Array, **options: Unpack[Options]
) -> Regressor:
    """Compute the regressor of joint forces: matrices Y, Y_rot with ``ID = Y pi + Y_rot pi_rot``.

    MATLAB: ``[Y,Y_rot] = RegressorClassical(model,q,qd,qdd)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    Y, Y_rot : array, shapes (..., NV, 10*NB), (..., NV, 10*NB_rot)
        Named tuple: columns for the links, and for the rotors in the order of their joints. Each
        body has ten parameters, ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments and
        products of inertia about the origin of the body frame; see `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``Y_i = J_i^T individualRegressor(a_i, v_i)`` with the Jacobian J_i of body i, all in body
    coordinates. Atkeson, An, Hollerbach, "Estimation of Inertial Parameters of Manipulator Loads
    and Links" (1986). Gravity is included as an acceleration of the base.
    The derivative with respect to qdd_l is ``YH[:, l]`` of `RegressorHandG`.

    Examples
    --------
    >>> from spatial_v2 import ID, autoTree
    >>> Y, Y_rot = RegressorClassical(autoTree(2), [0.1, 0.2], [1, 1], [0, 0])
    >>> Y.shape, Y_rot.shape
    ((2, 20), (2, 0))
    """
    xp = namespace(q, qd, qdd)
    T = xp.matrix_transpose
    e = unit_rows(model, q)
    v, a, J, Y = {}, {}, {}, {}

    a[-1] = column(constant(-get_gravity(model), q))
    v[-1], J[-1] = 0 * a[-1], 0 * a[-1] @ e[0][:1, :]
    for i, (j, p, jtype, Xtree, _, gear) in enumerate(moved_bodies(model)[0]):
        XJ, Si = jcalc(jtype, gear * q[..., model.qinds[j]])
        S, Xup = constant(gear * Si, q), XJ @ constant(Xtree, q)
        vJ = S @ column(qd[..., model.vinds[j]])
        v[i] = Xup @ v[p] + vJ
        a[i] = Xup @ a[p] + S @ column(qdd[..., model.vinds[j]]) + crm(v[i]) @ vJ
        J[i] = Xup @ J[p] + S @ e[j]
        Y[i] = T(J[i]) @ individualRegressor(uncolumn(a[i]), uncolumn(v[i]))

    return Regressor(*parted(model, list(Y.values())))
