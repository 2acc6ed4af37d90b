"""Constraint rows and their derivatives by kernels, for batches of states.

The rows of a coupled model are those of its tree, whose motion follows from y by a constant matrix.
"""

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

States = Sequence[np.ndarray]
Shapes = Sequence[tuple[int, ...]]


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
    m, n, how = constraints.m, free_tree(model).NV, (constraints, gains, batched)
    of_tree = RowsOfBatch(*_run("constraint_rows", model, state, [(m, n), (m,), (m,), (n,)], *how))
    if isinstance(model, CoupledModel):
        M = model.coupling.matrix
        G = of_tree.G @ M
        of_joints, of_y = ((x * x).sum(axis=-1) for x in (of_tree.G, G))
        share = of_y / np.where(of_joints > 0, of_joints * np.linalg.norm(M, 2) ** 2, 1.0)
        of_tree = of_tree._replace(G=G, sizes=of_tree.sizes * share)
    elif not model.has_rotors:
        return of_tree
    # the kernel sees no rotors, which the joints carry, too, and no joint that follows another
    return of_tree._replace(least_pivots=np.asarray(smallest_pivots(model, state[0])))


def derivatives(
    model: Model, state: States, constraints: ConstraintSet, gains: Gains | None, batched: bool
) -> RowDerivatives:
    """Compute the derivatives of the rows and of ``G^T lambda`` for q, qd, qdd and lambda."""
    m, n, how = constraints.m, free_tree(model).NV, (constraints, gains, batched)
    made = _run("constraint_derivatives", model, state, [(m, n)] * 3 + [(n, n)], *how)
    if isinstance(model, CoupledModel):
        made = [x @ model.coupling.matrix for x in made]
        made[3] = model.coupling.matrix.T @ made[3]
    return RowDerivatives(*made)


def second_derivatives(
    model: Model, state: States, constraints: ConstraintSet, gains: Gains | None, batched: bool
) -> list[np.ndarray]:
    """Compute second derivatives of ``weight . (alpha - a*)``, the weighted sum of the residuals of
    the rows, for q, qd, qdd and weights: with respect to (q, q), (q, qd) and (qd, qd).
    """
    n, how = free_tree(model).NV, (constraints, gains, batched)
    made = _run("constraint_SO_derivatives", model, state, [(n, n)] * 3, *how)
    if isinstance(model, CoupledModel):
        M = model.coupling.matrix
        return [M.T @ x @ M for x in made]
    return made


def _run(
    kernel: str, model: Model, state: States, shapes: Shapes, constraints: ConstraintSet,
    gains: Gains | None, batched: bool,
) -> list[np.ndarray]:  # fmt: skip
    """Run a kernel on the tree of a model, for the motion of the tree at y, yd and ydd."""
    if isinstance(model, CoupledModel):
        (y, yd, ydd, *others), of = state, model.coupling
        motion = of.configuration(y), of.motion(yd), of.motion(ydd)
        state = [*map(np.ascontiguousarray, motion), *others]
    record = constraint_record(free_tree(model), constraints, gains)
    return new_results(kernel, record, state, shapes, batched)
