"""Second derivatives of constrained inverse dynamics."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.model import Model

__all__ = ["KKTIDSODerivatives", "KKT_ID_SO_derivatives"]


@shown_in_notebooks
class KKTIDSODerivatives(NamedTuple):
    """Second derivatives of `KKT_ID`: those of `ID_SO_derivatives`, and d2tau_dqforces."""

    d2tau_dq: Array
    """Entry [i, j, k] is the derivative along q_k of the derivative along q_j of tau_i."""
    d2tau_dqd: Array
    """Entry [i, j, k] is the second derivative of tau_i with respect to qd_j and qd_k."""
    d2tau_cross: Array
    """Entry [i, j, k] is the derivative of tau_i along q_j and with respect to qd_k."""
    dM_dq: Array
    """Entry [i, j, k] is the derivative of H_ij = dtau_i/dqdd_j along q_k."""
    d2tau_dqforces: Array
    """Entry [i, j, c] is the derivative of tau_i along q_j and with respect to force c."""


@constrained(
    "(q),(v),(v),(m)->(v,v,v),(v,v,v),(v,v,v),(v,v,v),(v,v,m)",
    lambda n, m: 6 * (n + m) * n * n,
)
def KKT_ID_SO_derivatives(
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
) -> KKTIDSODerivatives:
    """Compute second derivatives of joint forces for a given motion and given constraint forces.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    forces : array, shape (..., m)
        Constraint forces, as they act on the second body of each constraint [N or N m].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.

    Returns
    -------
    KKTIDSODerivatives
        Named tuple of second derivatives, ordered as those of `ID_SO_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    The second derivatives are those of `ID`, with ``forces . G_qq`` subtracted from d2tau_dq. Those
    with respect to q and the forces are ``-G_q``. G is the Jacobian of the constraints; subscripts
    q stand for derivatives.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> d = KKT_ID_SO_derivatives(autoTree(2), [0, 0.1], [0, 0], [0, 0], [0, 5, 0], [tip])
    >>> d.d2tau_dqforces[0].round(3) + 0.0
    array([[1.995, 0.1  , 0.   ],
           [0.995, 0.1  , 0.   ]])
    """
    rows = constraint_set(model, constraints).rows(model, q, qd, qdd)
    ID2 = ID_SO_derivatives(model, q, qd, qdd, f_ext, frame=frame)
    by_forces = -namespace(rows.G).moveaxis(rows.G_q, -3, -1)
    d2tau_dq = ID2.d2tau_dq - rows.G_qq(forces)
    return KKTIDSODerivatives(d2tau_dq, ID2.d2tau_dqd, ID2.d2tau_cross, ID2.dM_dq, by_forces)
