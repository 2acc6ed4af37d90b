"""Constraint rows and KKT matrix at a solution, for derivatives of constrained dynamics."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array, namespace, real_part
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.coupled_rows import distances_of
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.rows import Rows
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics import CRBA
from spatial_v2.exceptions import RankWarning
from spatial_v2.model import Model
from spatial_v2.model.scale import own_length

__all__ = [
    "Constrained",
    "across_tensor",
    "along_columns",
    "at_solution",
    "rank_constant",
    "times_tensor",
]


_RATE = 1e-7
"""Relative size above which a change of a dependent row of the Jacobian is not a rounding error; a
radian counts as the robot's own length.
"""
_PRESENT = 1e-6
"""Size, relative to what its bodies allow, below which a row is not compared with its own length:
that of a row that vanishes is a rounding error.
"""


class Constrained(NamedTuple):
    """Constraint rows and KKT matrix of a state, at its acceleration and constraint forces."""

    rows: Rows
    """The constraint rows, evaluated at the acceleration qdd."""
    kkt: KKT
    """The KKT matrix."""
    G_q_lambda: Array
    """Derivatives [k, l] of ``(G^T lambda)_k`` along q_l at constant lambda, with G the constraint
    Jacobian.
    """


def at_solution(
    model: Model, q: Array, qd: Array, qdd: Array, lambda_: Array, constraints: Constraints,
    damping: float, baumgarte: Any = None, rank: Any = "raise",
) -> Constrained:  # fmt: skip
    """Evaluate constraint rows and KKT matrix at a state with its acceleration and multipliers
    lambda.

    For dependent constraint rows, use the KKT matrix of the minimum-norm lambda, also if the
    proximal iteration computed lambda. No warnings are given, since `KKT_FD` has given them.
    """
    rank = "minimum_norm" if rank == "proximal" else rank
    rows = constraint_set(model, constraints).rows(model, q, qd, qdd, baumgarte)
    G_q_lambda = rows.pushed(lambda_)
    return Constrained(rows, rows.kkt(CRBA(model, q), damping, rank, quiet=True), G_q_lambda)


def rank_constant(
    model: Model, kkt: KKT, G: Array, sizes: np.ndarray | None, G_q: Array, U: Array, P: Array,
    L: Array,
) -> tuple[Array, Array]:  # fmt: skip
    """Replace derivatives along q by NaN for states at which the rank of the constraint Jacobian
    changes.

    The rank changes if a dependent row of the Jacobian forbids, after a small motion along q, some
    of the motions U that were possible. P and L are the derivatives of accelerations and
    multipliers, `sizes` the squared lengths of the rows relative to upper bounds.
    """
    far, G_q, U = distances_of(model), real_part(G_q), real_part(U)
    moved = times_tensor(G_q, U)
    left_out = np.reshape(kkt.missed(np.reshape(moved, (*G_q.shape[:-2], -1))), moved.shape)
    # All variables count as distances, and rows relative to their own size.
    change = np.abs(G_q) / far[:, None] / far
    row = np.linalg.norm(np.real(G) / far, axis=-1)
    share = np.ones_like(row) if sizes is None else np.sqrt(np.where(sizes > 0, sizes, 1.0))
    row = np.maximum(row, row * _PRESENT / share)
    row = np.maximum(row, own_length(free_tree(model)) * change.max(axis=(-2, -1)))
    row = np.where(row > 0, row, 1.0)[..., None, None]
    size = (change / row).max(axis=(-3, -2, -1)) * np.abs(far[:, None] * U * far).max(axis=(-2, -1))
    part = (np.abs(left_out) * far[:, None] / far / row).max(axis=(-3, -2, -1))
    changes = (part > _RATE * size)[..., None, None]
    if changes.any():
        text = (
            "KKT_FO_derivatives: the rank of the constraints changes with the configuration in "
            "some states. The derivatives along q do not exist there and are set to NaN; "
            "use damping > 0"
        )
        warnings.warn(text, RankWarning, stacklevel=2)
    return np.where(changes, np.nan, P), np.where(changes, np.nan, L)


def times_tensor(tensor: Array, X: Array) -> Array:
    """Return the product over the middle index: entry [i, j, k] is
    ``sum_l tensor[i, l, k] X[l, j]``.
    """
    return namespace(X).matrix_transpose(X)[..., None, :, :] @ tensor


def across_tensor(tensor: Array, X: Array) -> Array:
    """Return the product over the first index: entry [i, j, k] is
    ``sum_c tensor[c, i, k] X[c, j]``.
    """
    xp = namespace(tensor, X)
    return times_tensor(xp.moveaxis(tensor, -3, -2), X)


def along_columns(kkt: KKT, top: Array, bottom: Array) -> tuple[Array, Array]:
    """Solve the KKT system for right-hand sides (..., NV, j, k) and (..., m, j, k)."""
    xp, (j, k) = namespace(top, bottom), top.shape[-2:]
    x, y = kkt.solve(*(xp.reshape(b, (*b.shape[:-2], j * k)) for b in (top, bottom)))
    return tuple(xp.reshape(a, (*a.shape[:-1], j, k)) for a in (x, y))
