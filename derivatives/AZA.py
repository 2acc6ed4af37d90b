"""ABA-Zero: products with the inverse joint-space inertia matrix."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import CRBA, FDab
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.dynamics.smallest_pivots import solve_coupled
from spatial_v2.dynamics.weightless import inertial
from spatial_v2.model import Model

__all__ = ["AZA"]


def _of_coupled(model: Model, q: Array, b: Array) -> Array:
    """Compute ``H(q)^-1 b`` for the independent variables of a coupled model."""
    return uncolumn(solve_coupled(model, CRBA(model, q), column(b)))


@accelerated(
    "AZA",
    "(q),(v)->(v)",
    rotors="own",
    joint_terms=True,
    singular=singular_joints,
    coupled=_of_coupled,
)
def AZA(model: Model, q: Array, b: Array, **options: Unpack[Options]) -> Array:
    """Compute ``H(q)^-1 b`` by the articulated-body algorithm at rest, without gravity and springs.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    b : array, shape (..., NV)
        Vectors that the inverse multiplies. To multiply a matrix, pass its columns along a leading
        axis and ``q[..., None, :]`` as configuration.

    Returns
    -------
    array, shape (..., NV)
        ``H(q)^-1 b``. Consecutive vectors at the same q share the factors of ``H``.

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
    Singh, Russell, Wensing, "Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial
    Vector Algebra" (2022), the ABA-Zero algorithm; "On Second-Order Derivatives ..." (2023), eq.
    (50). O(N) per vector.

    Examples
    --------
    >>> from spatial_v2 import CRBA
    >>> from spatial_v2.models import autoTree
    >>> model, q = autoTree(3), [0.1, 0.2, 0.3]
    >>> np.round(AZA(model, q, CRBA(model, q) @ [1, 2, 3]), 12)
    array([1., 2., 3.])
    """
    return FDab.reference(inertial(model), q, constant(np.zeros(model.NV), b), b)
