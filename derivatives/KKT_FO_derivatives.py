"""First derivatives of constrained forward dynamics."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Unpack

from derivatives.constrained import at_solution, rank_constant
from derivatives.ID_derivatives import ID_derivatives
from spatial_v2.arrays import Array, column, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints
from spatial_v2.constraints.differentiated import choose_first, first_of_batch
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.KKT_FD import KKT_FD
from spatial_v2.constraints.rank import Rank
from spatial_v2.model import Model

__all__ = ["KKTDerivatives", "KKT_FO_derivatives"]


@shown_in_notebooks
class KKTDerivatives(NamedTuple):
    """First derivatives of both results of `KKT_FD`: qdd (NV) and lambda (m)."""

    dqdd_dq: Array
    """Entry [i, j] is the derivative of qdd_i along velocity variable j."""
    dqdd_dqd: Array
    """Entry [i, j] is the derivative of qdd_i with respect to qd_j."""
    dqdd_dtau: Array
    """Entry [i, j] is the derivative of qdd_i with respect to tau_j; symmetric."""
    dlambda_dq: Array
    """Entry [c, j] is the derivative of lambda_c along velocity variable j."""
    dlambda_dqd: Array
    """Entry [c, j] is the derivative of lambda_c with respect to qd_j."""
    dlambda_dtau: Array
    """Entry [c, j] is the derivative of lambda_c with respect to tau_j."""


@constrained(
    "(q),(v),(v)->(v,v),(v,v),(v,v),(m,v),(m,v),(m,v)",
    lambda n, m: size_of(n, m, 3 * n),
    kernel=first_of_batch,
    choose=choose_first,
)
def KKT_FO_derivatives(
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
    rank: Rank = "raise",
    **options: Unpack[Options],
) -> KKTDerivatives:
    """Compute derivatives of constrained accelerations and constraint forces along q, qd and tau.

    MATLAB: ``[dKKT_dq,dKKT_dv,dKKT_dtau] = KKT_FO_derivatives(robot,q,qd,tau,S)``, each of which
    stacks the derivatives of qdd on those of -lambda, for one foot of a planar quadruped.

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
        As for `KKT_FD`. If the rank of dependent constraint rows changes with the configuration,
        the derivatives along q do not exist: they are set to NaN with a warning.

    Returns
    -------
    KKTDerivatives
        Named tuple. Derivatives along q are along the joints' degrees of freedom, as those of
        `ID_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.
    SpatialError
        Linearly dependent constraint rows.

    Warns
    -----
    RankWarning
        As for `KKT_FD`, or if the rank of dependent rows changes with the configuration.

    Notes
    -----
    The KKT matrix K is factorised once and solved for 3 NV right-hand sides: Kudruss, Manns,
    Kirches (2019), Algorithm 4. Subscripts q and qd are derivatives, ID is inverse dynamics at the
    solution, alpha the acceleration of the constraint rows and a* its prescribed value. P, Q, U are
    the derivatives of qdd with respect to q, qd, tau, and L, Lv, Lt those of lambda::

        K [ P ; -L  ] = -[ ID_q  - (G^T lambda)_q ; alpha_q  - a*_q  ]
        K [ Q ; -Lv ] = -[ ID_qd                  ; alpha_qd - a*_qd ]
        K [ U ; -Lt ] =  [ 1                      ; 0                ]

    For dependent rows the pseudoinverse K^+ replaces the inverse. Two terms are then added along q
    (Golub, Pereyra, 1973): one for the residual rho of rows that no acceleration satisfies, and one
    for the choice of the shortest lambda.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(2, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> d = KKT_FO_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0], [tip])
    >>> d.dqdd_dq.round(3)
    array([[  2.892,  19.604,  -1.635],
           [ -6.917, -45.785,  16.728],
           [ 23.921,  49.939, -17.218]])
    """
    push: Any = {"f_ext": f_ext, "frame": frame}
    how: Any = {"damping": damping, "baumgarte": baumgarte, "rank": rank, **push}
    qdd, lambda_ = KKT_FD(model, q, qd, tau, constraints, **how)
    solution = at_solution(model, q, qd, qdd, lambda_, constraints, damping, baumgarte, rank)
    rows, kkt, G_q_lambda = solution
    ID_q, ID_qd = ID_derivatives(model, q, qd, qdd, **push)
    P, Q, U, L, Lv, Lt = rows.first(kkt, G_q_lambda, ID_q, ID_qd)
    if kkt.dependent:
        rho = -uncolumn(kkt.missed(rows.residual))
        x, y = kkt.solve(rows.pushed(rho), 0 * rows.G)
        x, y = kkt.solve(x, -y)
        P, L = P + x, L + y
        short, _ = kkt.solve(column(qdd), -column(lambda_))
        L = L - kkt.missed(rows.at_rest(uncolumn(short)).residual_q)
        P, L = rank_constant(model, kkt, rows.G, rows.sizes, rows.G_q, U, P, L)
    return KKTDerivatives(P, Q, U, L, Lv, Lt)
