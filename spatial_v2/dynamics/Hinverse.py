"""Inverse of the joint-space inertia matrix."""

from __future__ import annotations

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, assemble, constant, namespace
from spatial_v2.arrays.linear import solve
from spatial_v2.dynamics.GlobalDynamics import motion_inverse
from spatial_v2.joints import jcalc
from spatial_v2.model import Model

__all__ = ["Hinverse"]


@accelerated("hinverse", "(q)->(v,v)", rotors="own")
def Hinverse(model: Model, q: Array) -> Array:
    """Inverse of the joint-space inertia matrix, without forming that matrix.

    MATLAB: ``Hinv = Hinverse(model,q)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    array, shape (..., NV, NV)
        ``H(q)^-1``, symmetric.

    Raises
    ------
    ArrayShapeError
        `q` has the wrong shape.

    Notes
    -----
    The articulated-body algorithm for all unit joint forces at once, at rest and without gravity,
    in ground coordinates: entry [i, j] is the acceleration of joint i under a unit force of joint
    j. F collects the forces that the unit forces pass towards the base, A the accelerations on the
    way back. Carpentier, "Analytical inverse of the joint space inertia matrix" (2018);
    Bos, Traversaro, Pucci, Saccon (2022), Table 9.

    Examples
    --------
    >>> from spatial_v2 import CRBA
    >>> from spatial_v2.models import autoTree
    >>> model, q = autoTree(3), [0.1, 0.2, 0.3]
    >>> np.allclose(Hinverse(model, q) @ CRBA(model, q), np.eye(3))
    True
    """
    T = namespace(q).matrix_transpose
    bodies, parent = range(model.NB), model.parent.tolist()
    X0: dict[int, Array] = {}
    A: dict[tuple[int, int], Array] = {}
    S, IA, U, d, Minv, F, rotor = {}, {}, {}, {}, {}, {}, {}

    for i, p in enumerate(parent):
        XJ, Si = jcalc(model.jtype[i], q[..., model.qinds[i]])
        Xup = XJ @ constant(model.Xtree[i], q)
        X0[i] = Xup if p < 0 else Xup @ X0[p]
        S[i] = motion_inverse(X0[i]) @ constant(Si, q)
        IA[i] = T(X0[i]) @ constant(model.I[i], q) @ X0[i]
        F[i] = 0 * S[i]
        if model.has_rotor[i]:
            gr = float(model.gr[i])
            XJ, Sr = jcalc(model.jtype_rotor[i], gr * q[..., model.qinds[i]])
            Xr = XJ @ constant(model.Xrotor[i], q)
            Xr = Xr if p < 0 else Xr @ X0[p]
            Sr = motion_inverse(Xr) @ constant(gr * Sr, q)
            rotor[i] = Sr, T(Xr) @ constant(model.I_rotor[i], q) @ Xr

    subtree = {i: [j for j in bodies if i in model.ancestors[j]] for i in bodies}
    for i in reversed(bodies):
        U[i] = IA[i] @ S[i]
        d[i] = T(S[i]) @ U[i]
        if i in rotor:
            Sr, Ir = rotor[i]
            d[i], U[i], IA[i] = d[i] + T(Sr) @ Ir @ Sr, U[i] + Ir @ Sr, IA[i] + Ir
        for j in subtree[i]:
            unit = constant(np.eye(model.nv[i]) if i == j else 0.0 * np.eye(1), q)
            Minv[i, j] = solve(d[i], unit - T(S[i]) @ F[j])
            F[j] = F[j] + U[i] @ Minv[i, j]
        if (p := parent[i]) >= 0:
            IA[p] = IA[p] + IA[i] - U[i] @ solve(d[i], T(U[i]))

    for i, p in enumerate(parent):
        for j in bodies:
            if p >= 0:
                Minv[i, j] = Minv.get((i, j), 0) - solve(d[i], T(U[i]) @ A[p, j])
            elif (i, j) not in Minv:
                Minv[i, j] = 0 * T(S[i]) @ S[j]
            A[i, j] = S[i] @ Minv[i, j] + (A[p, j] if p >= 0 else 0)
    return assemble(Minv, model.nv, model.nv, like=q)
