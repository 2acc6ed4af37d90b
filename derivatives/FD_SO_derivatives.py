"""Second derivatives of forward dynamics: FDSVA-SO."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives import fd_so_tensors as tensors
from derivatives.FD_derivatives import FD_derivatives, inverse_times
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from derivatives.IDFOZA import IDFOZA
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import ID, FDab
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = ["FDSODerivatives", "FD_SO_derivatives"]


@shown_in_notebooks
class FDSODerivatives(NamedTuple):
    """Second derivatives of forward dynamics, arrays (..., NV, NV, NV)."""

    d2qdd_dq: Array
    """Entry [i, j, k] is the derivative along q_k of the derivative along q_j of qdd_i."""
    d2qdd_dqd: Array
    """Entry [i, j, k] is the second derivative of qdd_i with respect to qd_j and qd_k."""
    d2qdd_cross: Array
    """Entry [i, j, k] is the derivative of qdd_i along q_j and with respect to qd_k."""
    dMinv_dq: Array
    """Entry [i, j, k] is the derivative of (H^-1)_ij = dqdd_i/dtau_j along q_k."""


@accelerated(
    None,
    "(q),(v),(v)->(v,v,v),(v,v,v),(v,v,v),(v,v,v)",
    rotors="own",
    composed=tensors.fill,
    uses=tensors.KERNELS,
    either=("tau", "qdd", tensors.fill_from),
    make_prepared=tensors.prepare,
    review=tensors.review,
    joint_terms=True,
    singular=singular_joints,
    coupled_kernel="FD_SO_derivatives_coupled",
)
def FD_SO_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array | None = None,
    f_ext: Array | None = None,
    *,
    qdd: Array | None = None,
    frame: Literal["base", "body"] = "base",
    inner: Literal["DTM", "IDFOZA"] = "DTM",
    outer: Literal["DTM", "AZA"] = "DTM",
    **options: Unpack[Options],
) -> FDSODerivatives:
    """Compute second derivatives of forward dynamics with respect to q, qd and tau.

    The fourth argument is the joint force `tau`. MATLAB's function of this name expects the joint
    acceleration there; pass an acceleration by name here, ``qdd=qdd``. The two have the same shape,
    so a mix-up cannot be detected.

    MATLAB: ``s = FD_SO_derivatives(model,q,qd,qdd)``, with the fields d2FD_dq, d2FD_dv, d2FD_dqv,
    d2FD_dtauq.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    tau : array, shape (..., NV), optional
        Joint forces [N m or N].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    qdd : array, shape (..., NV), optional
        The joint acceleration that `tau` produces, if it is known already; give it instead of
        `tau`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.
    inner : {"DTM", "IDFOZA"}, optional
        Method by which the reference implementation multiplies dM/dq by first derivatives: as
        tensor times matrix, or column by column with `IDFOZA`.
    outer : {"DTM", "AZA"}, optional
        Method by which the reference implementation multiplies by ``H^-1``: as a dense matrix, or
        column by column with `AZA`.

    Returns
    -------
    d2qdd_dq, d2qdd_dqd, d2qdd_cross, dMinv_dq : array, shape (..., NV, NV, NV)
        Ordered second derivatives; see `ID_SO_derivatives` for what that means.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        Neither or both of `tau` and `qdd`, or an unknown method or `frame`; a joint that moves no
        inertia of its own in this configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    With M = H, P = dqdd/dq, Q = dqdd/dqd and R the transpose of the last two indices,

    ``d2qdd_dq = -M^-1 (d2tau_dq + dM_dq P + (dM_dq P)^R)``,
    ``d2qdd_dqd = -M^-1 d2tau_dqd``,
    ``d2qdd_cross = -M^-1 (d2tau_cross + (dM_dq Q)^R)``, ``dMinv_dq = -M^-1 (dM_dq M^-1)``.

    Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body Dynamics" (2023),
    (44)-(49). The kernel sums only those entries of the derivatives of the joint force that the
    tree allows to be nonzero. It computes each entry of ``M^-1 (dM_dq X)`` as a product of eight
    numbers: the components, across the axis of a joint, of the acceleration of the joint's parent
    and of the force through the joint. `inner` and `outer` serve to compare methods: with any other
    value than the default the reference implementation runs, which is slower than the kernel. The
    recursive inner product alone is faster than the dense one for large trees; the documentation
    page "Studies" has the times.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> s = FD_SO_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> s.d2qdd_dq[0].round(3)
    array([[  0.   ,   0.   ,   0.   ],
           [  0.   , -35.957,  -4.28 ],
           [  0.   ,  -4.28 ,   1.433]])
    """
    if inner not in ("DTM", "IDFOZA"):
        raise SpatialError(f"inner: want 'DTM' or 'IDFOZA', got {inner!r}")
    if outer not in ("DTM", "AZA"):
        raise SpatialError(f"outer: want 'DTM' or 'AZA', got {outer!r}")
    if qdd is None:
        qdd = FDab(model, q, qd, tau, f_ext, frame=frame)
    else:
        tau = ID(model, q, qd, qdd, f_ext, frame=frame)
    P, Q, Minv = FD_derivatives(model, q, qd, tau, f_ext, frame=frame)
    d2tau_dq, d2tau_dqd, d2tau_cross, dM_dq = ID_SO_derivatives(
        model, q, qd, qdd, f_ext, frame=frame
    )

    T = namespace(Minv, qdd).matrix_transpose

    def dM_times(X: Array) -> Array:
        """Return the tensor ``[i, j, k] = sum_l dM_dq[i, l, k] X[l, j]``."""
        if inner == "DTM":
            return T(X)[..., None, :, :] @ dM_dq
        return namespace(X).moveaxis(IDFOZA(model, q[..., None, :], T(X)), -3, -2)

    def minus_Minv_times(X: Array) -> Array:
        flat = namespace(X).reshape(X, (*X.shape[:-2], model.NV**2))
        product = Minv @ flat if outer == "DTM" else inverse_times(model, q, flat)
        return -namespace(X).reshape(product, X.shape)

    dM_P = dM_times(P)
    return FDSODerivatives(
        d2qdd_dq=minus_Minv_times(d2tau_dq + dM_P + T(dM_P)),
        d2qdd_dqd=minus_Minv_times(d2tau_dqd),
        d2qdd_cross=minus_Minv_times(d2tau_cross + T(dM_times(Q))),
        dMinv_dq=minus_Minv_times(dM_times(Minv)),
    )
