"""Derivatives of extended inverse dynamics of a tree on a moving base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Unpack

import numpy as np

from derivatives.ID_derivatives import ID_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.CRBA import CRBA
from spatial_v2.dynamics.EIDAmb import Table4, table_4
from spatial_v2.dynamics.moving_base import (
    Velocity,
    at_states,
    base_motion,
    check_moving_base,
)
from spatial_v2.model import Model
from spatial_v2.spatial import crf, crm, icrf

__all__ = ["EIDAmbDerivatives", "EIDAmb_derivatives"]


@shown_in_notebooks
class EIDAmbDerivatives(NamedTuple):
    """First derivatives of the result of `EIDAmb`: base wrench, then joint forces."""

    D1: Array
    """Derivatives with respect to the pose of the base, along twists in base coordinates, shape
    (..., NV, 6).
    """
    D2: Array
    """Derivatives with respect to the joint positions s, shape (..., NV, NV - 6)."""
    D3: Array
    """Derivatives with respect to the base velocity in its chart, shape (..., NV, 6)."""
    D4: Array
    """Derivatives with respect to the joint velocities r, shape (..., NV, NV - 6)."""


def by_ID_derivatives(
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    batched: bool,
    velocity: Velocity = "inertial",
) -> None:
    """Compute `EIDAmb_derivatives` from the results of the kernel of `ID_derivatives`, and write
    them into `results`.
    """
    q, qd, qdd = arrays
    base = base_motion(model, q, qd, qdd, velocity)
    body = (np.concatenate([x, y[:, 6:]], -1) for x, y in ((base.v, qd), (base.a, qdd)))
    by_q, by_qd = at_states(ID_derivatives, model, (q, *body), batched)
    D1 = by_q[..., :6] + by_qd[..., :6] @ base.v_H
    D3 = by_qd[..., :6] @ base.v_v
    if base.a_H is not None:
        H = at_states(CRBA, model, (q,), batched)[0][..., :6]
        D1, D3 = D1 + H @ base.a_H, D3 + H @ base.a_v
    for result, D in zip(results, (D1, by_q[..., 6:], D3, by_qd[..., 6:]), strict=True):
        result[...] = D


@accelerated(
    None,
    "(q),(v),(v)->(v,6),(v,j),(v,6),(v,j)",
    composed=by_ID_derivatives,
    uses=("ID_derivatives", "CRBA"),
    accepts=check_moving_base,
)
def EIDAmb_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    *,
    velocity: Velocity = "inertial",
    **options: Unpack[Options],
) -> EIDAmbDerivatives:
    """Compute derivatives of `EIDAmb` with respect to base pose, joint positions and velocities.

    Parameters
    ----------
    model : Model
        A tree on a moving base, as for `EIDAmb`.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        State and acceleration, as for `EIDAmb`.
    velocity : {"inertial", "body", "mixed"}, optional
        Chart of the base velocity. D1 is the derivative at constant velocity in this chart, and D3
        the derivative with respect to it.

    Returns
    -------
    D1, D2, D3, D4 : array, shapes (..., NV, 6), (..., NV, NV - 6), (..., NV, 6), (..., NV, NV - 6)
        Named tuple. Column k of D1 is the derivative along the base motion ``H exp(t e_k)``, with H
        the pose of the base and e_k a unit twist in base-body coordinates; `qd` and `qdd` stay
        constant in the chart in which they are given.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A model without a moving base.
    SpatialError
        An unknown `velocity`.

    Notes
    -----
    Bos, Traversaro, Pucci, Saccon, "Efficient geometric linearization of moving-base rigid robot
    dynamics" (2022), Tables 5 to 8. With v the body twist of the base, and `ID_derivatives`,

    ``D1 = dtau_dq[:, :6] + dtau_dqd[:, :6] crm(v)`` and ``D3 = dtau_dqd[:, :6] X`` for "inertial",
    ``D1 = dtau_dq[:, :6]`` and ``D3 = dtau_dqd[:, :6]`` for "body",

    with X the transform from the fixed base to body 0. In every chart, D2 and D4 are the other
    columns of dtau_dq and dtau_dqd. The compiled version is composed in this way; the reference
    implementation follows the tables. Tables 5 and 7 differ only in how they begin. As printed they
    belong to two charts: Table 5 holds the inertial twist fixed, Table 7 begins with the identity
    and so is the derivative with respect to the body twist. Table 6, line 47, multiplies the
    derivative of F_i by all joint accelerations, where it must be that of joint i.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["Fb", "Rz"])
    >>> q = [1, 0, 0, 0, 0, 0, 0, 0.5]
    >>> D1, D2, D3, D4 = EIDAmb_derivatives(model, q, np.ones(7), np.zeros(7))
    >>> D1[0].round(3)
    array([-0.224, -0.203,  0.427,  0.24 ,  0.24 , -0.479])
    """
    base = base_motion(model, q, qd, qdd, velocity)
    t = table_4(model, q, base.v, base.a, qd[..., 6:], qdd[..., 6:])
    turned, moved = crm(t.ar[0]), 0 * base.v_H
    if base.a_H is not None:
        turned, moved = turned + base.a_H, moved + base.a_v
    joints = constant(np.zeros((6, model.NV - 6)), q)
    own = _own_columns(model, q)
    return EIDAmbDerivatives(
        D1=by_velocity(model, t, base.v_H, turned, dict.fromkeys(own, 0)),
        D2=table_6(model, t, qdd[..., 6:], own),
        D3=by_velocity(model, t, base.v_v, moved, dict.fromkeys(own, 0)),
        D4=by_velocity(model, t, joints, joints, {i: t.S[i] @ own[i] for i in own}),
    )


def _own_columns(model: Model, like: Array) -> dict[int, Array]:
    """Return for each joint the matrix that selects its entries of the joint velocities."""
    one = np.eye(model.NV)[:, 6:]
    return {i: constant(one[model.vinds[i]], like) for i in range(1, model.NB)}


def by_velocity(
    model: Model, t: Table4, dv0: Array, da0: Array, dvJ: dict[int, Array | int]
) -> Array:
    """Evaluate Tables 5, 7 and 8: derivatives of the results, given those of the base velocity
    (dv0), of the base acceleration (da0) and of the velocity across each joint (dvJ).
    """
    T, links = namespace(t.tau).matrix_transpose, list(enumerate(model.parent.tolist()))[1:]
    M = [constant(I, t.tau) for I in model.I]
    dv, da, db = {0: dv0}, {0: da0}, {}
    for i, p in links:
        dv[i] = t.Xup[i] @ dv[p] + dvJ[i]
        da[i] = t.Xup[i] @ da[p] - crm(t.vJ[i]) @ dv[i]
        if not isinstance(dvJ[i], int):
            da[i] = da[i] + crm(t.v[i]) @ dvJ[i]
    for i in range(model.NB):
        db[i] = M[i] @ da[i] + icrf(t.m[i]) @ dv[i] + crf(t.v[i]) @ M[i] @ dv[i]
    for i, p in reversed(links):
        db[p] = db[p] + T(t.Xup[i]) @ db[i]
    rows = [db[0], *(T(t.S[i]) @ db[i] for i, _ in links)]
    return _stacked(rows)


def table_6(model: Model, t: Table4, rd: Array, own: dict[int, Array]) -> Array:
    """Evaluate Table 6: derivatives with respect to the joint positions s."""
    xp = namespace(t.tau)
    T, links = xp.matrix_transpose, list(enumerate(model.parent.tolist()))[1:]
    M = [constant(I, t.tau) for I in model.I]
    n = model.NV - 6
    dv, dar, davp, da, db, dbvp = ({0: constant(np.zeros((6, n)), t.tau)} for _ in range(6))
    dMc = {i: constant(np.zeros((n, 6, 6)), t.tau) for i in range(model.NB)}

    def turned(i: int, x: Array) -> Array:
        """Return the derivative of ``Xup[i] x`` with respect to the joint positions s, for a
        constant vector x.
        """
        return crm(t.Xup[i] @ x) @ t.S[i] @ own[i]

    def turned_back(i: int, f: Array) -> Array:
        """Return the derivative of ``Xup[i]^T f`` with respect to the joint positions s, for a
        constant force f.
        """
        return T(t.Xup[i]) @ icrf(f) @ t.S[i] @ own[i]

    def times(dA: Array, x: Array) -> Array:
        """Return the matrix with columns ``dA[k] x``, for derivatives dA[k] of a matrix."""
        return T(uncolumn(dA @ x[..., None, :, :]))

    for i, p in links:
        dv[i] = t.Xup[i] @ dv[p] + turned(i, t.v[p])
        bend = -crm(t.vJ[i]) @ dv[i]
        dar[i] = t.Xup[i] @ dar[p] + bend + turned(i, t.ar[p])
        davp[i] = t.Xup[i] @ davp[p] + bend + turned(i, t.avp[p])
        da[i] = t.Xup[i] @ da[p] + turned(i, t.a0[p])
        push = icrf(t.m[i]) @ dv[i] + crf(t.v[i]) @ M[i] @ dv[i]
        db[i], dbvp[i] = M[i] @ dar[i] + push, M[i] @ davp[i] + push

    for i, p in reversed(links):
        X, s = t.Xup[i][..., None, :, :], column(T(t.S[i] @ own[i]))
        Mc = t.Mc[i][..., None, :, :]
        dMc[p] = dMc[p] + T(X) @ (dMc[i] + crf(s) @ Mc - Mc @ crm(s)) @ X
        db[p] = db[p] + T(t.Xup[i]) @ db[i] + turned_back(i, t.bc[i])
        dbvp[p] = dbvp[p] + T(t.Xup[i]) @ dbvp[i] + turned_back(i, t.bvp[i])

    rows = [times(dMc[0], t.a0[0]) + dbvp[0]]
    for i, _ in links:
        rows.append(T(t.S[i]) @ (times(dMc[i], t.a0[i]) + t.Mc[i] @ da[i] + db[i]))
        vi = slice(model.vinds[i].start - 6, model.vinds[i].stop - 6)
        unit, j = t.S[i] @ column(rd[..., vi]), i
        F, dF = t.Mc[i] @ unit, times(dMc[i], unit)
        while j > 0:
            dF = T(t.Xup[j]) @ dF + turned_back(j, F)
            F, j = T(t.Xup[j]) @ F, int(model.parent[j])
        rows[0] = rows[0] + dF
    return _stacked(rows)


def _stacked(rows: list[Array]) -> Array:
    """Stack blocks of rows after broadcasting their leading axes."""
    xp = namespace(*rows)
    lead = np.broadcast_shapes(*(tuple(x.shape[:-2]) for x in rows))
    return xp.concat([xp.broadcast_to(x, (*lead, *x.shape[-2:])) for x in rows], axis=-2)
