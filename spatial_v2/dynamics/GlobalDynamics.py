"""All quantities of the dynamics in ground coordinates."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.state import aligned, check_vector
from spatial_v2.spatial import crf, crm, icrf

__all__ = ["GlobalDynamics", "GroundFrame"]


class GroundFrame(NamedTuple):
    """Ground-frame quantities: matrices (..., 6, NV), or one entry per body (..., NB, ...)."""

    S: Array
    """Motion subspaces, column k for velocity variable k."""
    Sd: Array
    """Rate of S: ``v_i x S_i``."""
    psid: Array
    """``v_p x S_i`` with p the parent of i: rate of S due to the motion of the parent."""
    psidd: Array
    """``a_p x S_i + v_p x psid_i``."""
    X0: Array
    """Transforms from base to body, shape (..., NB, 6, 6)."""
    vJ: Array
    """Velocity across each joint, shape (..., NB, 6)."""
    v: Array
    """Body velocities."""
    a: Array
    """Body accelerations, the base accelerating with minus gravity."""
    I: Array
    """Inertias, shape (..., NB, 6, 6)."""
    IC: Array
    """Composite inertias of the subtrees."""
    B: Array
    """Body Coriolis matrices ``1/2 (v x* I - I v x + (I v) xbar*)``."""
    BC: Array
    """Their sums over the subtrees."""
    f: Array
    """Net force on each body, ``I a + v x* I v``."""
    fC: Array
    """Their sums over the subtrees."""


def GlobalDynamics(model: Model, q: Array, qd: Array, qdd: Array) -> GroundFrame:
    """Kinematics and dynamics of every body in ground coordinates.

    MATLAB: ``glob = GlobalDynamics(model,q,qd,qdd,...)``; the quantities from which the derivatives
    of the dynamics are written.

    Parameters
    ----------
    model : Model
        The rigid-body tree, without rotors; planar models too (3 in place of 6).
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    GroundFrame
        Named tuple of arrays, all in base coordinates.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. II, eqs. (14)-(15) and Algorithm 1, lines 1-11.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> g = GlobalDynamics(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> g.S.shape, g.IC.shape
    ((6, 3), (3, 6, 6))
    """
    model.checked()
    q, qd, qdd = aligned(
        q=check_vector(model, "q", q, model.NQ, "q"),
        qd=check_vector(model, "qd", qd, model.NV, "v"),
        qdd=check_vector(model, "qdd", qdd, model.NV, "v"),
    )
    xp = namespace(q, qd, qdd)
    T = xp.matrix_transpose
    bodies, parent = range(model.NB), model.parent.tolist()
    X0: dict[int, Array] = {}
    S, Sd, psid, psidd, vJ, v, a, I, B, f = ({} for _ in range(10))

    v[-1] = column(constant(0 * get_gravity(model), q))
    a[-1] = column(constant(-get_gravity(model), q))
    for i, p in enumerate(parent):
        XJ, Si = jcalc(model.jtype[i], q[..., model.qinds[i]])
        Xup = XJ @ constant(model.Xtree[i], q)
        X0[i] = Xup if p < 0 else Xup @ X0[p]
        S[i] = motion_inverse(X0[i]) @ constant(Si, q)
        vJ[i] = S[i] @ column(qd[..., model.vinds[i]])
        v[i] = v[p] + vJ[i]
        a[i] = a[p] + S[i] @ column(qdd[..., model.vinds[i]]) + crm(v[i]) @ vJ[i]
        Sd[i] = crm(v[i]) @ S[i]
        psid[i] = crm(v[p]) @ S[i]
        psidd[i] = crm(a[p]) @ S[i] + crm(v[p]) @ psid[i]
        I[i] = T(X0[i]) @ constant(model.I[i], q) @ X0[i]
        h = I[i] @ v[i]
        B[i] = (crf(v[i]) @ I[i] - I[i] @ crm(v[i]) + icrf(h)) / 2
        f[i] = I[i] @ a[i] + crf(v[i]) @ h

    IC, BC, fC = dict(I), dict(B), dict(f)
    for i in reversed(bodies):
        if (p := parent[i]) >= 0:
            IC[p], BC[p], fC[p] = IC[p] + IC[i], BC[p] + BC[i], fC[p] + fC[i]

    def columns(x: dict[int, Array]) -> Array:
        return xp.concat([x[i] for i in bodies], axis=-1)

    def matrices(x: dict[int, Array]) -> Array:
        return xp.stack([x[i] for i in bodies], axis=-3)

    def vectors(x: dict[int, Array]) -> Array:
        return uncolumn(matrices(x))

    return GroundFrame(
        S=columns(S),
        Sd=columns(Sd),
        psid=columns(psid),
        psidd=columns(psidd),
        X0=matrices(X0),
        vJ=vectors(vJ),
        v=vectors(v),
        a=vectors(a),
        I=matrices(I),
        IC=matrices(IC),
        B=matrices(B),
        BC=matrices(BC),
        f=vectors(f),
        fC=vectors(fC),
    )


def motion_inverse(X: Array) -> Array:
    """The inverse of a Pluecker transform: ``[E^T 0; rx E^T, E^T]``, planar likewise."""
    xp = namespace(X)
    n = 3 if X.shape[-1] == 6 else 1
    low = X[..., n:, :n]
    E, F = X[..., :n, :n], xp.matrix_transpose(X[..., n:, n:])
    low = xp.matrix_transpose(low) if n == 3 else -F @ low
    top = xp.concat([xp.matrix_transpose(E), 0 * X[..., :n, n:]], axis=-1)
    return xp.concat([top, xp.concat([low, F], axis=-1)], axis=-2)
