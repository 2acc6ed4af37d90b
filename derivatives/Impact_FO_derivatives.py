"""First derivatives of impacts."""

from __future__ import annotations

from typing import NamedTuple, Unpack

import numpy as np

from derivatives.IDFOZA import IDFOZA
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import ByKernels
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.forward import review
from spatial_v2.constraints.Impact_dyn import impact
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.options import validate_refusal
from spatial_v2.constraints.rank import Refusal
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model

__all__ = ["ImpactDerivatives", "Impact_FO_derivatives"]


@shown_in_notebooks
class ImpactDerivatives(NamedTuple):
    """First derivatives of `Impact_dyn`: of qd_plus (..., NV, NV), of impulse (..., m, NV)."""

    dqd_dq: Array
    """Entry [i, j] is the derivative of qd_plus_i along velocity variable j."""
    dqd_dqd: Array
    """Entry [i, j] is the derivative of qd_plus_i with respect to qd_j."""
    dimpulse_dq: Array
    """Entry [c, j] is the derivative of impulse_c along velocity variable j."""
    dimpulse_dqd: Array
    """Entry [c, j] is the derivative of impulse_c with respect to qd_j."""


_KERNELS = ByKernels(lambda n, m: size_of(n, m, 2 * n))


@accelerated(
    None,
    "(q),(v)->(v,v),(v,v),(m,v),(m,v)",
    rotors="ignore",
    validate_constraints=validate_refusal,
    composed=_KERNELS,
    review=review,
    joint_terms=True,
)
@_KERNELS.of
def Impact_FO_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    constraints: Constraints,
    restitution: float = 0.0,
    *,
    rank: Refusal = "raise",
    **options: Unpack[Options],
) -> ImpactDerivatives:
    """Derivatives of the velocities after an impact, and of the impulses, with respect to q and qd.

    MATLAB: ``[da_dq,da_dv] = Impact_FO_derivatives(robot,q,v_pre)``, those of the velocity over
    those of -impulse, for a foot of one planar quadruped and e = 0.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions, and velocities before the impact [rad or m, per second].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The constraints that become active at the impact.
    restitution : float or array, shape (m,), optional
        From 0 (plastic) to 1 (elastic), of all rows or of each.
    rank : {"raise", "nan"}, optional
        Treatment of rows that are dependent or vanish; see `KKT_FD`.
    out : array or tuple of array, optional
        Preallocated arrays for the results, which are returned.
    workers : int, optional
        Number of threads that share a batch; -1 stands for all processors.

    Returns
    -------
    ImpactDerivatives
        Those along q are derivatives along the joints' degrees of freedom, as of `ID_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that the model cannot have.
    SpatialError
        Rows that depend on each other, or a restitution outside 0 to 1.

    Notes
    -----
    As those of `KKT_FO_derivatives`, with the jump ``D = qd_plus - qd`` in place of the
    acceleration, at rest and without gravity::

        K [ V   ; -L  ] = -[ (H D)_q - (G^T impulse)_q ; G_q (qd_plus + e qd) ]
        K [ V_v ; -Lv ] =  [ H ; -e G ]

    The time of the impact is not varied: of a foot that meets the ground earlier or later the state
    at impact changes too, which is the caller's chain rule.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> Impact_FO_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [tip]).dimpulse_dq.shape
    (1, 2)
    """
    rows, H = constraint_set(model, constraints).rows_at_rest(model, q), CRBA(model, q)
    kkt, qd_plus, impulse = impact(rows, H, qd, restitution, rank)
    e = constant(np.broadcast_to(restitution, rows.G.shape[-2])[:, None], rows.G)
    after, before = rows.at_rest(qd_plus), rows.at_rest(qd)
    pushed = after.pushed(impulse)
    (V, L), (V_v, L_v) = kkt.each(
        (pushed - IDFOZA(model, q, qd_plus - qd), -after.residual_q - e * before.residual_q),
        (H, -e * rows.G),
    )
    return ImpactDerivatives(V, V_v, L, L_v)
