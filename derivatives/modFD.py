"""Forward dynamics contracted with a vector."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import page
from spatial_v2.arrays import Array, namespace
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import FDab
from spatial_v2.model import Model

__all__ = ["modFD"]


@page("(q),(v),(v),(v)->()", rotors="own")
def modFD(
    model: Model, q: Array, qd: Array, tau: Array, lambda_: Array, **options: Unpack[Options]
) -> Array:
    """The scalar ``lambda . FDab(q, qd, tau)``.

    MATLAB: ``out = modFD(model,q,qd,tau,mu)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    lambda_ : array, shape (..., NV)
        Weight of each joint acceleration.
    **options : Options
        ``out`` and ``workers``, as of all accelerated functions.

    Returns
    -------
    array, shape (...)
        The weighted sum of the joint accelerations.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> modFD(autoTree(2), [0, 0], [0, 0], [0, 0], [1, 0]).shape
    ()
    """
    qdd = FDab(model, q, qd, tau)
    return namespace(qdd, lambda_).sum(lambda_ * qdd, axis=-1)
