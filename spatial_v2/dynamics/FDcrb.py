"""Forward dynamics by the composite-rigid-body algorithm."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import page
from spatial_v2.arrays import Array, column, uncolumn
from spatial_v2.arrays.linear import solve
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.HandC import HandC
from spatial_v2.dynamics.pivots import regular_inertia
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.dynamics.smallest_pivots import smallest_pivots
from spatial_v2.model import Model

__all__ = ["FDcrb"]


@page("(q),(v),(v)->(v)", rotors="own", joint_terms=True, singular=singular_joints)
def FDcrb(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    f_ext: Array | None = None,
    **options: Unpack[Options],
) -> Array:
    """Compute joint accelerations from joint forces by solving the equation of motion.

    MATLAB: ``qdd = FDcrb(model,q,qd,tau,f_ext)``. The result equals that of `FDab`, which is
    faster.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in base coordinates; see `ID`.

    Returns
    -------
    array, shape (..., NV)
        Joint accelerations.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        A joint that moves no inertia of its own in this configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    ``H qdd = tau - C`` with H and C of `HandC`. Featherstone (2008), Chapter 6.

    Examples
    --------
    >>> from spatial_v2 import ID
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(2), [0.1, 0.2], [0.3, 0.4]
    >>> FDcrb(model, q, qd, ID(model, q, qd, [1.0, 2.0])).round(12)
    array([1., 2.])
    """
    H, C = HandC(model, q, qd, f_ext)
    return uncolumn(solve(regular_inertia(H, smallest_pivots(model, q)), column(tau - C)))
