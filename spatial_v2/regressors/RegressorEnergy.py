"""Regressors of the kinetic and the potential energy."""

from __future__ import annotations

from typing import NamedTuple, Unpack

import numpy as np

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
from spatial_v2.spatial import transform_parts

__all__ = ["EnergyRegressor", "RegressorEnergy"]


@shown_in_notebooks
class EnergyRegressor(NamedTuple):
    """Regressors of the energies, (..., 10*NB) for links and (..., 10*NB_rot) for rotors."""

    Y_KE: Array
    """``KE = Y_KE @ pi + Y_KE_rot @ pi_rot`` [J]."""
    Y_PE: Array
    """``PE = Y_PE @ pi + Y_PE_rot @ pi_rot`` [J], zero at the height of the base origin."""
    Y_KE_rot: Array
    """Columns of the kinetic energy for the parameters of the rotors."""
    Y_PE_rot: Array
    """Columns of the potential energy for the parameters of the rotors."""


@accelerated("RegressorEnergy", "(q),(v)->(p),(p),(r),(r)", rotors="own", joint_terms=True)
def RegressorEnergy(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> EnergyRegressor:
    """Compute the regressors of the kinetic and the potential energy.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too. Its inertias, armature, damping
        and friction are not used.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    Y_KE, Y_PE, Y_KE_rot, Y_PE_rot : array, shapes (..., 10*NB), (..., 10*NB_rot)
        Named tuple of row vectors that multiply the inertial parameters pi of the links and pi_rot
        of the rotors, in the order of their joints. Each body has ten parameters,
        ``[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with moments and products of inertia
        about the origin of the body frame; see `individualRegressor`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    For a body with origin r, velocity v and coordinate rotation E, the energies are
    ``v . individualRegressor(v, 0) pi / 2`` and ``-g . (m r + E^T h)``; their sums are the fields
    KE and PE of `EnerMo`. Differences of the total energy identify parameters from the work of the
    motors, without accelerations: Gautier, Khalil, "On
    the identification of the inertial parameters of robots" (1988).

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> RegressorEnergy(autoTree(1), [0.0], [2.0]).Y_KE
    array([0., 0., 0., 0., 0., 0., 2., 0., 0., 0.])
    """
    xp = namespace(q, qd)
    T = xp.matrix_transpose
    g = constant(-get_gravity(model), q)
    n = len(model.gravity)
    v, KE, PE = {}, {}, {}
    X: dict[int, Array] = {}

    v[-1] = column(0 * g)
    for i, (j, p, jtype, Xtree, _, gear) in enumerate(moved_bodies(model)[0]):
        XJ, S = jcalc(jtype, gear * q[..., model.qinds[j]])
        Xup = XJ @ constant(Xtree, q)
        v[i] = Xup @ v[p] + constant(gear * S, q) @ column(qd[..., model.vinds[j]])
        X[i] = Xup @ X[p] if p >= 0 else Xup
        KE[i] = (T(v[i]) @ individualRegressor(uncolumn(v[i]), uncolumn(0 * v[i])))[..., 0, :] / 2
        E, r = transform_parts(X[i])
        m = xp.sum(r * g[-n:], axis=-1)[..., None]
        h = uncolumn(E @ column(g[-n:]))
        PE[i] = xp.concat([m, h, m * constant(np.zeros(9 - n), q)], axis=-1)

    (K, K_rot), (P, P_rot) = (parted(model, list(x.values())) for x in (KE, PE))
    return EnergyRegressor(K, P, K_rot, P_rot)
