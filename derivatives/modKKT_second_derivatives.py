"""Second derivatives of constrained forward dynamics contracted with weights, without tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from derivatives.constrained import at_solution, rows_weighted
from derivatives.ID_derivatives import ID_derivatives
from derivatives.IDFOZA import IDFOZA
from derivatives.KKT_FO_derivatives import KKT_FO_derivatives
from derivatives.kkt_parts import weighted_second
from derivatives.modID_second_derivatives import modID_second_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.blocks import fill_blocks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.ConstraintSet import Constraints, ConstraintSet, constraint_set
from spatial_v2.constraints.kernels import forces_of, size_of
from spatial_v2.constraints.KKT_FD import KKT_FD
from spatial_v2.constraints.options import Gains, settle
from spatial_v2.constraints.stabilised import wanted_q, wanted_qd, wanted_qq, wanted_qv
from spatial_v2.model import Model

__all__ = ["ModKKTSecondDerivatives", "modKKT_second_derivatives"]


@shown_in_notebooks
class ModKKTSecondDerivatives(NamedTuple):
    """Gradient (..., NV) and Hessian blocks (..., NV, NV) of ``mu . qdd + nu . lambda_``."""

    grad_q: Array
    """Derivatives along q."""
    grad_qd: Array
    """Derivatives by qd."""
    grad_tau: Array
    """Derivatives by tau."""
    H_qq: Array
    """Entry [j, k] is the derivative along q_k of that along q_j; ordered."""
    H_qdqd: Array
    """Entry [j, k] is the second derivative by qd_j and qd_k."""
    H_qqd: Array
    """Entry [j, k] is the derivative along q_j and by qd_k."""
    H_tauq: Array
    """Entry [j, k] is the derivative by tau_j and along q_k."""


def _compiled(
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    packs: bool,
    constraints: ConstraintSet,
    damping: float = 0.0,
    baumgarte: Gains | None = None,
) -> None:
    """The results of a batch from kernels; where rows depend on others, from the page.

    So, too, where position errors of frames are pulled back.
    """
    frames = any(x.own >= 0 for x in constraints.relations)
    paged = frames and baumgarte is not None and bool(baumgarte.Kp.any())

    def made(*given: np.ndarray) -> Sequence[np.ndarray]:
        found = None
        if not paged:
            found = weighted_second(model, given, constraints, damping, baumgarte, packs)
        if found is not None:
            return found
        how: Any = {"damping": damping, "baumgarte": baumgarte}
        how |= forces_of(model, given[5:])
        page: Callable[..., Sequence[np.ndarray]] = modKKT_second_derivatives.textbook
        return page(model, *given[:5], constraints, **how)

    fill_blocks(made, arrays, results, packs, size_of(model, constraints.m, 3 * model.NV))


@accelerated(
    None,
    "(q),(v),(v),(v),(m)->(v),(v),(v),(v,v),(v,v),(v,v),(v,v)",
    rotors="ignore",
    settle=settle,
    composed=_compiled,
    joints="page",
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
    **options: Unpack[Options],
) -> ModKKTSecondDerivatives:
    """Gradient and Hessian of ``mu . qdd + nu . lambda_`` of `KKT_FD`, from matrices alone.

    What differential dynamic programming and sequential quadratic programming need of contacts.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    mu : array, shape (..., NV)
        Weight of each joint acceleration.
    nu : array, shape (..., m)
        Weight of each multiplier.
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        What holds the bodies.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces; see `ID`.
    frame : {"base", "body"}, optional
        Where they are given, and constant.
    damping, baumgarte : optional
        As of `KKT_FD`.
    **options : Options
        ``out`` and ``workers``, as of all accelerated functions.

    Returns
    -------
    ModKKTSecondDerivatives
        Blocks of the Hessian, ordered; those by two forces, and by a force and a velocity, are
        zero.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that the model cannot have.
    SpatialError
        Rows that depend on each other; `damping` makes them differentiable.

    Notes
    -----
    With ``K [w; z] = [mu; -nu]`` the equations of `KKT_SO_derivatives` are multiplied from the left
    by [w; z]: derivatives of the joint forces are weighted by w, those of the rows by z. With
    ``N = (H w)_q + z . G_q`` and ``B[c, k] = w . G_q[c, ., k]``::

        H_qq   = -(w.ID_qq - w.(G^T lambda)_qq + z.(alpha - a*)_qq + P'N + N'P - L'B - B'L)
        H_q,qd = -(w.ID_q,qd + z.(alpha - a*)_q,qd + N'Q - B'Lv)
        H_qd,qd = -(w.ID_qd,qd + z.alpha_qd,qd),   H_tau,q = -(U'N - Lt'B)

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> d = modKKT_second_derivatives(autoTree(2), [0.1, 0.2], [1, 1], [0, 0], [1, 0], [0], [tip])
    >>> d.H_qq.shape
    (2, 2)
    """
    held = constraint_set(model, constraints)
    push: Any = {"f_ext": f_ext, "frame": frame}
    how: Any = {"damping": damping, "baumgarte": baumgarte, **push}
    qdd, lambda_ = KKT_FD(model, q, qd, tau, held, **how)
    P, Q, U, L, Lv, Lt = KKT_FO_derivatives(model, q, qd, tau, held, **how)
    rows, kkt, G_q_lambda = at_solution(model, q, qd, qdd, lambda_, held, damping)
    ID_q, ID_qd = ID_derivatives(model, q, qd, qdd, **push)
    xp, T, G_q = namespace(qdd, P, nu), namespace(P).matrix_transpose, rows.G_q

    w, y = kkt.solve(column(mu), -column(nu))
    w, z = uncolumn(w), -uncolumn(y)
    ID2 = modID_second_derivatives(model, q, qd, qdd, w, **push)
    turned = held.rows(model, q, 0 * qd, w)
    N = IDFOZA(model, q, w) + rows_weighted(G_q, z)
    B = xp.sum(G_q * w[..., None, :, None], axis=-2)

    def weighted(x: Array) -> Array:
        return uncolumn(T(x) @ column(z))

    PN_LB = T(P) @ N - T(L) @ B
    errors_qq = rows.alpha_qq - wanted_qq(rows, baumgarte, held, model, q, qd)
    errors_qv = rows.alpha_qv - wanted_qv(rows, baumgarte)
    return ModKKTSecondDerivatives(
        grad_q=-uncolumn(T(ID_q - G_q_lambda) @ column(w))
        - weighted(rows.alpha_q - wanted_q(rows, baumgarte)),
        grad_qd=-uncolumn(T(ID_qd) @ column(w))
        - weighted(rows.alpha_qd - wanted_qd(rows, baumgarte)),
        grad_tau=w,
        H_qq=rows_weighted(turned.alpha_qq, lambda_)
        - ID2.dmod_dqq
        - rows_weighted(errors_qq, z)
        - PN_LB
        - T(PN_LB),
        H_qdqd=-ID2.dmod_dvv - rows_weighted(rows.alpha_vv, z),
        H_qqd=T(B) @ Lv - T(N) @ Q - ID2.dmod_dqv - rows_weighted(errors_qv, z),
        H_tauq=T(Lt) @ B - T(U) @ N,
    )
