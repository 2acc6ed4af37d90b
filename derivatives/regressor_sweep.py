"""Motions of bodies and their derivatives in body coordinates, for derivatives of regressors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.dynamics import get_gravity
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.regressors.body_columns import body_columns
from spatial_v2.regressors.moving import parted, unit_rows
from spatial_v2.spatial import crm, motion_cross_matrix

__all__ = ["Motion", "columns_of", "product_rule", "rates_of", "split", "sweep"]


class Motion(NamedTuple):
    """Motion of a link or rotor and the derivatives of the motion, in body coordinates.

    Vectors are columns (..., 6, 1), derivatives are matrices (..., 6, NV). For planar bodies 3
    replaces 6. qd_r is the reference velocity of `ID_SlotineLi`.
    """

    X: Array
    """Transform from the base."""
    J: Array
    """Jacobian: the derivative of the velocity v with respect to qd, and of w with respect to qd_r.
    """
    Jd: Array
    """Time derivative of J, with columns ``v_j x S_j``; also the derivative of the acceleration a
    with respect to qd_r.
    """
    v: Array
    w: Array
    """Velocity of the body if the joint velocities were qd_r."""
    a: Array
    """Acceleration as in `ID_SlotineLi`, gravity included."""
    dJ: Array
    """Entry [k, :, l] is the derivative of column k of the Jacobian J along q_l, shape (..., NV, 6,
    NV).
    """
    dJd: Array
    """Entry [k, :, l] is the derivative of column k of Jd along q_l, shape (..., NV, 6, NV)."""
    dJd_dqd: Array
    dv: Array
    """Derivative of the velocity v along q."""
    dw: Array
    da: Array
    da_dqd: Array


def sweep(model: Model, q: Array, qd: Array, qd_r: Array, qdd: Array) -> list[Motion]:
    """Compute the motions of all links, then of all rotors, with their derivatives.

    The derivative of a motion vector m that a body inherits from its parent, along a velocity
    variable of its own joint, is ``m x S``; all other derivatives follow from differentiating the
    recursion of `ID_SlotineLi`.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> zero = np.zeros(2)
    >>> sweep(autoTree(2), zero, zero, zero, zero)[1].dJ.shape
    (2, 6, 2)
    """
    T = namespace(q, qd, qd_r, qdd).matrix_transpose
    e = unit_rows(model, q)
    g = column(constant(-get_gravity(model), q))
    none = 0 * g @ e[0][:1, :]
    cube = 0 * motion_cross_matrix(T(none)) @ none[..., None, :, :]
    rest = Motion(g, none, none, 0 * g, 0 * g, g, cube, cube, cube, none, none, none, none)
    motions: dict[int, Motion] = {-1: rest}

    for i, (j, p, jtype, Xtree, _, gear) in enumerate(moved_bodies(model)[0]):
        XJ, Si = jcalc(jtype, gear * q[..., model.qinds[j]])
        S, Xup = constant(gear * Si, q), XJ @ constant(Xtree, q)
        vJ, wJ, aJ = (S @ column(x[..., model.vinds[j]]) for x in (qd, qd_r, qdd))
        X = Xup @ motions[p].X if p >= 0 else Xup
        J, Jd, v, w, a = (Xup @ x for x in motions[p][1:6])
        dJ, dJd, dJd_dqd = (Xup[..., None, :, :] @ x for x in motions[p][6:9])
        dv, dw, da, da_dqd = (Xup @ x for x in motions[p][9:])
        S = S @ e[j]
        one = S[..., None, :, :]

        dJ, dJd = dJ + motion_cross_matrix(T(J)) @ one, dJd + motion_cross_matrix(T(Jd)) @ one
        J, dv, dw, da = J + S, dv + crm(v) @ S, dw + crm(w) @ S, da + crm(a) @ S
        v, w = v + vJ, w + wJ
        a, Jd = a + aJ + crm(v) @ wJ, Jd + crm(v) @ S
        turned = motion_cross_matrix(T(S))
        dJd, dJd_dqd = dJd - turned @ dv[..., None, :, :], dJd_dqd - turned @ J[..., None, :, :]
        da, da_dqd = da - crm(wJ) @ dv, da_dqd - crm(wJ) @ J
        motions[i] = Motion(X, J, Jd, v, w, a, dJ, dJd, dJd_dqd, dv, dw, da, da_dqd)

    del motions[-1]
    return list(motions.values())


def columns_of(a: Array, v: Array | None = None, w: Array | None = None) -> Array:
    """Apply `body_columns` to an acceleration a and velocities v, w, columns (..., 6, 1): result
    (..., 6, 10).

    Omitted velocities are zero.

    Examples
    --------
    >>> import numpy as np
    >>> columns_of(np.ones((6, 1))).shape
    (6, 10)
    """
    v, w = 0 * a if v is None else v, 0 * a if w is None else w
    return body_columns(*map(uncolumn, (a, v, w)))


def rates_of(a: Array, v: Array | None = None, w: Array | None = None) -> Array:
    """Apply `body_columns` to each column of the matrices a, v, w (..., 6, n): result
    (..., n, 6, 10).

    Examples
    --------
    >>> import numpy as np
    >>> rates_of(np.ones((6, 4)), np.ones((6, 1))).shape
    (4, 6, 10)
    """
    T = namespace(a).matrix_transpose
    v, w = 0 * a if v is None else v, 0 * a if w is None else w
    return body_columns(*map(T, (a, v, w)))


def product_rule(J: Array, Y: Array, dY: Array, dJ: Array | None = None) -> Array:
    """Compute the derivative (..., NV, 10, NV) of ``J^T Y``, given the derivatives dJ (..., NV, 6,
    NV) and dY (..., NV, 6, 10).

    Examples
    --------
    >>> import numpy as np
    >>> product_rule(np.ones((6, 2)), np.ones((6, 10)), np.ones((2, 6, 10))).shape
    (2, 10, 2)
    """
    xp = namespace(J, Y, dY)
    T = xp.matrix_transpose
    rate = xp.moveaxis(T(J)[..., None, :, :] @ dY, -3, -1)
    return rate if dJ is None else rate + T(Y)[..., None, :, :] @ dJ


def split(model: Model, *kinds: Sequence[Array]) -> list[Array]:
    """For each argument, join the blocks (..., 10, NV) of all links to one array, and those of all
    rotors to another.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> [x.shape for x in split(autoTree(2), 2 * [np.ones((10, 2))])]
    [(20, 2), (0, 2)]
    """
    pairs = [parted(model, blocks, axis=-2) for blocks in kinds]
    return [links for links, _ in pairs] + [rotors for _, rotors in pairs]
