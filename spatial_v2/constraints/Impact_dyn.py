"""Impacts: jumps of the joint velocities when constraints become active."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.residual import Residual
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model

__all__ = ["Impact", "Impact_dyn", "impact"]


@shown_in_notebooks
class Impact(NamedTuple):
    """Result of `Impact_dyn`: ``H (qd_plus - qd) = G^T impulse``, ``G qd_plus = -e G qd``.

    H is the inertia matrix, G the Jacobian of the constraints, e the restitution.
    """

    qd_plus: Array
    """Joint velocities after the impact, shape (..., NV)."""
    impulse: Array
    """Impulses of the constraint rows on bodies 2, shape (..., m) [N s or N m s]."""


@constrained(
    "(q),(v)->(v),(m)",
    lambda n, m: size_of(n, m, 1),
)
def Impact_dyn(
    model: Model,
    q: Array,
    qd: Array,
    constraints: Constraints,
    restitution: float = 0.0,
    *,
    rank: Rank = "raise",
    **options: Unpack[Options],
) -> Impact:
    """Compute joint velocities after an impact that activates constraints, and the impulses.

    MATLAB: ``x = Impact_dyn(robot,q,qd_pre,e)`` with ``x = [qd_plus; -impulse]``, for a foot of one
    particular planar quadruped.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions, and velocities before the impact [rad or m, per second].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The constraints that become active at the impact.
    restitution : float or array, shape (m,), optional
        Coefficient of restitution e, from 0 (plastic) to 1 (elastic): one number, or one per
        constraint row.
    rank : {"raise", "nan", "minimum_norm", "proximal"}, optional
        Treatment of constraint rows that are linearly dependent or zero; see `KKT_FD`.

    Returns
    -------
    qd_plus : array, shape (..., NV)
        Joint velocities after the impact.
    impulse : array, shape (..., m)
        Impulses of the constraint rows on bodies 2 [N s or N m s].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.
    SpatialError
        Linearly dependent constraint rows, or a restitution outside 0 to 1.

    Notes
    -----
    The result obeys Newton's law of impact, ``G qd_plus = -e G qd``, with G the Jacobian of the
    constraints. With H the inertia matrix and K the matrix of `KKT_FD`, it solves
    ``K [qd_plus; -impulse] = [H qd; -e G qd]``. The kinetic energy changes by
    ``-(1 - e^2)/2 w^T W^-1 w`` with w = G qd and ``W = G H^-1 G^T``. MATLAB's function has ``+e``
    in the second row, so that a body with e > 0 continues into the ground.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(0, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> Impact_dyn(autoTree(1), [0.0], [-2.0], [tip], 0.5).qd_plus
    array([1.])
    """
    rows = constraint_set(model, constraints).rows_at_rest(model, q)
    _, *results = impact(rows, CRBA(model, q), qd, restitution, rank)
    return Impact(*results)


def impact(
    rows: Residual, H: Array, qd: Array, restitution: Any, rank: Rank
) -> tuple[KKT, Array, Array]:
    """Return the KKT matrix of constraint rows, the velocities after an impact, and impulses."""
    kkt, v = rows.kkt(H, 0.0, rank), column(qd)
    e = constant(np.broadcast_to(restitution, rows.G.shape[-2])[:, None], rows.G)
    qd_plus, impulse = kkt.solve(H @ v, -e * (rows.G @ v))
    return kkt, uncolumn(qd_plus), uncolumn(impulse)
