"""Kinematic and dynamic quantities of all bodies about a point of the robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, real_part, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.state import check_state
from spatial_v2.spatial import crf, crm, icrf, transform_from, transform_parts

__all__ = ["GroundFrame", "motion_inverse", "on_robot", "robot_frame", "shift"]


@shown_in_notebooks
class GroundFrame(NamedTuple):
    """Quantities in axes parallel to the base: (..., 6, NV), or (..., NB, ...) per body."""

    S: Array
    """Motion subspaces, column k for velocity variable k."""
    Sd: Array
    """Rates of S: ``v_i x S_i``, with v_i the velocity of the body i that the joint moves."""
    psid: Array
    """Rates of S due to the motion of the parent p of body i: ``v_p x S_i``."""
    psidd: Array
    """``a_p x S_i + v_p x psid_i``, with a_p and v_p the acceleration and velocity of the parent of
    body i.
    """
    X0: Array
    """Transforms from the common frame to each body, shape (..., NB, 6, 6)."""
    vJ: Array
    """Velocity across each joint, shape (..., NB, 6)."""
    v: Array
    """Spatial velocities of the bodies."""
    a: Array
    """Spatial accelerations of the bodies; that of the base is minus gravity."""
    I: Array
    """Inertias, shape (..., NB, 6, 6)."""
    IC: Array
    """Composite inertias: sums of I over the subtrees."""
    B: Array
    """Coriolis matrix of each body, ``1/2 (crf(v) I - I crm(v) + icrf(I v))``."""
    BC: Array
    """Sum of B over the subtree of each body."""
    f: Array
    """Net force on each body, ``I a + v x* I v``."""
    fC: Array
    """Sum of f over the subtree of each body."""


def robot_frame(model: Model, q: Array, qd: Array, qdd: Array) -> tuple[GroundFrame, Array]:
    """Compute kinematic and dynamic quantities of every body about a point of the robot.

    Joint forces, for example, are computed from these quantities but do not depend on the point.
    With the point on the robot, no digits are lost if the robot is far from the base.

    Parameters
    ----------
    model : Model
        The rigid-body tree, without rotors; planar models too (3 replaces 6).
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    g : GroundFrame
        Named tuple of arrays, in a frame at rest whose axes are those of the base.
    o : array, shape (..., 3), planar (..., 2)
        Origin of that frame in base coordinates [m], which is the origin of the last body.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. II, eqs. (14)-(15) and Algorithm 1, lines 1-11. The
    rounding error of o is the same for all bodies and has no effect. o may be real while q is
    complex, since the frame is at rest. For one tree, the distances between its bodies keep all
    digits; for several trees on the base, the distances from the base do.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> g, o = robot_frame(autoTree(2), [0.0, 0.0], [1, 1], [0, 0])
    >>> o + 0
    array([1., 0., 0.])
    """
    model.checked()
    q, qd, qdd = check_state(model, q=q, qd=qd, qdd=qdd)
    xp = namespace(q, qd, qdd)
    T = xp.matrix_transpose
    bodies, parent = range(model.NB), model.parent.tolist()
    Xup, S, Sd, psid, psidd, vJ, v, a, I, B, f = ({} for _ in range(11))

    for i in bodies:
        XJ, S[i] = jcalc(model.jtype[i], q[..., model.qinds[i]])
        Xup[i] = XJ @ constant(model.Xtree[i], q)
    X0, o = on_robot(parent, Xup)

    v[-1] = column(constant(0 * get_gravity(model), q))
    a[-1] = column(constant(-get_gravity(model), q))
    for i, p in enumerate(parent):
        S[i] = motion_inverse(X0[i]) @ constant(S[i], q)
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

    g = GroundFrame(
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
    return g, o


def on_robot(parent: Sequence[int], Xup: Mapping[int, Array]) -> tuple[dict[int, Array], Array]:
    """Return transforms from the frame of `robot_frame` to the bodies, and its origin.

    For object arrays the origin is that of the base: symbols have no rounding errors, and a shift
    would make expressions longer.

    Examples
    --------
    >>> X0, o = on_robot([-1], {0: shift(np.array([3.0, 2.0, 1.0]))})
    >>> o, bool((X0[0] == np.eye(6)).all())
    (array([3., 2., 1.]), True)
    """
    X0: dict[int, Array] = {}
    X, p = Xup[len(parent) - 1], parent[-1]
    rounds = not (isinstance(X, np.ndarray) and X.dtype == object)
    while p >= 0 and rounds:
        X, p = X @ Xup[p], parent[p]
    o = real_part(transform_parts(X).r) if rounds else constant(np.zeros(X.shape[-1] // 3 + 1), X)
    for i, p in enumerate(parent):
        if p >= 0:
            X0[i] = Xup[i] @ X0[p]
        elif rounds:
            E, r = transform_parts(Xup[i])
            X0[i] = transform_from(E, r - o)
        else:
            X0[i] = Xup[i]
    return X0, o


def motion_inverse(X: Array) -> Array:
    """Return the inverse ``[E^T 0; rx E^T, E^T]`` of a Plücker transform with rotation E and
    displacement r; planar transforms, too.
    """
    xp = namespace(X)
    n = 3 if X.shape[-1] == 6 else 1
    low = X[..., n:, :n]
    E, F = X[..., :n, :n], xp.matrix_transpose(X[..., n:, n:])
    low = xp.matrix_transpose(low) if n == 3 else -F @ low
    top = xp.concat([xp.matrix_transpose(E), 0 * X[..., :n, n:]], axis=-1)
    return xp.concat([top, xp.concat([low, F], axis=-1)], axis=-2)


def shift(r: Array) -> Array:
    """Return the motion transform to a frame at r [m] with parallel axes, as `xlt` does; for planar
    models, too.

    Examples
    --------
    >>> shift(np.array([1.0, 2.0]))
    array([[ 1.,  0.,  0.],
           [-2.,  1.,  0.],
           [ 1.,  0.,  1.]])
    """
    return transform_from(constant(np.eye(r.shape[-1]), r), r)
