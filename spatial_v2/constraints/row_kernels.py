"""Constraint rows and their derivatives by kernels, for batches of states.

The rows of a coupled model are those of its tree, whose motion follows from y by a constant matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spatial_v2.calls.records import new_results
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import constraint_record
from spatial_v2.constraints.residual import Gains
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics.smallest_pivots import smallest_pivots
from spatial_v2.model import Model

__all__ = ["RowDerivatives", "RowsOfBatch", "derivatives", "rows", "second_derivatives"]

States = Sequence[np.ndarray]


class RowsOfBatch(NamedTuple):
    """Constraint rows of a batch: Jacobian G (B, m, NV), residual alpha (B, m), `Rows.sizes` (B, m)
    and `Rows.least_pivots` (B, NV).

    alpha is the acceleration of the rows minus the desired one; see `Residual`.
    """

    G: np.ndarray
    alpha: np.ndarray
    sizes: np.ndarray
    least_pivots: np.ndarray


class RowDerivatives(NamedTuple):
    """Derivatives of constraint rows for a batch: Jacobian G, derivatives of the residual and of
    the joint forces ``G^T lambda_``.
    """

    G: np.ndarray
    alpha_q: np.ndarray
    alpha_qd: np.ndarray
    G_q_lambda: np.ndarray


def rows(
    model: Model, state: States, constraints: ConstraintSet, gains: Gains | None, batched: bool
) -> RowsOfBatch:
    """Compute the constraint rows for a batch of q, qd and qdd."""
    if isinstance(model, CoupledModel):
        tree, M = free_tree(model), model.coupling.matrix
        of_tree = rows(tree, _moved(model, state), constraints, gains, batched)
        G = of_tree.G @ M
        whole, left = ((x * x).sum(axis=-1) for x in (of_tree.G, G))
        share = left / np.where(whole > 0, whole * np.linalg.norm(M, 2) ** 2, 1.0)
        least = np.asarray(smallest_pivots(model, state[0]))
        return RowsOfBatch(G, of_tree.alpha, of_tree.sizes * share, least)
    m, n = constraints.m, model.NV
    record, shapes = constraint_record(model, constraints, gains), [(m, n), (m,), (m,), (n,)]
    computed = RowsOfBatch(*new_results("constraint_rows", record, state, shapes, batched))
    if model.has_rotors:  # the kernel sees no rotors, which the joints carry, too
        return computed._replace(least_pivots=smallest_pivots(model, state[0]))
    return computed


def derivatives(
    model: Model, state: States, constraints: ConstraintSet, gains: Gains | None, batched: bool
) -> RowDerivatives:
    """Compute the derivatives of the rows and of ``G^T lambda`` for q, qd, qdd and lambda."""
    if isinstance(model, CoupledModel):
        tree, M = free_tree(model), model.coupling.matrix
        of_tree = derivatives(tree, _moved(model, state), constraints, gains, batched)
        G, alpha_q, alpha_qd, push = (x @ M for x in of_tree)
        return RowDerivatives(G, alpha_q, alpha_qd, M.T @ push)
    m, n = constraints.m, model.NV
    record, shapes = constraint_record(model, constraints, gains), [(m, n)] * 3 + [(n, n)]
    return RowDerivatives(*new_results("constraint_derivatives", record, state, shapes, batched))


def second_derivatives(
    model: Model, state: States, constraints: ConstraintSet, gains: Gains | None, batched: bool
) -> list[np.ndarray]:
    """Compute second derivatives of ``weight . (alpha - a*)``, the weighted sum of the residuals of
    the rows, for q, qd, qdd and weights: with respect to (q, q), (q, qd) and (qd, qd).
    """
    if isinstance(model, CoupledModel):
        tree, M = free_tree(model), model.coupling.matrix
        of_tree = second_derivatives(tree, _moved(model, state), constraints, gains, batched)
        return [M.T @ x @ M for x in of_tree]
    record, shapes = constraint_record(model, constraints, gains), [(model.NV, model.NV)] * 3
    return new_results("constraint_SO_derivatives", record, state, shapes, batched)


def _moved(model: CoupledModel, state: States) -> list[np.ndarray]:
    """Return the motion of the tree at y, yd and ydd, and the other arrays as they are."""
    (y, yd, ydd, *others), of = state, model.coupling
    motion = of.configuration(y), of.motion(yd), of.motion(ydd)
    return [*map(np.ascontiguousarray, motion), *others]
