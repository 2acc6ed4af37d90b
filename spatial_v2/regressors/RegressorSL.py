"""The regressor of inverse dynamics with a reference velocity in the Coriolis term."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import Factorization, get_gravity
from spatial_v2.dynamics.factorization import body_factor
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.regressors.body_columns import body_columns
from spatial_v2.regressors.moving import Regressor, parted, unit_rows
from spatial_v2.spatial import crm

__all__ = ["RegressorSL"]


@accelerated("RegressorSL", "(q),(v),(v),(v)->(v,p),(v,r)", rotors="own", joint_terms=True)
def RegressorSL(
    model: Model,
    q: Array,
    qd: Array,
    qd_r: Array,
    qdd: Array,
    factorization: Factorization = 3,
    **options: Unpack[Options],
) -> Regressor:
    """Compute the regressor of adaptive control, of ``H qdd + C(q, qd) qd_r + g``.

    MATLAB: ``[Y,Y_rot] = RegressorSL(model,q,qd,qd_r,qdd,factorFunction)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    qd_r, qdd : array, shape (..., NV)
        Reference velocity and acceleration [per second, per second^2].
    factorization : {3, 1, 2} or callable, optional
        Choice of the Coriolis matrix C, as in `CoriolisMatrix`; a function B(I, v) has to be linear
        in I. Only number 3, the C of the Christoffel symbols, has a compiled kernel.

    Returns
    -------
    Y, Y_rot : array, shapes (..., NV, 10*NB), (..., NV, 10*NB_rot)
        Named tuple with ``H qdd + C qd_r + g = Y pi + Y_rot pi_rot``: columns for the links, and
        for the rotors in the order of their joints. Each body has ten parameters,
        ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments and products of inertia
        about the origin of the body frame; see `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown number of a factorisation.

    Notes
    -----
    The regressor of `ID_SlotineLi`. Slotine, Li, "On the adaptive control of robot manipulators"
    (1987); with ``qd_r = qd`` it is that of `RegressorClassical`.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> RegressorSL(autoTree(2), [0.1, 0.2], [1, 1], [1, 0], [0, 0]).Y.shape
    (2, 20)
    """
    xp = namespace(q, qd, qd_r, qdd)
    T = xp.matrix_transpose
    e = unit_rows(model, q)
    v, w, a, J, Y = {}, {}, {}, {}, {}

    a[-1] = column(constant(-get_gravity(model), q))
    v[-1], w[-1], J[-1] = 0 * a[-1], 0 * a[-1], 0 * a[-1] @ e[0][:1, :]
    for i, (j, p, jtype, Xtree, _, gear) in enumerate(moved_bodies(model)[0]):
        XJ, Si = jcalc(jtype, gear * q[..., model.qinds[j]])
        S, Xup = constant(gear * Si, q), XJ @ constant(Xtree, q)
        wJ = S @ column(qd_r[..., model.vinds[j]])
        v[i] = Xup @ v[p] + S @ column(qd[..., model.vinds[j]])
        w[i] = Xup @ w[p] + wJ
        a[i] = Xup @ a[p] + S @ column(qdd[..., model.vinds[j]]) + crm(v[i]) @ wJ
        J[i] = Xup @ J[p] + S @ e[j]
        Y[i] = T(J[i]) @ _columns(uncolumn(a[i]), uncolumn(v[i]), uncolumn(w[i]), factorization)

    return Regressor(*parted(model, list(Y.values())))


def _columns(a: Array, v: Array, w: Array, factorization: Factorization) -> Array:
    """Compute the matrix Y with ``Y pi = I a + B(I, v) w``."""
    if factorization == 3:
        return body_columns(a - uncolumn(crm(v / 2) @ column(w)), v, w)
    inertias = constant(_unit_inertias(a.shape[-1]), a)
    a, v, w = (x[..., None, :] for x in (a, v, w))
    f = inertias @ column(a) + body_factor(inertias, v, factorization) @ column(w)
    return namespace(a).matrix_transpose(uncolumn(f))


def _unit_inertias(d: int) -> np.ndarray:
    """Return ten inertias (10, d, d); in each, one parameter is 1 and the others are 0."""
    one, none = np.eye(6), np.zeros(6)
    if d == 3:
        return _unit_inertias(6)[:, 2:5, 2:5]
    return np.stack([body_columns(x, none, none) for x in one], axis=-1).transpose(1, 0, 2)
