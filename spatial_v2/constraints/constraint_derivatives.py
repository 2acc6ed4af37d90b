"""First derivatives of constraints."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kernels import size_of
from spatial_v2.model import Model

__all__ = ["ConstraintDerivatives", "constraint_derivatives"]


@shown_in_notebooks
class ConstraintDerivatives(NamedTuple):
    """First derivatives (..., m, NV) of the velocity w and acceleration alpha of constraints."""

    dw_dq: Array
    """Derivatives of the velocity w with respect to q."""
    dw_dqd: Array
    """Derivatives of the velocity w with respect to qd, which equal those of the acceleration alpha
    with respect to qdd: the Jacobian.
    """
    dalpha_dq: Array
    """Derivatives of the acceleration alpha with respect to q."""
    dalpha_dqd: Array
    """Derivatives of the acceleration alpha with respect to qd."""


@constrained(
    "(q),(v),(v)->(m,v),(m,v),(m,v),(m,v)",
    lambda n, m: size_of(n, m, n),
)
def constraint_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    constraints: Constraints,
    **options: Unpack[Options],
) -> ConstraintDerivatives:
    """Derivatives of the velocity and the acceleration of constraints with respect to q and qd.

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
    ConstraintDerivatives
        Derivatives with respect to q are along the velocity variables, as in `ID_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    Let S_k, Sd_k, psid_k and psidd_k be the columns of these results of `GlobalDynamics`, and
    lin_p(x) the velocity at p of a spatial motion x. For a point p of a body, column k of dalpha_dq
    is ``lin_p(psidd_k) + 2 psid_k x p' + S_k x p''``, and column k of dalpha_dqd is
    ``lin_p(psid_k + Sd_k) + 2 S_k x p'``, if joint k carries the body, else zero. In the cross
    products psid_k and S_k stand for their angular parts.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> constraint_derivatives(autoTree(2), [0.0, 0.0], [1.0, 0.0], [0, 0], [tip]).dw_dq
    array([[-2., -1.],
           [ 0.,  0.],
           [ 0.,  0.]])
    """
    rows = constraint_set(model, constraints).rows(model, q, qd, qdd)
    return ConstraintDerivatives(rows.w_q, rows.G, rows.residual_q, rows.residual_qd)
