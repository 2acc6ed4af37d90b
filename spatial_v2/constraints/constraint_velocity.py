"""The velocity of constraints: the rate of their position errors."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.arrays import Array, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kernels import size_of
from spatial_v2.model import Model

__all__ = ["constraint_velocity"]


@constrained(
    "(q),(v)->(m)",
    lambda n, m: size_of(n, m, 0),
)
def constraint_velocity(
    model: Model, q: Array, qd: Array, constraints: Constraints, **options: Unpack[Options]
) -> Array:
    """Compute the velocity ``G qd`` of constraints, which is zero if the motion satisfies them.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors have no effect.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.

    Returns
    -------
    array, shape (..., m)
        For each constraint, the velocity of its `body2` minus that of its `body1` [m/s or rad/s].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    `project_velocity` finds joint velocities for which it is zero.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> constraint_velocity(autoTree(2), [0.0, 0.0], [1.0, 0.0], [tip])
    array([0., 2., 0.])
    """
    rows = constraint_set(model, constraints).rows(model, q, qd, 0 * qd)
    return uncolumn(rows.w)
