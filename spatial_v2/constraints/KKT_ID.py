"""Inverse dynamics of a model whose motion is constrained."""

from __future__ import annotations

from typing import Literal, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.constraints.constraint_jacobian import constraint_jacobian
from spatial_v2.constraints.ConstraintSet import Constraints
from spatial_v2.constraints.options import validate_constraints
from spatial_v2.dynamics import ID
from spatial_v2.model import Model

__all__ = ["KKT_ID"]


@accelerated(
    None,
    "(q),(v),(v),(m)->(v)",
    rotors="ignore",
    validate_constraints=validate_constraints,
    joint_terms=True,
)
def KKT_ID(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    forces: Array,
    constraints: Constraints,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> Array:
    """Compute joint forces for a motion and given constraint forces: ``ID - G^T forces``.

    G is the Jacobian of the constraints.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    forces : array, shape (..., m)
        Forces of the constraints on bodies 2 [N or N m].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.

    Returns
    -------
    array, shape (..., NV)
        Joint forces [N m or N].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    This is the inverse of `KKT_FD` for motions that satisfy the constraints. The constraint forces
    of a motion are not unique; `actuation_forces` chooses joint and constraint forces of least
    norm.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(0, [1.0, 0.0, 0.0])
    >>> model = autoTree(1).replace(gravity=[0, -10, 0])
    >>> KKT_ID(model, [0.0], [0.0], [0.0], [0, 5, 0], [tip])
    array([0.])
    """
    G = constraint_jacobian(model, q, constraints)
    T = namespace(G, forces).matrix_transpose
    return ID(model, q, qd, qdd, f_ext, frame=frame) - uncolumn(T(G) @ column(forces))
