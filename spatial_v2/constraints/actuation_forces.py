"""Actuator and constraint forces that produce a given motion."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.motions import at_rest
from spatial_v2.constraints.rank_texts import vanish
from spatial_v2.constraints.shortest import shortest
from spatial_v2.dynamics import ID
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_vector

__all__ = ["ActuationForces", "actuation_forces"]


@shown_in_notebooks
class ActuationForces(NamedTuple):
    """Result of `actuation_forces`: solution of ``S u + G^T lambda_ = ID(q, qd, qdd)``.

    S is the actuator matrix, G the Jacobian of the constraints.
    """

    u: np.ndarray
    """Forces of the actuators, shape (..., NU)."""
    lambda_: np.ndarray
    """Forces of the constraints on bodies 2, shape (..., m)."""
    residual: np.ndarray
    """Joint forces that are missing, ``ID - S u - G^T lambda_``, shape (..., NV); zero if the
    actuators and constraints can produce the motion.
    """


def actuation_forces(
    model: Model, q: Any, qd: Any, qdd: Any, constraints: Constraints, S: Any, f_ext: Any = None
) -> ActuationForces:
    """Compute least-norm actuator and constraint forces that produce a motion, by least squares.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array_like, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations of a motion that satisfies the constraints,
        real.
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.
    S : array_like, shape (NV, NU)
        Column k has the joint forces of actuator k per unit of its force;
        ``np.eye(NV)[:, 6:]`` for a robot with a floating base and a motor at every joint.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in base coordinates; see `ID`.

    Returns
    -------
    ActuationForces
        Named tuple ``u, lambda_, residual``. Friction cones are not considered: a contact may have
        to pull or slip.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    The equation ``[S, G^T] [u; lambda_] = ID`` is solved by the pseudoinverse, which weights
    one newton and one newton metre equally. Constraint rows that are zero, as
    explained in `KKT_FD`, have no force.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> model, tip = autoTree(1).replace(gravity=[0, -10, 0]), PointConstraint(0, [1.0, 0.0, 0.0])
    >>> actuation_forces(model, [0.0], [0.0], [0.0], [tip], np.zeros((1, 0))).lambda_
    array([0., 5., 0.])
    """
    check_model(model)
    S = as_real(S, "S")
    if S.ndim != 2 or S.shape[0] != model.NV:
        raise ArrayShapeError(f"S: want shape ({model.NV}, NU), got {S.shape}")
    tau = as_real(ID(model, q, qd, qdd, f_ext), "qdd")
    q = as_real(check_vector(model, "q", q, model.NQ, "q"), "q")
    rows = constraint_set(model, constraints).rows(model, *at_rest(model, q))
    G, sizes = np.asarray(rows.G), np.asarray(rows.sizes)
    GT = np.swapaxes(np.where(vanish(sizes)[..., None], 0.0, G), -1, -2)
    S = np.broadcast_to(S, (*GT.shape[:-1], S.shape[1]))
    A = np.concatenate([S, GT], axis=-1)
    x = shortest(A, tau[..., None])[..., 0]
    residual = tau - (A @ x[..., None])[..., 0]
    return ActuationForces(x[..., : S.shape[-1]], x[..., S.shape[-1] :], residual)
