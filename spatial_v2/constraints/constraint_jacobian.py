"""The Jacobian of constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.calls.blocks import fill_blocks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.ConstraintSet import Constraints, ConstraintSet, constraint_set
from spatial_v2.constraints.kernels import rows, size_of
from spatial_v2.constraints.motions import at_rest
from spatial_v2.constraints.options import settle
from spatial_v2.model import Model

__all__ = ["constraint_jacobian"]


def _compiled(
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    packs: bool,
    constraints: ConstraintSet,
) -> None:
    """G of a batch from a kernel."""

    def made(q: np.ndarray) -> Sequence[np.ndarray]:
        return rows(model, q, np.zeros((len(q), model.NV)), constraints, None, packs)[:1]

    fill_blocks(made, arrays, results, packs, size_of(model, constraints.m, 0))


@accelerated(
    None, "(q)->(m,v)", rotors="ignore", settle=settle, composed=_compiled, joints="ignore"
)
def constraint_jacobian(
    model: Model, q: Array, constraints: Constraints, **options: Unpack[Options]
) -> Array:
    """The Jacobian G of constraints: their velocity is ``G qd``.

    MATLAB: ``Jac_build``, of one quadruped's foot.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors do not matter.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        What holds the bodies.
    **options : Options
        ``out`` and ``workers``, as of all accelerated functions.

    Returns
    -------
    array, shape (..., m, NV)
        Rows in the order of the constraints: of a point along the base's axes, of a frame along its
        own.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that the model cannot have.

    Notes
    -----
    Velocities of bodies 2 less those of bodies 1. The constraints' forces lambda are joint forces
    ``G^T lambda_``.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0])
    >>> constraint_jacobian(autoTree(2), [0.0, 0.0], [tip])
    array([[0., 0.],
           [2., 1.],
           [0., 0.]])
    """
    rest = at_rest(model, q)
    return constraint_set(model, constraints).rows(model, *rest).G
