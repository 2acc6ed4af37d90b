"""First derivatives of impacts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from derivatives.constrained import rows_times, rows_weighted
from derivatives.IDFOZA import IDFOZA
from derivatives.kkt_parts import impact_first
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.blocks import fill_blocks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.ConstraintSet import Constraints, ConstraintSet, constraint_set
from spatial_v2.constraints.Impact_dyn import Impact_dyn
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.options import settle
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model

__all__ = ["ImpactDerivatives", "Impact_FO_derivatives"]


@shown_in_notebooks
class ImpactDerivatives(NamedTuple):
    """First derivatives of `Impact_dyn`: of qd_plus (..., NV, NV), of impulse (..., m, NV)."""

    dqd_dq: Array
    """Entry [i, j] is the derivative of qd_plus_i along freedom j of the configuration."""
    dqd_dqd: Array
    """Entry [i, j] is the derivative of qd_plus_i by qd_j."""
    dimpulse_dq: Array
    """Entry [c, j] is the derivative of impulse_c along freedom j of the configuration."""
    dimpulse_dqd: Array
    """Entry [c, j] is the derivative of impulse_c by qd_j."""


def _compiled(
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    packs: bool,
    constraints: ConstraintSet,
    restitution: Any = 0.0,
) -> None:
    """The results of a batch from kernels."""

    def made(q: np.ndarray, qd: np.ndarray) -> Sequence[np.ndarray]:
        return impact_first(model, q, qd, constraints, restitution, packs)

    fill_blocks(made, arrays, results, packs, size_of(model, constraints.m, 2 * model.NV))


@accelerated(
    None,
    "(q),(v)->(v,v),(v,v),(m,v),(m,v)",
    rotors="ignore",
    settle=settle,
    composed=_compiled,
    joints="page",
)
def Impact_FO_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    constraints: Constraints,
    restitution: float = 0.0,
    **options: Unpack[Options],
) -> ImpactDerivatives:
    """Derivatives of the velocities after an impact, and of the impulses, by q and qd.

    MATLAB: ``derivs = Impact_FO_derivatives(model,q,qd)``, of one quadruped's foot, e = 0.

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
    ImpactDerivatives
        Those along q are derivatives along the freedoms of the joints, as of `ID_derivatives`.

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
    held = constraint_set(model, constraints)
    qd_plus, impulse = Impact_dyn(model, q, qd, held, restitution)
    rows, H = held.rows(model, q, 0 * qd, 0 * qd), CRBA(model, q)
    e = constant(np.broadcast_to(restitution, held.m), rows.G)[:, None]
    K = KKT(H, rows.G, sizes=rows.m)
    turned = rows_times(rows.G_q, qd_plus) + e * rows_times(rows.G_q, qd)
    V, L = K.solve(rows_weighted(rows.G_q, impulse) - IDFOZA(model, q, qd_plus - qd), -turned)
    V_v, L_v = K.solve(H, -e * rows.G)
    return ImpactDerivatives(V, V_v, L, L_v)
