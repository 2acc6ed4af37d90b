"""Second derivatives of forward dynamics contracted with a vector, without the tensors."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives.AZA import AZA
from derivatives.FD_derivatives import inverse_times
from derivatives.IDFOZA import IDFOZA
from derivatives.modID_second_derivatives import modID_second_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import FDab
from spatial_v2.dynamics.Hinverse import Hinverse
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.model import Model

__all__ = ["ModFDSecondDerivatives", "modFD_second_derivatives"]


@shown_in_notebooks
class ModFDSecondDerivatives(NamedTuple):
    """Hessian blocks of ``lambda . FDab`` and first derivatives of FDab, arrays (..., NV, NV)."""

    FD_q: Array
    """Derivatives of the accelerations along q."""
    FD_qd: Array
    """Derivatives of the accelerations with respect to qd."""
    FD_tau: Array
    """Derivatives of the accelerations with respect to tau: the inverse of the inertia matrix."""
    H_qq: Array
    """Entry [j, k] of the Hessian is the derivative along q_j, then along q_k; the order matters.
    """
    H_qdqd: Array
    """Entry [j, k] is the second derivative with respect to qd_j and qd_k."""
    H_qdq: Array
    """Entry [j, k] is the derivative with respect to qd_j and along q_k."""
    H_tauq: Array
    """Entry [j, k] is the derivative with respect to tau_j and along q_k."""


@accelerated(
    "modFD_second_derivatives",
    "(q),(v),(v),(v)->(v,v),(v,v),(v,v),(v,v),(v,v),(v,v),(v,v)",
    rotors="own",
    joint_terms=True,
    singular=singular_joints,
    coupled_kernel="modFD_second_derivatives_coupled",
)
def modFD_second_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    lambda_: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> ModFDSecondDerivatives:
    """Compute the Hessian of ``lambda . FDab(q, qd, tau)`` without third-order tensors.

    MATLAB: ``[FD_q,FD_qd,FD_tau,H_qq,H_qdqd,H_qdq,H_tauq] =
    modFD_second_derivatives(model,q,qd,tau,lambda)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    lambda_ : array, shape (..., NV)
        Weight of each joint acceleration.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.

    Returns
    -------
    ModFDSecondDerivatives
        ``H_qq[j, k] = sum_i lambda_i d2qdd_dq[i, j, k]``, and so on. The blocks with respect to two
        joint forces, or a joint force and a velocity, are zero and are left out.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`; a joint that moves no inertia of its own in this configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    With ``mu = H^-1 lambda``, P = dqdd/dq, Q = dqdd/dqd and N = d(H mu)/dq at constant mu, the
    contraction of (46)-(49) in Singh, Russell, Wensing (2023) leaves only matrices. Differential
    dynamic programming and sequential quadratic programming need these second derivatives in every
    step. The kernel takes P and Q from `FD_derivatives`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> modFD_second_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [0, 0], [1, -1]).H_qq.shape
    (2, 2)
    """
    qdd = FDab(model, q, qd, tau, f_ext, frame=frame)
    Minv = Hinverse(model, q)
    mu = AZA(model, q, lambda_)
    m = modID_second_derivatives(model, q, qd, qdd, mu, f_ext, frame=frame)
    N = IDFOZA(model, q, mu)

    xp, n = namespace(Minv, qdd, mu), model.NV
    T = xp.matrix_transpose
    # Columns of H^-1 B by forward dynamics: products with Minv lose digits on long chains.
    columns = xp.broadcast_arrays(m.dtau_dq, m.dtau_dv, N)
    B = inverse_times(model, q, xp.concat(columns, axis=-1))
    P, Q, H_tauq = -B[..., :n], -B[..., n : 2 * n], -B[..., 2 * n :]
    return ModFDSecondDerivatives(
        FD_q=P,
        FD_qd=Q,
        FD_tau=Minv,
        H_qq=-(m.dmod_dqq + T(P) @ N + T(N) @ P),
        H_qdqd=-m.dmod_dvv,
        H_qdq=-(T(m.dmod_dqv) + T(Q) @ N),
        H_tauq=H_tauq,
    )
