"""Helpers for derivatives of the motions of bodies and the forces on them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.model import Model
from spatial_v2.model.subtrees import reach
from spatial_v2.spatial import icrf

__all__ = ["ForceRates", "carried", "force_rates", "force_to_body"]


class ForceRates(NamedTuple):
    """Derivatives of the force ``I a + v x* I v`` on a body along a joint that carries it."""

    dq: Array
    dv: Array
    da: Array


def carried(model: Model, like: Array) -> tuple[Array, Array]:
    """Return two masks (NB, 1, NV) that relate body i to the body of velocity variable j.

    Returns
    -------
    up : array
        1 if the body of j is body i or an ancestor of it (j carries i), else 0.
    down : array
        1 if body i is a proper ancestor of the body of j (i carries j), else 0.
    """
    reached, body = reach(model), model.body_of_v
    up = reached[:, body][:, None, :]
    down = np.ascontiguousarray((reached - np.eye(model.NB)).T[:, body])[:, None, :]
    return constant(up, like), constant(down, like)


def force_rates(
    I: Array, B: Array, f: Array, S: Array, psid: Array, psidd: Array, rate: Array
) -> ForceRates:
    """Compute derivatives of the force f on a body with inertia I, in the notation of
    `GroundFrame`.

    They are ``I psidd + B psid + f xbar* S`` along q, ``I (psid + Sd) + B S`` with respect to qd,
    where ``rate = psid + Sd``, and ``I S`` with respect to qdd. B is twice the body Coriolis
    matrix. Matrices (..., 6, 6) and columns (..., 6, n) broadcast; forces f are (..., 6, 1).
    """
    return ForceRates(I @ psidd + B @ psid + icrf(f) @ S, I @ rate + B @ S, I @ S)


def force_to_body(X0: Array) -> Array:
    """Return force transforms from base to body coordinates, given motion transforms X0."""
    return namespace(X0).matrix_transpose(motion_inverse(X0))
