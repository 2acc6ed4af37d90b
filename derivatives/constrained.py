"""Where constrained dynamics are differentiated: the state, its forces, rows and KKT matrix."""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.arrays import Array, namespace
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.rows import Rows
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model

__all__ = [
    "Constrained",
    "across_tensor",
    "along_columns",
    "at_solution",
    "rows_times",
    "rows_weighted",
    "times_tensor",
]


class Constrained(NamedTuple):
    """A state at its solution."""

    rows: Rows
    """The rows at the acceleration qdd."""
    kkt: KKT
    """The KKT matrix."""
    G_q_lambda: Array
    """Derivatives [k, l] of ``(G^T lambda)_k`` along q_l at constant lambda."""


def at_solution(
    model: Model, q: Array, qd: Array, qdd: Array, lambda_: Array, constraints: Constraints,
    damping: float, rank: Any = "raise",
) -> Constrained:  # fmt: skip
    """The state q, qd with its acceleration and the forces of its constraints.

    Of dependent rows the matrix is that of the shortest lambda, also where iteration found it.
    """
    rank = "minimum_norm" if rank == "proximal" else rank
    rows = constraint_set(model, constraints).rows(model, q, qd, qdd)
    kkt = KKT(CRBA(model, q), rows.G, damping, rank, rows.m)
    return Constrained(rows, kkt, rows_weighted(rows.G_q, lambda_))


def rows_weighted(tensor: Array, weight: Array) -> Array:
    """``sum_c weight[c] tensor[c, k, l]``."""
    return namespace(tensor, weight).sum(tensor * weight[..., :, None, None], axis=-3)


def rows_times(tensor: Array, x: Array) -> Array:
    """``sum_k tensor[c, k, l] x[k]``."""
    return namespace(tensor, x).sum(tensor * x[..., None, :, None], axis=-2)


def times_tensor(tensor: Array, X: Array) -> Array:
    """``sum_l tensor[i, l, k] X[l, j]`` as [i, j, k]."""
    return namespace(X).matrix_transpose(X)[..., None, :, :] @ tensor


def across_tensor(tensor: Array, X: Array) -> Array:
    """``sum_c tensor[c, i, k] X[c, j]`` as [i, j, k]."""
    xp = namespace(tensor, X)
    return times_tensor(xp.moveaxis(tensor, -3, -2), X)


def along_columns(kkt: KKT, top: Array, bottom: Array) -> tuple[Array, Array]:
    """`KKT.solve` of right-hand sides (..., NV, j, k) and (..., m, j, k)."""
    xp, (j, k) = namespace(top, bottom), top.shape[-2:]
    x, y = kkt.solve(*(xp.reshape(b, (*b.shape[:-2], j * k)) for b in (top, bottom)))
    return tuple(xp.reshape(a, (*a.shape[:-1], j, k)) for a in (x, y))
