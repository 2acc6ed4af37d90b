"""cayleyProduct: composition of rotations given by Cayley vectors."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.three_d import cross_matrix

__all__ = ["cayleyProduct"]


def cayleyProduct(c1: Any, c2: Any) -> Array:
    """Compose Cayley vectors: the Cayley vector of R(c1) R(c2) (MATLAB ``cayleyProduct``).

    Parameters
    ----------
    c1, c2 : array, shape (..., 3); columns are accepted
        Cayley vectors of order 1 [-].

    Returns
    -------
    array, shape (..., 3)
        Cayley vectors (c1 + c2 + c1 x c2) / (1 - c1 . c2) of R(c1) R(c2), with R = `cayleyToRot`;
        not finite if the product is a half-turn.

    Raises
    ------
    ArrayShapeError
        If an argument does not hold 3-vectors.

    Examples
    --------
    >>> cayleyProduct([0, 0, 0.5], [0, 0, 0.5]).round(4)
    array([0.    , 0.    , 1.3333])
    """
    c1, c2 = alike(as_vector(c1, "cayleyProduct: c1", 3), as_vector(c2, "cayleyProduct: c2", 3))
    check_leads("cayleyProduct", c1=c1.shape[:-1], c2=c2.shape[:-1])
    xp = namespace(c1)
    dot = xp.sum(c1 * c2, axis=-1, keepdims=True)
    return (c1 + c2 + uncolumn(cross_matrix(c1) @ column(c2))) / (1 - dot)
