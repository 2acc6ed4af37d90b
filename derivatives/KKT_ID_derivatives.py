"""First derivatives of constrained inverse dynamics."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives.ID_derivatives import ID_derivatives
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kernels import size_of
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model

__all__ = ["KKTIDDerivatives", "KKT_ID_derivatives"]


@shown_in_notebooks
class KKTIDDerivatives(NamedTuple):
    """First derivatives of `KKT_ID`: arrays (..., NV, NV), for the m forces (..., NV, m)."""

    dtau_dq: Array
    """Derivatives along q."""
    dtau_dqd: Array
    """Derivatives with respect to qd."""
    dtau_dqdd: Array
    """Derivatives with respect to qdd: the joint-space inertia matrix H."""
    dtau_dforces: Array
    """Derivatives with respect to the constraint forces: minus the transposed constraint Jacobian.
    """


@constrained(
    "(q),(v),(v),(m)->(v,v),(v,v),(v,v),(v,m)",
    lambda n, m: size_of(n, m, n),
)
def KKT_ID_derivatives(
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
) -> KKTIDDerivatives:
    """Compute first derivatives of joint forces for a given motion and given constraint forces.

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
    KKTIDDerivatives
        Named tuple. Derivatives along q are along the joints' degrees of freedom, as those of
        `ID_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    The fields are ``ID_q - (G^T forces)_q``, ``ID_qd``, ``H`` and ``-G^T``, with G the Jacobian of
    the constraints, ID inverse dynamics and subscripts q and qd for derivatives.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> d = KKT_ID_derivatives(autoTree(2), [0, 0.1], [0, 0], [0, 0], [0, 5, 0], [tip])
    >>> d.dtau_dq.round(3)
    array([[0.499, 0.499],
           [0.499, 0.499]])
    """
    rows = constraint_set(model, constraints).rows(model, q, 0 * qd, 0 * qd)
    pushed = rows.pushed(forces)
    ID_q, ID_qd = ID_derivatives(model, q, qd, qdd, f_ext, frame=frame)
    T = namespace(rows.G).matrix_transpose
    return KKTIDDerivatives(ID_q - pushed, ID_qd, CRBA(model, q), -T(rows.G))
