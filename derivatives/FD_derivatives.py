"""First derivatives of forward dynamics: FDSVA."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives.AZA import AZA
from derivatives.ID_derivatives import ID_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.couplings import CoupledModel
from spatial_v2.dynamics import CRBA, FDab
from spatial_v2.dynamics.Hinverse import Hinverse
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.dynamics.smallest_pivots import solve_coupled
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = ["FDDerivatives", "FD_derivatives"]


@shown_in_notebooks
class FDDerivatives(NamedTuple):
    """First derivatives of forward dynamics, arrays (..., NV, NV)."""

    dqdd_dq: Array
    """Entry [i, j] is the derivative of qdd_i along velocity variable j."""
    dqdd_dqd: Array
    """Entry [i, j] is the derivative of qdd_i with respect to qd_j."""
    dqdd_dtau: Array
    """Entry [i, j] is the derivative of qdd_i with respect to tau_j: the inverse of H."""


@accelerated(
    "FD_derivatives",
    "(q),(v),(v)->(v,v),(v,v),(v,v)",
    rotors="own",
    joint_terms=True,
    singular=singular_joints,
    coupled_kernel="FD_derivatives_coupled",
)
def FD_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    product: Literal["DMM", "AZA"] = "DMM",
    **options: Unpack[Options],
) -> FDDerivatives:
    """Compute derivatives of forward dynamics with respect to position, velocity and force.

    MATLAB: ``[dqdd_dq, dqdd_dqd, dqdd_dtau] = FD_derivatives(model,q,qd,tau)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.
    product : {"DMM", "AZA"}, optional
        Method by which the reference implementation multiplies by ``H^-1``: as a dense matrix, or
        column by column with the ABA-Zero algorithm. With the default, NumPy arrays of doubles run
        the kernel, which forms neither product.

    Returns
    -------
    dqdd_dq, dqdd_dqd, dqdd_dtau : array, shape (..., NV, NV)
        Named tuple. dqdd_dq is along the joints' degrees of freedom, as dtau_dq of
        `ID_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `product` or `frame`; a joint that moves no inertia of its own in this
        configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    ``dqdd_dq = -H^-1 dtau_dq`` at ``qdd = FDab(q, qd, tau)``, and so on. Singh, Russell, Wensing,
    "On Second-Order Derivatives of Rigid-Body Dynamics" (2023), eq. (45). The kernel sends the
    disturbances that make up each column of dtau_dq through the articulated-body algorithm before
    they are summed to joint forces: same result, smaller rounding errors on long chains.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> d = FD_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> d.dqdd_dtau.round(3)
    array([[ 1.496, -3.429,  2.732],
           [-3.429,  9.395, -9.984],
           [ 2.732, -9.984, 17.01 ]])
    """
    if product not in ("DMM", "AZA"):
        raise SpatialError(f"product: want 'DMM' or 'AZA', got {product!r}")
    qdd = FDab(model, q, qd, tau, f_ext, frame=frame)
    Minv = Hinverse(model, q)
    dtau_dq, dtau_dqd = ID_derivatives(model, q, qd, qdd, f_ext, frame=frame)
    if product == "DMM":
        return FDDerivatives(-Minv @ dtau_dq, -Minv @ dtau_dqd, Minv)
    P, Q = inverse_times(model, q, dtau_dq), inverse_times(model, q, dtau_dqd)
    return FDDerivatives(-P, -Q, Minv)


def inverse_times(model: Model, q: Array, B: Array) -> Array:
    """Compute ``H^-1 B`` for matrices B (..., NV, m), column by column with `AZA`."""
    if isinstance(model, CoupledModel):
        return solve_coupled(model, CRBA(model, q), B)
    T = namespace(B).matrix_transpose
    return T(AZA(model, q[..., None, :], T(B)))
