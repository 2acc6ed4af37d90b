"""The bias acceleration of constraints."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.arrays import Array, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kernels import size_of
from spatial_v2.model import Model

__all__ = ["constraint_bias"]


@constrained(
    "(q),(v)->(m)",
    lambda n, m: size_of(n, m, 0),
)
def constraint_bias(
    model: Model, q: Array, qd: Array, constraints: Constraints, **options: Unpack[Options]
) -> Array:
    """Compute the bias acceleration gamma of constraints: their acceleration is ``G qdd + gamma``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors have no effect.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions [rad or m] and velocities [rad/s or m/s].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.

    Returns
    -------
    array, shape (..., m)
        For each constraint, the acceleration of its `body2` minus that of its `body1` at
        ``qdd = 0`` [m/s^2 or rad/s^2].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    ``gamma = dG/dt qd``. For points these are classical accelerations. Gravity has no effect.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> constraint_bias(autoTree(2), [0.0, 0.0], [1.0, 0.0], [tip])
    array([-2.,  0.,  0.])
    """
    rows = constraint_set(model, constraints).rows(model, q, qd, 0 * qd)
    return uncolumn(rows.residual)
