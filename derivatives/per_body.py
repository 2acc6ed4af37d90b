"""Shared by derivatives of bodies' motions and forces: arrays (..., NB, 6, NV)."""

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
    """Derivatives of a force ``I a + v x* I v`` by a variable of a joint at or above the body."""

    dq: Array
    dv: Array
    da: Array


def carried(model: Model, like: Array) -> tuple[Array, Array]:
    """Two masks (NB, 1, NV) of zeros and ones, about body i and the body of velocity variable j.

    Returns
    -------
    up : array
        1 where the body of j is body i or an ancestor of it: j carries i.
    down : array
        1 where body i is an ancestor of the body of j, not the same: i carries j.
    """
    reached, body = reach(model), model.body_of_v
    up = reached[:, body][:, None, :]
    down = np.ascontiguousarray((reached - np.eye(model.NB)).T[:, body])[:, None, :]
    return constant(up, like), constant(down, like)


def force_rates(
    I: Array, B: Array, f: Array, S: Array, psid: Array, psidd: Array, rate: Array
) -> ForceRates:
    """``I psidd + B psid + f xbar* S``, ``I (psid + Sd) + B S`` and ``I S``, B being doubled.

    Matrices (..., 6, 6) and columns (..., 6, n) that broadcast, forces f (..., 6, 1).
    """
    return ForceRates(I @ psidd + B @ psid + icrf(f) @ S, I @ rate + B @ S, I @ S)


def force_to_body(X0: Array) -> Array:
    """Force transforms from base to body coordinates."""
    return namespace(X0).matrix_transpose(motion_inverse(X0))
