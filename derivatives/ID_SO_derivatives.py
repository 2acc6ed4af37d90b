"""Second derivatives of inverse dynamics: IDSVA-SO."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives.external import with_external_forces
from derivatives.per_velocity import ancestry, constant_force, put, second_order_matrices
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.engine.tensors.runs import ID_SO
from spatial_v2.model import Model

__all__ = ["IDSODerivatives", "ID_SO_derivatives"]


@shown_in_notebooks
class IDSODerivatives(NamedTuple):
    """Second derivatives of inverse dynamics, arrays (..., NV, NV, NV)."""

    d2tau_dq: Array
    """Entry [i, j, k] is the derivative along q_k of the derivative along q_j of tau_i."""
    d2tau_dqd: Array
    """Entry [i, j, k] is the second derivative of tau_i with respect to qd_j and qd_k."""
    d2tau_cross: Array
    """Entry [i, j, k] is the derivative of tau_i along q_j and with respect to qd_k."""
    dM_dq: Array
    """Entry [i, j, k] is the derivative of H_ij = dtau_i/dqdd_j along q_k."""


@accelerated(
    "ID_SO_derivatives",
    "(q),(v),(v)->(v,v,v),(v,v,v),(v,v,v),(v,v,v)",
    runs=ID_SO,
    joint_terms=True,
)
def ID_SO_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    packed: bool = False,
    **options: Unpack[Options],
) -> IDSODerivatives:
    """Compute second derivatives of inverse dynamics with respect to q, qd and qdd.

    MATLAB: ``s = ID_SO_derivatives(model,q,qd,qdd)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.
    packed : bool, optional
        If True, return each tensor as a `PackedTensor`, which stores only entries that can be
        nonzero.

    Returns
    -------
    d2tau_dq, d2tau_dqd, d2tau_cross, dM_dq : array, shape (..., NV, NV, NV)
        Named tuple; indices [torque, first variable, second variable]. All second derivatives that
        are not among these four are zero.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`.

    Notes
    -----
    Second derivatives along q are ordered: ``d2tau_dq[i, j, k] = d_k (d_j tau_i)``. Within a joint
    whose degrees of freedom do not commute it differs from ``[i, k, j]``; see `StructureConstants`,
    and `symmetrize` for a Hessian in the sense of Newton steps.

    Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body Dynamics" (2023), Algorithm
    1. To understand this code, read `derivatives.reference.idsva_so` first, which follows the loops
    of the algorithm line by line. This function computes the algorithm's matrices A and vectors u
    for all velocity variables p, t, r at once, so that JAX and PyTorch trace a few products of
    matrices, not a program for each triple. Masks replace the loops and conditions: the body of t
    is that of p or an ancestor of it, and likewise r for t. A1 is symmetric and A0 skew, hence
    ``u8 = u5``, ``u12 = u2`` and ``u11 = u2 - u9``. The kernel is O(N d^2). External forces that
    are constant in body coordinates are included in fC; those that are constant in base
    coordinates, with eC minus their sums over subtrees, add ``s_r . ((s_t x s_p) x* eC_p)`` to the
    entries of tau_p in d2tau_dq.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> s = ID_SO_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> s.d2tau_dq.shape
    (3, 3, 3)
    >>> ID_SO_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0], packed=True).dM_dq
    <PackedTensor: 13 of 3x3x3 entries>
    """
    xp = namespace(q, qd, qdd, f_ext)
    T = xp.matrix_transpose
    g, eC = with_external_forces(model, *robot_frame(model, q, qd, qdd), f_ext, frame)
    S, psid, psidd, rate = g.S, g.psid, g.psidd, g.psid + g.Sd
    A0, A1, Bs, A2, A3, A4, A5, A6, A7 = second_order_matrices(model, g)
    E = constant_force(model, g, eC)

    def at(A: Array, X: Array) -> Array:
        return A @ X[..., None, :, :]

    u1, u2 = at(T(A3), S), at(A1, S)
    u3 = at(A3, psid) + at(A1, psidd) + at(A5, S)
    u4, u5 = at(A6, S), at(A2, psid) + at(A4, S)
    u6 = at(Bs, psid) + at(A7, S)
    u7 = at(A3, S) + at(A1, rate)
    u9, u10, u11 = at(A0, S), at(Bs, S), at(T(Bs), S)

    def dot(u: Array, X: Array) -> Array:
        return T(u) @ X[..., None, :, :]

    p1, p2 = dot(u11, psid), dot(u5, psid) + dot(u9, psidd) + dot(at(E, S), S)
    a, b = dot(u2, S), dot(u9, S)

    below, above = ancestry(model, like=q)
    same = below - T(above)
    tree = below[:, :, None] * below[None, :, :]
    k_lt_j = below[:, :, None] * T(above)[None, :, :]
    j_lt_i = T(above)[:, :, None] * below[None, :, :]
    k_lt_j_lt_i = T(above)[:, :, None] * T(above)[None, :, :]
    k_lt_j_is_i = same[:, :, None] * T(above)[None, :, :]
    k_is_j = below[:, :, None] * same[None, :, :]

    return IDSODerivatives(
        d2tau_dq=put(p2, tree, "ptr")
        + put(p2, k_lt_j, "prt")
        + put(dot(u1, psid) + dot(u2, psidd), j_lt_i, "trp", "tpr")
        + put(dot(u3, S), k_lt_j, "rpt")
        + put(dot(u3, S), k_lt_j_lt_i, "rtp"),
        d2tau_dqd=put(b - a, k_lt_j, "ptr", "prt")
        + put(-a, k_is_j, "ptr")
        + put(a - b, j_lt_i, "trp", "tpr")
        + put(dot(u10, S), k_lt_j_lt_i, "rtp", "rpt")
        + put(dot(u4, S), k_lt_j_is_i, "rtp"),
        d2tau_cross=put(-p1, tree, "prt")
        + put(p1, j_lt_i, "trp")
        + put(dot(u1, S) + dot(u2, rate), j_lt_i, "tpr")
        + put(dot(u5, S) + dot(u9, rate), k_lt_j, "ptr")
        + put(dot(u6, S), k_lt_j, "rtp")
        + put(dot(u7, S), k_lt_j_lt_i, "rpt"),
        dM_dq=put(a, j_lt_i, "trp") + put(a, k_lt_j_lt_i, "rtp") + put(b, k_lt_j, "rpt", "prt"),
    )
