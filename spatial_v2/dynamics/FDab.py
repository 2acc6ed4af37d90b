"""Forward dynamics: the articulated-body algorithm."""

from __future__ import annotations

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.linear import solve
from spatial_v2.dynamics.apply_external_forces import apply_external_forces
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.spatial import crf, crm

__all__ = ["FDab"]


@accelerated("aba", "(q),(v),(v)->(v)", rotors="own")
def FDab(model: Model, q: Array, qd: Array, tau: Array, f_ext: Array | None = None) -> Array:
    """Joint accelerations under given joint forces: articulated-body algorithm.

    MATLAB: ``qdd = FDab(model,q,qd,tau,f_ext)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Geared rotors are treated in the sweep itself.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in base coordinates; see `ID`.

    Returns
    -------
    qdd : array, shape (..., NV)
        Joint accelerations.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    The inverse of `ID` in its last argument: ``FDab(ID(qdd)) = qdd``. Featherstone (2008),
    Table 7.1, with matrices D so that joints may have several freedoms; with a rotor r, the terms
    of the rotor's body are added to d, u and U, and its inertia stays with the parent.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(2), [0.1, 0.2], [0.3, 0.4]
    >>> from spatial_v2 import ID
    >>> import numpy as np
    >>> np.round(FDab(model, q, qd, ID(model, q, qd, [1.0, 2.0])), 12)
    array([1., 2.])
    """
    xp = namespace(q, qd, tau, f_ext)
    T = xp.matrix_transpose
    Xup, S, v, c, IA, pA, U, d, u = {}, {}, {}, {}, {}, {}, {}, {}, {}
    rotor = {}

    v[-1] = column(constant(0 * get_gravity(model), q))
    for i, p in enumerate(model.parent.tolist()):
        XJ, Si = jcalc(model.jtype[i], q[..., model.qinds[i]])
        S[i], qd_i = constant(Si, q), column(qd[..., model.vinds[i]])
        vJ = S[i] @ qd_i
        Xup[i] = XJ @ constant(model.Xtree[i], q)
        v[i] = Xup[i] @ v[p] + vJ
        c[i] = crm(v[i]) @ vJ
        IA[i] = constant(model.I[i], q)
        pA[i] = crf(v[i]) @ (IA[i] @ v[i])
        if model.has_rotor[i]:
            gr = float(model.gr[i])
            XJ, Sr = jcalc(model.jtype_rotor[i], gr * q[..., model.qinds[i]])
            Xr, Sr = XJ @ constant(model.Xrotor[i], q), constant(gr * Sr, q)
            Ir, vJ = constant(model.I_rotor[i], q), Sr @ qd_i
            vr = Xr @ v[p] + vJ
            cr = crm(vr) @ vJ
            rotor[i] = Xr, Sr, Ir, crf(vr) @ (Ir @ vr) + Ir @ cr
    pA = apply_external_forces(model, Xup, pA, f_ext)

    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        pa = pA[i] + IA[i] @ c[i]
        F = IA[i] @ S[i]
        d[i] = T(S[i]) @ F
        u[i] = column(tau[..., model.vinds[i]]) - T(S[i]) @ pa
        U[i] = T(Xup[i]) @ F
        Ia, pa = T(Xup[i]) @ IA[i] @ Xup[i], T(Xup[i]) @ pa
        if i in rotor:
            Xr, Sr, Ir, pr = rotor[i]
            d[i] = d[i] + T(Sr) @ Ir @ Sr
            u[i] = u[i] - T(Sr) @ pr
            U[i] = U[i] + T(Xr) @ Ir @ Sr
            Ia, pa = Ia + T(Xr) @ Ir @ Xr, pa + T(Xr) @ pr
        if p >= 0:
            IA[p] = IA[p] + Ia - U[i] @ solve(d[i], T(U[i]))
            pA[p] = pA[p] + pa + U[i] @ solve(d[i], u[i])

    a, qdd = {-1: column(constant(-get_gravity(model), q))}, {}
    for i, p in enumerate(model.parent.tolist()):
        qdd[i] = solve(d[i], u[i] - T(U[i]) @ a[p])
        a[i] = Xup[i] @ a[p] + S[i] @ qdd[i] + c[i]
    return uncolumn(xp.concat([qdd[i] for i in range(model.NB)], axis=-2))
