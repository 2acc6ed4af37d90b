"""Projection of joint velocities onto constraints."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.calls.options import Options
from spatial_v2.constraints.ConstraintSet import Constraints
from spatial_v2.constraints.Impact_dyn import Impact_dyn
from spatial_v2.constraints.options import Rank, validate_constraints
from spatial_v2.model import Model

__all__ = ["project_velocity"]


@accelerated(
    None,
    "(q),(v)->(v)",
    rotors="ignore",
    validate_constraints=validate_constraints,
    joint_terms=True,
)
def project_velocity(
    model: Model,
    q: Array,
    qd: Array,
    constraints: Constraints,
    *,
    rank: Rank = "minimum_norm",
    **options: Unpack[Options],
) -> Array:
    """Compute joint velocities that satisfy constraints and are nearest to qd in kinetic energy.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The constraints to satisfy.
    rank : {"minimum_norm", "raise", "nan", "proximal"}, optional
        Treatment of constraint rows that are linearly dependent or zero; see `KKT_FD`.

    Returns
    -------
    array, shape (..., NV)
        Joint velocities ``qd - H^-1 G^T W^-1 G qd`` with ``W = G H^-1 G^T``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.

    Notes
    -----
    These are the velocities after a plastic impact; see `Impact_dyn`.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree, constraint_velocity
    >>> model, tip = autoTree(3), PointConstraint(2, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> qd = project_velocity(model, [0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [tip])
    >>> constraint_velocity(model, [0.1, 0.2, 0.3], qd, [tip]).round(12) + 0
    array([0.])
    """
    return Impact_dyn(model, q, qd, constraints, 0.0, rank=rank).qd_plus
