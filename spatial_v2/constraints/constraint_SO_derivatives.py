"""Second derivatives of constraints."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.model import Model

__all__ = ["ConstraintSODerivatives", "constraint_SO_derivatives"]


@shown_in_notebooks
class ConstraintSODerivatives(NamedTuple):
    """Derivatives of the Jacobian G, second derivatives of the acceleration alpha of constraints.

    Each array has shape (..., m, NV, NV), m the number of constraint rows.
    """

    dG_dq: Array
    """Entry [c, j, k] is the derivative of the Jacobian's entry G[c, j] with respect to q_k."""
    d2alpha_dq: Array
    """Entry [c, j, k] is the derivative of alpha_c with respect to q_j, then q_k."""
    d2alpha_dqd: Array
    """Entry [c, j, k] is the second derivative of alpha_c with respect to qd_j and qd_k."""
    d2alpha_cross: Array
    """Entry [c, j, k] is the derivative of alpha_c with respect to q_j and qd_k."""


@constrained(
    "(q),(v),(v)->(m,v,v),(m,v,v),(m,v,v),(m,v,v)",
    lambda n, m: 8 * m * n * n,
)
def constraint_SO_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    constraints: Constraints,
    **options: Unpack[Options],
) -> ConstraintSODerivatives:
    """Compute the derivatives of the Jacobian and second derivatives of constraint accelerations.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors have no effect.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.

    Returns
    -------
    ConstraintSODerivatives
        Derivatives with respect to q are in the order of the indices, as in `ID_SO_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    The second derivative of ``G x`` for a constant vector x is d2alpha_dq at ``qd = 0, qdd = x``.
    The second derivative of the position error of a point is dG_dq.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> d = constraint_SO_derivatives(autoTree(2), [0.0, 0.0], [0, 0], [0, 0], [tip])
    >>> d.dG_dq[0]
    array([[-2., -1.],
           [-1., -1.]])
    """
    rows = constraint_set(model, constraints).rows(model, q, qd, qdd)
    return ConstraintSODerivatives(rows.G_q, rows.residual_qq, rows.residual_vv, rows.residual_qv)
