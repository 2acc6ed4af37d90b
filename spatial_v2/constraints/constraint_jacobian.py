"""The Jacobian of constraints."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import ByKernels
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.options import validate_constraints
from spatial_v2.model import Model

__all__ = ["constraint_jacobian"]


_KERNELS = ByKernels(lambda n, m: size_of(n, m, 0))


@accelerated(
    None,
    "(q)->(m,v)",
    rotors="ignore",
    validate_constraints=validate_constraints,
    composed=_KERNELS,
    joint_terms=True,
)
@_KERNELS.of
def constraint_jacobian(
    model: Model, q: Array, constraints: Constraints, **options: Unpack[Options]
) -> Array:
    """The Jacobian G of constraints: their velocity is ``G qd``.

    MATLAB: ``Jac_build``, of one quadruped's foot.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors have no effect.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.
    out : array or tuple of array, optional
        Preallocated arrays for the results, which are returned.
    workers : int, optional
        Number of threads that share a batch; -1 stands for all processors.

    Returns
    -------
    array, shape (..., m, NV)
        Rows in the order of the constraints: of a point along the base's axes, of a frame along its
        own.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that the model cannot have.

    Notes
    -----
    Velocities of bodies 2 less those of bodies 1. The constraints' forces lambda are joint forces
    ``G^T lambda_``.

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
