"""Helpers for derivatives: masks of the tree and matrices for each velocity variable."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace
from spatial_v2.dynamics.robot_frame import GroundFrame
from spatial_v2.model import Model
from spatial_v2.model.subtrees import each, reach
from spatial_v2.spatial import crf, crm, icrf

__all__ = [
    "SecondOrder",
    "ancestry",
    "constant_force",
    "each",
    "per_velocity",
    "put",
    "second_order_matrices",
]


def per_velocity(model: Model, *xs: Array) -> list[Array]:
    """Repeat matrices (..., NB, m, n) of bodies for each velocity variable: (..., NV, m, n).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> per_velocity(autoTree(2).replace(jtype=["Fb", "R"]), np.zeros((2, 6, 1)))[0].shape
    (7, 6, 1)
    """
    body = model.body_of_v.tolist()
    return [namespace(x).stack([x[..., i, :, :] for i in body], axis=-3) for x in xs]


def ancestry(model: Model, like: Array) -> tuple[Array, Array]:
    """Return two masks (NV, NV) that relate the bodies of velocity variables i and j.

    Returns
    -------
    below : array
        1 if the body of j is the body of i or an ancestor of it, else 0.
    above : array
        1 if the body of i is a proper ancestor of the body of j, else 0.
    """
    pairs, reached = np.ix_(model.body_of_v, model.body_of_v), reach(model)
    below = reached[pairs]
    above = (reached - np.eye(model.NB))[pairs].T
    return constant(below, like), constant(np.ascontiguousarray(above), like)


def put(x: Array, where: Array, *orders: str) -> Array:
    """Multiply the tensor x[p, t, r] by the mask `where`, and sum copies with permuted axes, one
    for each of the `orders`.

    Examples
    --------
    >>> x = np.arange(8.0).reshape(2, 2, 2)
    >>> put(x, np.ones((2, 2, 2)), "trp")[1, 0, 0] == x[0, 1, 0]
    np.True_
    """
    xp, n = namespace(x), x.ndim - 3
    x = x * where
    axes = [(*range(n), *(n + "ptr".index(c) for c in order)) for order in orders]
    return sum((xp.permute_dims(x, ax) for ax in axes[1:]), xp.permute_dims(x, axes[0]))


class SecondOrder(NamedTuple):
    """Matrices (..., NV, 6, 6) of Algorithm 1, lines 15-24, one for each velocity variable p."""

    A0: Array
    """``icrf(IC s_p)``"""
    A1: Array
    """``crf(s_p) IC - IC crm(s_p)``"""
    Bs: Array
    """``A0 + A1``: twice the body Coriolis matrix of inertia IC and velocity s_p."""
    A2: Array
    """``A0 - A1``"""
    A3: Array
    """Twice the body Coriolis matrix of IC and psid_p, plus ``2 (crf(s_p) BC - BC crm(s_p))``."""
    A4: Array
    """``icrf(2 BC^T s_p)``"""
    A5: Array
    """``icrf(2 BC psid_p + IC psidd_p + crf(s_p) fC)``"""
    A6: Array
    """``crf(s_p) IC + A0``"""
    A7: Array
    """``icrf(2 BC s_p + IC (psid_p + sd_p))``"""


def second_order_matrices(model: Model, g: GroundFrame) -> SecondOrder:
    """Compute the matrices of Algorithm 1 that second derivatives of inverse dynamics are made
    from.

    Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body Dynamics" (2023),
    Algorithm 1. Its BC is twice the composite body Coriolis matrix `g.BC`.
    """
    T = namespace(g.S, g.v, g.a).matrix_transpose
    IC, BC, fC = per_velocity(model, g.IC, 2 * g.BC, column(g.fC))
    s, ds, dds, rate = (column(T(x)) for x in (g.S, g.psid, g.psidd, g.psid + g.Sd))
    A0, A1 = icrf(IC @ s), crf(s) @ IC - IC @ crm(s)
    lie_B = crf(s) @ BC - BC @ crm(s)
    return SecondOrder(
        A0=A0,
        A1=A1,
        Bs=A0 + A1,
        A2=A0 - A1,
        A3=crf(ds) @ IC - IC @ crm(ds) + icrf(IC @ ds) + lie_B,
        A4=icrf(T(BC) @ s),
        A5=icrf(BC @ ds + IC @ dds + crf(s) @ fC),
        A6=crf(s) @ IC + A0,
        A7=icrf(BC @ s + IC @ rate),
    )


def constant_force(model: Model, g: GroundFrame, eC: Array) -> Array:
    """Compute matrices ``-icrf(eC) crm(s_p)`` for second derivatives with external forces eC.

    There is one for each velocity variable p, shape (..., NV, 6, 6). Times s_t it gives
    ``(s_t x s_p) x* eC``. eC are the external forces that are constant in base coordinates.
    """
    (e,) = per_velocity(model, column(eC))
    return -icrf(e) @ crm(column(namespace(g.S).matrix_transpose(g.S)))
