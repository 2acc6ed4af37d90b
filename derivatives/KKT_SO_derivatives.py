"""Second derivatives of constrained forward dynamics."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Unpack

from derivatives.constrained import (
    across_tensor,
    along_columns,
    at_solution,
    times_tensor,
)
from derivatives.ID_derivatives import ID_derivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.differentiated import choose_second, second_of_batch
from spatial_v2.constraints.KKT_FD import KKT_FD
from spatial_v2.constraints.options import validate_refusal
from spatial_v2.constraints.rank import Refusal
from spatial_v2.model import Model

__all__ = ["KKTSODerivatives", "KKT_SO_derivatives"]


@shown_in_notebooks
class KKTSODerivatives(NamedTuple):
    """Second derivatives of qdd (..., NV, NV, NV) and lambda (..., m, NV, NV) of `KKT_FD`."""

    d2qdd_dq: Array
    """Entry [i, j, k] is the derivative along q_k of the derivative along q_j of qdd_i."""
    d2qdd_dqd: Array
    """Entry [i, j, k] is the second derivative of qdd_i with respect to qd_j and qd_k."""
    d2qdd_cross: Array
    """Entry [i, j, k] is the derivative of qdd_i along q_j and with respect to qd_k."""
    d2qdd_dtauq: Array
    """Entry [i, j, k] is the derivative of qdd_i with respect to tau_j and along q_k."""
    d2lambda_dq: Array
    """Entry [c, j, k] is the derivative along q_k of the derivative along q_j of lambda_c."""
    d2lambda_dqd: Array
    """Entry [c, j, k] is the second derivative of lambda_c with respect to qd_j and qd_k."""
    d2lambda_cross: Array
    """Entry [c, j, k] is the derivative of lambda_c along q_j and with respect to qd_k."""
    d2lambda_dtauq: Array
    """Entry [c, j, k] is the derivative of lambda_c with respect to tau_j and along q_k."""


@constrained(
    "(q),(v),(v)->(v,v,v),(v,v,v),(v,v,v),(v,v,v),(m,v,v),(m,v,v),(m,v,v),(m,v,v)",
    lambda n, m: 12 * (n + m) * n * n,
    order=2,
    kernel=second_of_batch,
    validate_constraints=validate_refusal,
    choose=choose_second,
)
def KKT_SO_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    constraints: Constraints,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    damping: float = 0.0,
    baumgarte: tuple[float, float] | None = None,
    rank: Refusal = "raise",
    **options: Unpack[Options],
) -> KKTSODerivatives:
    """Compute second derivatives of `KKT_FD` with respect to q, qd and tau.

    MATLAB: ``derivs = KKT_SO_derivatives(robot,q,qd,tau,S)`` with ``da_dqq``, ``da_dvv``, ...,
    which stack the derivatives of qdd on those of -lambda, for one foot of a planar quadruped.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.
    damping, baumgarte, rank : optional
        As for `KKT_FD`; `rank` is ``"raise"`` or ``"nan"``, since second derivatives do not exist
        for dependent constraint rows.

    Returns
    -------
    KKTSODerivatives
        Named tuple of second derivatives, ordered as those of `ID_SO_derivatives`; those with
        respect to two joint forces, or a joint force and a velocity, are zero. `symmetrize` turns
        the second derivatives along q into Hessians.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.
    SpatialError
        Linearly dependent constraint rows; with `damping` the derivatives exist.

    Notes
    -----
    The equations are those of `KKT_FO_derivatives` differentiated once more, with the same matrix
    K. With P, Q, U and L, Lv, Lt the first derivatives and ^R the transpose of the last two
    indices::

        K [qdd; -lambda]_qq    = -[ d2tau_dq - lambda.G_qq + dM P + (dM P)^R - G_q' L - (G_q' L)^R ;
                                    alpha_qq + G_q P + (G_q P)^R - a*_qq ]
        K [qdd; -lambda]_q,qd  = -[ d2tau_cross + (dM Q)^R - (G_q' Lv)^R ;
                                    alpha_q,qd + (G_q Q)^R - a*_q,qd ]
        K [qdd; -lambda]_qd,qd = -[ d2tau_dqd ; alpha_qd,qd ]
        K [qdd; -lambda]_tau,q = -[ dM U - G_q' Lt ; G_q U ]

    Optimisers often need only a weighted sum of these tensors: see `modKKT_second_derivatives`.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(2, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> d = KKT_SO_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0], [tip])
    >>> d.d2qdd_dq[0].round(3)
    array([[  6.633,  16.318,   2.561],
           [ 16.318, -28.159,  13.95 ],
           [  2.561,  13.95 ,  -7.283]])
    """
    constraints = constraint_set(model, constraints)
    push: Any = {"f_ext": f_ext, "frame": frame}
    how: Any = {"damping": damping, "baumgarte": baumgarte, **push}
    qdd, lambda_ = KKT_FD(model, q, qd, tau, constraints, rank=rank, **how)
    solution = at_solution(model, q, qd, qdd, lambda_, constraints, damping, baumgarte)
    rows, kkt, G_q_lambda = solution
    ID_q, ID_qd = ID_derivatives(model, q, qd, qdd, **push)
    P, Q, U, L, Lv, Lt = rows.first(kkt, G_q_lambda, ID_q, ID_qd)
    d2tau_dq, d2tau_dqd, d2tau_cross, dM = ID_SO_derivatives(model, q, qd, qdd, **push)
    R, G_q = namespace(qdd, P).matrix_transpose, rows.G_q

    top = times_tensor(dM, P) - across_tensor(G_q, L)
    bottom = times_tensor(G_q, P)
    qq = along_columns(
        kkt,
        rows.G_qq(lambda_) - d2tau_dq - top - R(top),
        -rows.residual_qq - bottom - R(bottom),
    )
    cross = along_columns(
        kkt,
        R(across_tensor(G_q, Lv) - times_tensor(dM, Q)) - d2tau_cross,
        -rows.residual_qv - R(times_tensor(G_q, Q)),
    )
    vv = along_columns(kkt, -d2tau_dqd, -rows.residual_vv)
    tauq = along_columns(kkt, across_tensor(G_q, Lt) - times_tensor(dM, U), -times_tensor(G_q, U))
    of_qdd, of_lambda = zip(qq, vv, cross, tauq, strict=True)
    return KKTSODerivatives(*of_qdd, *of_lambda)
