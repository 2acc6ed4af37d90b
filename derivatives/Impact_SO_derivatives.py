"""Second derivatives of impacts."""

from __future__ import annotations

from typing import NamedTuple, Unpack

import numpy as np

from derivatives.constrained import across_tensor, along_columns, times_tensor
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from derivatives.Impact_FO_derivatives import Impact_FO_derivatives
from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.Impact_dyn import Impact_dyn
from spatial_v2.constraints.options import validate_refusal
from spatial_v2.constraints.rank import Refusal
from spatial_v2.dynamics import CRBA
from spatial_v2.dynamics.weightless import inertial
from spatial_v2.model import Model

__all__ = ["ImpactSODerivatives", "Impact_SO_derivatives"]


@shown_in_notebooks
class ImpactSODerivatives(NamedTuple):
    """Second derivatives of `Impact_dyn`; those with respect to qd twice are zero."""

    d2qd_dq: Array
    """Entry [i, j, k] is the derivative of qd_plus_i along q_j, then along q_k, shape (..., NV, NV,
    NV).
    """
    d2qd_cross: Array
    """Entry [i, j, k] is the derivative of qd_plus_i along q_j and with respect to qd_k, shape
    (..., NV, NV, NV).
    """
    d2impulse_dq: Array
    """Entry [c, j, k] is the derivative of impulse_c along q_j, then along q_k, shape (..., m, NV,
    NV).
    """
    d2impulse_cross: Array
    """Entry [c, j, k] is the derivative of impulse_c along q_j and with respect to qd_k, shape
    (..., m, NV, NV).
    """


@constrained(
    "(q),(v)->(v,v,v),(v,v,v),(m,v,v),(m,v,v)",
    lambda n, m: 12 * (n + m) * n * n,
    order=2,
    validate_constraints=validate_refusal,
)
def Impact_SO_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    constraints: Constraints,
    restitution: float = 0.0,
    *,
    rank: Refusal = "raise",
    **options: Unpack[Options],
) -> ImpactSODerivatives:
    """Compute second derivatives of velocities after an impact, and of impulses, along q and qd.

    MATLAB: ``derivs = Impact_SO_derivatives(robot,q,v_pre)`` with ``da_dqq``, ``da_dvq``, ...,
    which stack the derivatives of the velocity on those of -impulse, for one foot of a planar
    quadruped and restitution 0.

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
    ImpactSODerivatives
        Named tuple of second derivatives, ordered as those of `ID_SO_derivatives`.

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
    The equations are those of `Impact_FO_derivatives` differentiated once more, with the same K.
    The second derivative of ``G x`` at constant x is that of the acceleration of the constraint
    rows at rest for ``qdd = x``.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> Impact_SO_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [tip]).d2impulse_dq[0].round(3)
    array([[-1.742, -2.658],
           [-2.658, -3.392]])
    """
    constraints, rest = constraint_set(model, constraints), 0 * qd
    qd_plus, impulse = Impact_dyn(model, q, qd, constraints, restitution, rank="nan")
    V, V_v, L, L_v = Impact_FO_derivatives(model, q, qd, constraints, restitution, rank=rank)
    rows = constraints.rows(model, q, rest, qd_plus)
    before = rows.at_rest(qd)
    d2tau_dq, _, _, dM = ID_SO_derivatives(inertial(model), q, rest, qd_plus - qd)
    e = constant(np.broadcast_to(restitution, constraints.m), rows.G)[:, None, None]
    one = constant(np.eye(model.NV), V)
    R, G_q = namespace(V).matrix_transpose, rows.G_q
    kkt = rows.kkt(CRBA(model, q), quiet=True)

    top, bottom = times_tensor(dM, V) - across_tensor(G_q, L), times_tensor(G_q, V)
    qq = along_columns(
        kkt,
        rows.G_qq(impulse) - d2tau_dq - top - R(top),
        -rows.residual_qq - e * before.residual_qq - bottom - R(bottom),
    )
    cross = along_columns(
        kkt,
        R(across_tensor(G_q, L_v) - times_tensor(dM, V_v - one)),
        -R(times_tensor(G_q, V_v) + e * times_tensor(G_q, one)),
    )
    return ImpactSODerivatives(qq[0], cross[0], qq[1], cross[1])
