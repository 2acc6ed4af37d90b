"""Inverse dynamics contracted with a vector."""

from __future__ import annotations

from typing import Literal, Unpack

from spatial_v2.accelerated import page
from spatial_v2.arrays import Array, namespace
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import ID
from spatial_v2.model import Model

__all__ = ["modID"]


@page("(q),(v),(v),(v)->()", rotors="own", joint_terms=True)
def modID(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    lambda_: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> Array:
    """Compute the scalar ``lambda . ID(q, qd, qdd)``.

    MATLAB: ``out = modID(model,q,qd,qdd,lambda)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    lambda_ : array, shape (..., NV)
        Weight of each joint force.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.

    Returns
    -------
    array, shape (...)
        The weighted sum of the joint forces.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`.

    Notes
    -----
    `modID_derivatives` and `modID_second_derivatives` compute the derivatives of this function
    without forming those of each joint force. Nganga, Wensing, "Accelerating Second-Order
    Differential Dynamic Programming for Rigid-Body Systems" (2021).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> float(modID(autoTree(1).replace(gravity=[0, 0, 0]), [0], [0], [2.0], [3.0]))
    2.0075
    """
    tau = ID(model, q, qd, qdd, f_ext, frame=frame)
    return namespace(tau, lambda_).sum(lambda_ * tau, axis=-1)
