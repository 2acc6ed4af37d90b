"""Joint forces that hold a robot against gravity."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, constant
from spatial_v2.dynamics import ID
from spatial_v2.dynamics.weightless import unsprung
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["gravity_forces"]


def gravity_forces(model: Model, q: Array) -> Array:
    """Compute the joint forces that hold a robot at rest against gravity.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    array, shape (..., NV)
        Joint forces [N m or N], the gradient along q of the potential energy of gravity.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``ID(model, q, 0, 0)`` for a model without springs, whose forces are not included.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> gravity_forces(autoTree(1).replace(jtype=["Ry"]), [0.0])
    array([-4.905])
    """
    (q,) = check_state(model, q=q)
    rest = constant(np.zeros(model.NV), q)
    return ID(unsprung(model), q, rest, rest)
