"""The Jacobian of constraints."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.arrays import Array
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kernels import size_of
from spatial_v2.model import Model

__all__ = ["constraint_jacobian"]


@constrained(
    "(q)->(m,v)",
    lambda n, m: size_of(n, m, 0),
)
def constraint_jacobian(
    model: Model, q: Array, constraints: Constraints, **options: Unpack[Options]
) -> Array:
    """Compute the Jacobian G of constraints: their velocity is ``G qd``.

    MATLAB: ``Jac_build``, for a foot of one particular quadruped.

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
    array, shape (..., m, NV)
        Rows in the order of the constraints. Rows of a point constraint are along the axes of the
        base, those of a frame constraint along the axes that it names.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    The velocity of a constraint is that of body 2 minus that of body 1. Constraint forces lambda
    act on the joints as joint forces ``G^T lambda_``.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> constraint_jacobian(autoTree(2), [0.0, 0.0], [tip])
    array([[0., 0.],
           [2., 1.],
           [0., 0.]])
    """
    return constraint_set(model, constraints).rows_at_rest(model, q).G
