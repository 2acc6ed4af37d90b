"""Second derivatives of impacts."""

from __future__ import annotations

from typing import NamedTuple, Unpack

import numpy as np

from derivatives.constrained import across_tensor, along_columns, times_tensor
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from derivatives.Impact_FO_derivatives import Impact_FO_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.Impact_dyn import Impact_dyn
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.options import settle
from spatial_v2.dynamics import CRBA
from spatial_v2.dynamics.weightless import weightless
from spatial_v2.model import Model

__all__ = ["ImpactSODerivatives", "Impact_SO_derivatives"]


@shown_in_notebooks
class ImpactSODerivatives(NamedTuple):
    """Second derivatives of `Impact_dyn`; those by two velocities are zero."""

    d2qd_dq: Array
    """[i, j, k]: derivative along q_k of that along q_j of qd_plus_i, shape (..., NV, NV, NV)."""
    d2qd_cross: Array
    """[i, j, k]: derivative of qd_plus_i along q_j and by qd_k, shape (..., NV, NV, NV)."""
    d2impulse_dq: Array
    """[c, j, k]: derivative along q_k of that along q_j of impulse_c, shape (..., m, NV, NV)."""
    d2impulse_cross: Array
    """[c, j, k]: derivative of impulse_c along q_j and by qd_k, shape (..., m, NV, NV)."""


@accelerated(
    None, "(q),(v)->(v,v,v),(v,v,v),(m,v,v),(m,v,v)", rotors="ignore", settle=settle, joints="page"
)
def Impact_SO_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    constraints: Constraints,
    restitution: float = 0.0,
    **options: Unpack[Options],
) -> ImpactSODerivatives:
    """Second derivatives of the velocities after an impact, and of the impulses, by q and qd.

    MATLAB: ``derivs = Impact_SO_derivatives(model,q,qd)``, of one quadruped's foot, e = 0.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions, and velocities before the impact [rad or m, per second].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        What comes to hold.
    restitution : float or array, shape (m,), optional
        From 0 (plastic) to 1 (elastic), of all rows or of each.
    **options : Options
        ``out`` and ``workers``, as of all accelerated functions.

    Returns
    -------
    ImpactSODerivatives
        Ordered second derivatives, as of `ID_SO_derivatives`.

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
    The equations of `Impact_FO_derivatives` differentiated once more, with the same matrix K. The
    second derivative of G times x is that of the rows' acceleration at rest for ``qdd = x``.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> Impact_SO_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [tip]).d2impulse_dq.shape
    (1, 2, 2)
    """
    held, rest = constraint_set(model, constraints), 0 * qd
    qd_plus, impulse = Impact_dyn(model, q, qd, held, restitution)
    V, V_v, L, L_v = Impact_FO_derivatives(model, q, qd, held, restitution)
    rows, before = held.rows(model, q, rest, qd_plus), held.rows(model, q, rest, qd)
    d2tau_dq, _, _, dM = ID_SO_derivatives(weightless(model), q, rest, qd_plus - qd)
    e = constant(np.broadcast_to(restitution, held.m), rows.G)[:, None, None]
    one = constant(np.eye(model.NV), V)
    R, G_q = namespace(V).matrix_transpose, rows.G_q
    kkt = KKT(CRBA(model, q), rows.G, sizes=rows.m)

    top, bottom = times_tensor(dM, V) - across_tensor(G_q, L), times_tensor(G_q, V)
    qq = along_columns(
        kkt,
        rows.G_qq(impulse) - d2tau_dq - top - R(top),
        -rows.alpha_qq - e * before.alpha_qq - bottom - R(bottom),
    )
    cross = along_columns(
        kkt,
        R(across_tensor(G_q, L_v) - times_tensor(dM, V_v - one)),
        -R(times_tensor(G_q, V_v) + e * times_tensor(G_q, one)),
    )
    return ImpactSODerivatives(qq[0], cross[0], qq[1], cross[1])
