"""Second derivatives of constrained forward dynamics contracted with weights, without tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Unpack

from derivatives.constrained import at_solution
from derivatives.IDFOZA import IDFOZA
from derivatives.modID_second_derivatives import (
    ModIDSecondDerivatives,
    modID_second_derivatives,
)
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import constrained
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.KKT_FD import KKT_FD
from spatial_v2.constraints.options import validate_refusal
from spatial_v2.constraints.rank import Refusal
from spatial_v2.model import Model

__all__ = ["ModKKTSecondDerivatives", "modKKT_second_derivatives"]


@shown_in_notebooks
class ModKKTSecondDerivatives(NamedTuple):
    """Gradient (..., NV) and Hessian blocks (..., NV, NV) of ``mu . qdd + nu . lambda_``."""

    grad_q: Array
    """Derivatives of the scalar along q."""
    grad_qd: Array
    """Derivatives of the scalar with respect to qd."""
    grad_tau: Array
    """Derivatives of the scalar with respect to tau."""
    H_qq: Array
    """Entry [j, k] is the derivative along q_j, then along q_k; ordered."""
    H_qdqd: Array
    """Entry [j, k] is the second derivative with respect to qd_j and qd_k."""
    H_qdq: Array
    """Entry [j, k] is the derivative with respect to qd_j and along q_k."""
    H_tauq: Array
    """Entry [j, k] is the derivative with respect to tau_j and along q_k."""


@constrained(
    "(q),(v),(v),(v),(m)->(v),(v),(v),(v,v),(v,v),(v,v),(v,v)",
    lambda n, m: size_of(n, m, 3 * n),
    order=2,
    validate_constraints=validate_refusal,
)
def modKKT_second_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    mu: Array,
    nu: Array,
    constraints: Constraints,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    damping: float = 0.0,
    baumgarte: tuple[float, float] | None = None,
    rank: Refusal = "raise",
    **options: Unpack[Options],
) -> ModKKTSecondDerivatives:
    """Compute gradient and Hessian of ``mu . qdd + nu . lambda_`` of `KKT_FD` without tensors.

    Differential dynamic programming and sequential quadratic programming with contacts use it.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    mu : array, shape (..., NV)
        Weight of each joint acceleration.
    nu : array, shape (..., m)
        Weight of each constraint force.
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
    ModKKTSecondDerivatives
        Named tuple of the gradient and the ordered blocks of the Hessian. Blocks with respect to
        two joint forces, or a joint force and a velocity, are zero and are left out.

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
    With ``K [w; z] = [mu; -nu]`` the equations of `KKT_SO_derivatives` are multiplied from the left
    by [w; z]: derivatives of the joint forces are weighted by w, those of the constraint rows by z.
    With ``N = (H w)_q + z . G_q`` and ``B[c, k] = w . G_q[c, ., k]``::

        H_qq   = -(w.ID_qq - w.(G^T lambda)_qq + z.(alpha - a*)_qq + P'N + N'P - L'B - B'L)
        H_qd,q = -(w.ID_qd,q + z.(alpha - a*)_qd,q + Q'N - Lv'B)
        H_qd,qd = -(w.ID_qd,qd + z.alpha_qd,qd),   H_tau,q = -(U'N - Lt'B)

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> d = modKKT_second_derivatives(autoTree(2), [0.1, 0.2], [1, 1], [0, 0], [1, 0], [0], [tip])
    >>> d.H_qq.round(3)
    array([[0.414, 3.233],
           [3.233, 2.162]])
    """
    constraints = constraint_set(model, constraints)
    push: Any = {"f_ext": f_ext, "frame": frame}
    how: Any = {"damping": damping, "baumgarte": baumgarte, **push}
    qdd, lambda_ = KKT_FD(model, q, qd, tau, constraints, rank=rank, **how)
    solution = at_solution(model, q, qd, qdd, lambda_, constraints, damping, baumgarte)
    rows, kkt, G_q_lambda = solution
    T = namespace(qdd, nu).matrix_transpose

    w, y = kkt.solve(column(mu), -column(nu))
    w, z = uncolumn(w), -uncolumn(y)
    ID2 = modID_second_derivatives(model, q, qd, qdd, w, **push)
    ID_q, ID_qd = ID2.dtau_dq, ID2.dtau_dv

    def weighted(x: Array, y: Array) -> Array:
        return uncolumn(T(x) @ column(w)) + uncolumn(T(y) @ column(z))

    first = rows.first(kkt, G_q_lambda, ID_q, ID_qd)
    return ModKKTSecondDerivatives(
        -weighted(ID_q - G_q_lambda, rows.residual_q),
        -weighted(ID_qd, rows.residual_qd),
        w,
        *hessian_blocks(model, q, lambda_, rows, first, ID2, w, z),
    )


def hessian_blocks(
    model: Model, q: Array, lambda_: Array, rows: Any, first: Sequence[Array],
    ID2: ModIDSecondDerivatives, w: Array, z: Array,
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Compute the blocks qq, qdqd, qdq and tauq of the Hessian; see `modKKT_second_derivatives`.

    `first` has the first derivatives P, Q, U of the accelerations and L, Lv, Lt of the
    multipliers.
    """
    T, (P, Q, U, L, Lv, Lt) = namespace(w, z).matrix_transpose, first
    turned = rows.at_rest(w)
    N, B = IDFOZA(model, q, w) + turned.pushed(z), turned.residual_q
    PN_LB = T(P) @ N - T(L) @ B
    qq, qv, vv = rows.second(z)
    return (
        turned.second(lambda_)[0] - ID2.dmod_dqq - qq - PN_LB - T(PN_LB),
        -ID2.dmod_dvv - vv,
        T(Lv) @ B - T(Q) @ N - T(ID2.dmod_dqv + qv),
        T(Lt) @ B - T(U) @ N,
    )
