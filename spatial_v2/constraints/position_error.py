"""The position error of constraints."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.motions import at_rest
from spatial_v2.constraints.options import validate_constraints
from spatial_v2.constraints.turned import say_turned, turned
from spatial_v2.model import Model

__all__ = ["position_error"]


@accelerated(
    None, "(q)->(m)", rotors="ignore", validate_constraints=validate_constraints, joint_terms=True
)
def position_error(
    model: Model, q: Array, constraints: Constraints, **options: Unpack[Options]
) -> Array:
    """Compute the position errors of constraints at a configuration.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors have no effect.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.

    Returns
    -------
    array, shape (..., m)
        For a point constraint ``p2 - p1`` along the axes of the base [m], for a frame constraint
        ``[inv_skew(R); p]`` or log6; see `FrameConstraint`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Warns
    -----
    ConvergenceWarning
        Two frames differ by a rotation of nearly pi, where its position error, a sine, vanishes.

    Notes
    -----
    `project_configuration` finds configurations at which the errors are zero. A point constraint to
    the ground without point1 has no position error; ``placed(model, q)`` sets its point1.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> position_error(autoTree(2), [0.0, 0.1], [tip.placed(autoTree(2), [0.0, 0.0])]).round(3)
    array([-0.005,  0.1  ,  0.   ])
    """
    rest, constraints = at_rest(model, q), constraint_set(model, constraints)
    say_turned(turned(model, rest[0], constraints))
    return uncolumn(constraints.rows(model, *rest).e)
