"""Factorisation of the velocity-product force of a body, which selects a Coriolis matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from spatial_v2.arrays import Array
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.spatial import factorFunctions

__all__ = ["Factorization", "body_factor"]

Factorization: TypeAlias = Literal[1, 2, 3] | Callable[[Array, Array], Array]
"""A number for `factorFunctions`, or a function B(I, v) of inertia and velocity of a body."""


def body_factor(I: Array, v: Array, factorization: Factorization) -> Array:
    """Compute matrices B that factorise the velocity-product force of a body with inertia I and
    velocity v: ``B v = v x* I v``.

    Parameters
    ----------
    I : array, shape (..., 6, 6)
        Inertias.
    v : array, shape (..., 6)
        Velocities.
    factorization : {1, 2, 3} or callable
        Number for `factorFunctions`, or a function B(I, v), which must broadcast over leading axes.

    Returns
    -------
    array, shape (..., 6, 6)
        The factors.

    Raises
    ------
    ArrayShapeError
        A function that does not return matrices.
    SpatialError
        A number other than 1, 2, 3.

    Examples
    --------
    >>> import numpy as np
    >>> body_factor(np.eye(6), np.ones(6), lambda I, v: np.zeros((6, 6))).shape
    (6, 6)
    """
    if not callable(factorization):
        return factorFunctions(I, v, factorization)
    B = factorization(I, v)
    if getattr(B, "shape", ())[-2:] != I.shape[-2:]:
        raise ArrayShapeError(
            f"factorization: the function must return arrays (..., {I.shape[-1]}, {I.shape[-1]}), "
            f"got {getattr(B, 'shape', type(B).__name__)}"
        )
    return B
