"""First derivatives of impacts."""

from __future__ import annotations

from typing import NamedTuple, Unpack

import numpy as np

from derivatives.IDFOZA import IDFOZA
from spatial_v2.arrays import Array, constant
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.Impact_dyn import impact
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.options import validate_refusal
from spatial_v2.constraints.rank import Refusal
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model

__all__ = ["ImpactDerivatives", "Impact_FO_derivatives"]


@shown_in_notebooks
class ImpactDerivatives(NamedTuple):
    """First derivatives of both results of `Impact_dyn`: qd_plus (NV) and impulse (m)."""

    dqd_dq: Array
    """Entry [i, j] is the derivative of qd_plus_i along velocity variable j."""
    dqd_dqd: Array
    """Entry [i, j] is the derivative of qd_plus_i with respect to qd_j."""
    dimpulse_dq: Array
    """Entry [c, j] is the derivative of impulse_c along velocity variable j."""
    dimpulse_dqd: Array
    """Entry [c, j] is the derivative of impulse_c with respect to qd_j."""


@constrained(
    "(q),(v)->(v,v),(v,v),(m,v),(m,v)",
    lambda n, m: size_of(n, m, 2 * n),
    validate_constraints=validate_refusal,
)
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
    """Compute derivatives of the velocities after an impact, and of the impulses, along q and qd.

    MATLAB: ``[da_dq,da_dv] = Impact_FO_derivatives(robot,q,v_pre)`` stacks the derivatives of the
    velocity on those of -impulse, for one foot of a planar quadruped and restitution 0.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions, and velocities before the impact [rad or m, per second].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The constraints that become active at the impact.
    restitution : float or array, shape (m,), optional
        Coefficient from 0 (plastic) to 1 (elastic), one for all constraint rows or one for each.
    rank : {"raise", "nan"}, optional
        Treatment of constraint rows that are dependent or zero; see `KKT_FD`.

    Returns
    -------
    ImpactDerivatives
        Named tuple. Derivatives along q are along the joints' degrees of freedom, as those of
        `ID_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.
    SpatialError
        Linearly dependent constraint rows, or a restitution outside 0 to 1.

    Notes
    -----
    The equations are those of `KKT_FO_derivatives` at rest and without gravity, with the velocity
    jump ``D = qd_plus - qd`` in place of the acceleration, K the KKT matrix, e the restitution and
    a subscript q for derivatives along q. V and L are the derivatives of qd_plus and of the impulse
    along q, V_v and Lv those with respect to qd::

        K [ V   ; -L  ] = -[ (H D)_q - (G^T impulse)_q ; G_q (qd_plus + e qd) ]
        K [ V_v ; -Lv ] =  [ H ; -e G ]

    The derivatives hold at a fixed time of impact. If a change of the state makes the foot meet the
    ground earlier or later, the caller has to add the effect of that change of time.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> Impact_FO_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [tip]).dimpulse_dq.round(3)
    array([[-0.586, -0.89 ]])
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
