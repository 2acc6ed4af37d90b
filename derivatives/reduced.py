"""Linearised dynamics reduced to the motions that the constraints allow."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.coupled_rows import distances_of
from spatial_v2.constraints.rank import independent, unit_rows
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model
from spatial_v2.model.scale import own_length

__all__ = ["ReducedLinearization", "reduced"]

_KEPT = 1e-6
"""Relative tolerance for the constraint velocity ``G qd`` of a motion that satisfies the
constraints.
"""
_SLOW = 1e-3
"""Speed, in the robot's own length times the fastest rate of the linearised system, below which a
robot counts as nearly at rest: `_KEPT` is then relative to this speed.
"""


@shown_in_notebooks
class ReducedLinearization(NamedTuple):
    """System ``dz/dt = A z + B du`` for deviations ``basis @ z`` that satisfy the constraints.

    The deviations are those of the state (dq, dqd); they satisfy the linearised constraints.
    """

    A: np.ndarray
    """Matrix that multiplies z, shape (..., 2 r, 2 r), with r the number of degrees of freedom
    under the constraints.
    """
    B: np.ndarray
    """Matrix that multiplies the deviation du of the input, shape (..., 2 r, number of inputs)."""
    basis: np.ndarray
    """Matrix ``[N, 0; D, N]``, shape (..., 2 NV, 2 r). The columns of N are an orthonormal basis of
    the null space of the constraint Jacobian; ``N^T D = 0``, and D is zero at rest. Hence
    ``z = [N^T dq; N^T dqd]``.
    """


def reduced(
    model: Model, q: Any, qd: Any, constraints: ConstraintSet, A: Any, B: Any, dependent: bool
) -> ReducedLinearization:
    """Reduce the matrices A and B of `linearize` to errors that satisfy the constraints.

    With G the constraint Jacobian and ``w = G qd``, these errors obey ``G dq = 0`` and
    ``w_q dq + G dqd = 0``. Along a motion, the basis W changes by ``N' = -G^+ G' N``, which has no
    component along N. The reduced matrix A_z obeys ``A W - W' = W A_z``; the only component of W'
    along z is ``N^T D' = -N^T G'^T G^+T G^+ w_q N``.

    Parameters
    ----------
    model : Model
        The model.
    q, qd : array
        The state, already checked.
    constraints : ConstraintSet
        The constraints.
    A, B : array
        The matrices of `Linearization`, for all errors.
    dependent : bool
        True if rows may be dependent.
    """
    q, qd, A, B = (as_real(x, name) for x, name in ((q, "q"), (qd, "qd"), (A, "A"), (B, "B")))
    n = model.NV
    rows = constraints.rows(model, q, qd, 0 * qd)
    G, G_q = np.asarray(rows.G), np.asarray(rows.G_q)
    _check_kept(G, qd, _slow_speeds(model, A))
    finite, T = np.isfinite(G).all(axis=(-2, -1)), np.matrix_transpose
    rate, w_q = (G_q @ qd[..., None, :, None])[..., 0], np.asarray(rows.w_q)
    if dependent:
        chosen = _independent_rows(rows, G, finite)
        G, rate, w_q = (np.take_along_axis(x, chosen[..., None], axis=-2) for x in (G, rate, w_q))
    G = np.where(finite[..., None, None], G, 0.0)
    N = np.where(finite[..., None, None], _null_space(G), np.nan)
    inverse = np.linalg.pinv(G)
    of = np.repeat(np.arange(len(constraints)), [x.m for x in constraints.relations])
    of = of[chosen] if dependent else np.broadcast_to(of, (*G.shape[:-2], len(of)))
    _check_lasting(rate, w_q, G @ A[..., :n, :n], N, of)
    D = -inverse @ w_q @ N
    basis = np.block([[N, 0 * N], [D, N]])
    projection = np.block([[T(N), 0 * T(N)], [0 * T(N), T(N)]])
    small = projection @ A @ basis
    r = N.shape[-1]
    small[..., r:, :r] -= T(rate @ N) @ T(inverse) @ D
    lead = A.shape[:-2]
    wide = np.broadcast_to(basis, (*lead, 2 * n, 2 * r)).copy()
    return ReducedLinearization(small, projection @ B, wide)


def _slow_speeds(model: Model, A: np.ndarray) -> np.ndarray:
    """Return for each velocity variable the speed (..., NV) of a robot that is nearly at rest."""
    finite = np.isfinite(A).all(axis=(-2, -1), keepdims=True)
    rate = np.abs(np.linalg.eigvals(np.where(finite, A, 0.0))).max(axis=-1, initial=0.0)
    return np.asarray(_SLOW * rate[..., None] * own_length(model) / distances_of(model))


def _check_kept(G: np.ndarray, qd: np.ndarray, slow: np.ndarray) -> None:
    """Raise an error if the velocities violate the constraints."""
    speeds = np.maximum(np.abs(qd), slow)
    w, size = (np.abs((X @ x[..., None])[..., 0]) for X, x in ((G, qd), (np.abs(G), speeds)))
    bad = w > _KEPT * size.max(axis=-1, initial=0.0)[..., None]
    if bad.any():
        raise SpatialError(
            f"qd: violates the constraints by {w[bad].max():.3g} in row "
            f"{np.argwhere(bad)[0, -1]}; reduce=True wants a velocity that satisfies them, as "
            "project_velocity(model, q, qd, constraints) returns"
        )


def _check_lasting(
    rate: np.ndarray, w_q: np.ndarray, turn: np.ndarray, N: np.ndarray, of: np.ndarray
) -> None:
    """Raise an error if errors dq do not keep ``G dq = 0`` along the motion.

    For dq in the null space, with basis N, its rate of change is ``(dG/dt - w_q - G ad(qd)) dq``.
    It vanishes for rows that are derivatives of a position error; not for rolling or a blade, whose
    rows forbid velocities but no configuration.

    Parameters
    ----------
    rate, w_q, turn : array, shapes (..., m, NV)
        The matrices dG/dt, w_q and -G ad(qd).
    N : array, shape (..., NV, r)
        The basis.
    of : array of int, shape (..., m)
        The constraint of each row.
    """
    change = np.abs((rate - w_q + turn) @ N)
    size = sum((np.abs(x) @ np.abs(N) for x in (rate, w_q, turn)), 0 * change)
    bad = (change > _KEPT * size.max(axis=(-2, -1), initial=0.0)[..., None, None]).any(axis=-1)
    if bad.any():
        raise SpatialError(
            f"constraints[{of[bad].flat[0]}]: its rows cannot be integrated: they forbid "
            "velocities, but a neighbour that obeys them reaches every configuration, as a blade "
            "or a rolling wheel does. reduce=True wants rows that hold the configuration, such as "
            "all six of a frame or the three of a point; or linearise at rest, qd = 0, or without "
            "reduce=True"
        )


def _independent_rows(rows: Any, G: np.ndarray, finite: np.ndarray) -> np.ndarray:
    """Return the rows (..., r) that the equations of motion choose as independent.

    States outside the mask `finite` do not determine r.
    """
    G = np.where(finite[..., None, None], G, 0.0)
    order, rank, _ = independent(unit_rows(G, rows.sizes, rows.distances)[0])
    ranks = rank[finite] if finite.any() else np.array([G.shape[-2]])
    if np.ptp(ranks):
        raise SpatialError(
            f"constraints: want equal ranks in all states of the batch, got ranks from "
            f"{ranks.min()} to {ranks.max()}. Linearise the states of each rank separately"
        )
    return np.sort(order[..., : int(ranks.flat[0])], axis=-1)


def _null_space(G: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis (..., NV, r) of the null space of G (..., m, NV), whose rows are
    independent.
    """
    VT = np.linalg.svd(G, full_matrices=True)[2]
    return np.ascontiguousarray(np.matrix_transpose(VT[..., G.shape[-2] :, :]))
