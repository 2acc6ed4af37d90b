"""Forward dynamics contracted with a vector."""

from __future__ import annotations

from typing import Literal, Unpack

from spatial_v2.accelerated import page
from spatial_v2.arrays import Array, namespace
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import FDab
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.model import Model

__all__ = ["modFD"]


@page("(q),(v),(v),(v)->()", rotors="own", joint_terms=True, singular=singular_joints)
def modFD(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    lambda_: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> Array:
    """Compute the scalar ``lambda . FDab(q, qd, tau)``.

    MATLAB: ``out = modFD(model,q,qd,tau,mu)``.

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
    array, shape (...)
        The weighted sum of the joint accelerations.

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

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> modFD(autoTree(2), [0, 0], [0, 0], [0, 0], [1, 0]).round(3)
    np.float64(0.0)
    """
    qdd = FDab(model, q, qd, tau, f_ext, frame=frame)
    return namespace(qdd, lambda_).sum(lambda_ * qdd, axis=-1)
