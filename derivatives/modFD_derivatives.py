"""Gradient of forward dynamics contracted with a vector."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives.AZA import AZA
from derivatives.modID_derivatives import modID_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import FDab
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.model import Model

__all__ = ["ModFDDerivatives", "modFD_derivatives"]


@shown_in_notebooks
class ModFDDerivatives(NamedTuple):
    """Gradient of the scalar ``lambda . FDab``, arrays (..., NV)."""

    grad_q: Array
    """Derivatives along q."""
    grad_qd: Array
    """Derivatives with respect to qd."""
    grad_tau: Array
    """Derivatives with respect to tau: ``H^-1 lambda``."""


@accelerated(
    "modFD_derivatives",
    "(q),(v),(v),(v)->(v),(v),(v)",
    rotors="own",
    joint_terms=True,
    singular=singular_joints,
    coupled_kernel="modFD_derivatives_coupled",
)
def modFD_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    lambda_: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> ModFDDerivatives:
    """Compute the gradient of ``lambda . FDab(q, qd, tau)`` in O(N), without forming a matrix.

    MATLAB: ``[grad_q, grad_qd, grad_tau] = modFD_derivatives(model,q,qd,tau,lambda)``.

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
    grad_q, grad_qd, grad_tau : array, shape (..., NV)
        Derivatives along q (degrees of freedom of the joints), with respect to qd and with respect
        to tau.

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
    With ``mu = H^-1 lambda`` the gradient is minus that of ``mu . ID`` at the acceleration
    ``FDab(q, qd, tau)``, mu held constant.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> modFD_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [0, 0], [1, -1]).grad_tau.round(3)
    array([  5.616, -16.831])
    """
    qdd = FDab.reference(model, q, qd, tau, f_ext, frame=frame)
    mu = AZA.reference(model, q, lambda_)
    grad_q, grad_qd = modID_derivatives.reference(model, q, qd, qdd, mu, f_ext, frame=frame)
    return ModFDDerivatives(-grad_q, -grad_qd, mu)
