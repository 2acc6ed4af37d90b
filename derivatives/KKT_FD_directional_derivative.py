"""Directional derivatives of forward dynamics under constraints."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Unpack

from derivatives.constrained import at_solution
from derivatives.ID_derivatives import ID_derivatives
from spatial_v2.arrays import Array, column, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints
from spatial_v2.constraints.differentiated import choose_direction, direction_of_batch
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.KKT_FD import KKT_FD
from spatial_v2.constraints.options import validate_refusal
from spatial_v2.constraints.rank import Refusal
from spatial_v2.model import Model

__all__ = ["KKTDirectionalDerivative", "KKT_FD_directional_derivative"]


@shown_in_notebooks
class KKTDirectionalDerivative(NamedTuple):
    """Results of `KKT_FD` and their derivatives along a direction."""

    qdd: Array
    """Joint accelerations, shape (..., NV)."""
    lambda_: Array
    """Forces of the constraints, shape (..., m)."""
    dqdd: Array
    """Directional derivative of qdd, shape (..., NV)."""
    dlambda: Array
    """Directional derivative of lambda, shape (..., m)."""


@constrained(
    "(q),(v),(v),(v),(v),(v)->(v),(m),(v),(m)",
    lambda n, m: size_of(n, m, 2 * n),
    kernel=direction_of_batch,
    validate_constraints=validate_refusal,
    choose=choose_direction,
)
def KKT_FD_directional_derivative(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    dq: Array,
    dqd: Array,
    dtau: Array,
    constraints: Constraints,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    damping: float = 0.0,
    baumgarte: tuple[float, float] | None = None,
    rank: Refusal = "raise",
    **options: Unpack[Options],
) -> KKTDirectionalDerivative:
    """Compute constrained forward dynamics and its derivative along a direction.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    dq, dqd, dtau : array, shape (..., NV)
        The direction; dq is along the joints' degrees of freedom. For p directions, put them along
        a leading axis and pass ``q[..., None, :]`` and so on.
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.
    damping, baumgarte, rank : optional
        As for `KKT_FD`; `rank` is ``"raise"`` or ``"nan"``.

    Returns
    -------
    qdd, lambda_ : array, shapes (..., NV), (..., m)
        Joint accelerations and constraint forces, as from `KKT_FD`.
    dqdd, dlambda : array, shapes (..., NV), (..., m)
        Their derivatives along the direction.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.
    SpatialError
        Linearly dependent constraint rows.

    Notes
    -----
    Kudruss, Manns, Kirches (2019), Algorithm 4: the solution x of ``K x = b`` has the derivative dx
    with ``K dx = db - dK x``, so that K is factorised once. (In the paper, line 4 has
    ``S^T lambda_c`` in place of the joint force, and lambda in x lacks its minus sign.)
    `KKT_FO_derivatives` computes the derivatives along all directions.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip, zero = PointConstraint(1, [1.0, 0, 0], directions=[[0, 1, 0]]), [0.0, 0.0]
    >>> direction, state = ([1.0, 0.0], zero, zero), (zero, zero, zero)
    >>> d = KKT_FD_directional_derivative(autoTree(2), *state, *direction, [tip])
    >>> d.dqdd.round(3)
    array([0., 0.])
    """
    push: Any = {"f_ext": f_ext, "frame": frame}
    how: Any = {"damping": damping, "baumgarte": baumgarte, **push}
    qdd, lambda_ = KKT_FD(model, q, qd, tau, constraints, rank=rank, **how)
    solution = at_solution(model, q, qd, qdd, lambda_, constraints, damping, baumgarte)
    rows, kkt, G_q_lambda = solution
    ID_q, ID_qd = ID_derivatives(model, q, qd, qdd, **push)
    dq, dqd = column(dq), column(dqd)
    dqdd, dlambda = kkt.solve(
        column(dtau) - (ID_q - G_q_lambda) @ dq - ID_qd @ dqd,
        -rows.residual_q @ dq - rows.residual_qd @ dqd,
    )
    return KKTDirectionalDerivative(qdd, lambda_, uncolumn(dqdd), uncolumn(dlambda))
