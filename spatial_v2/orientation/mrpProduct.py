"""mrpProduct: composition of rotations given by modified Rodrigues parameters."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.three_d import cross_matrix

__all__ = ["mrpProduct"]


def mrpProduct(m1: Any, m2: Any) -> Array:
    """Compose modified Rodrigues parameters: those of R(m1) R(m2) (MATLAB ``mrpProduct``).

    Parameters
    ----------
    m1, m2 : array, shape (..., 3); columns are accepted
        Modified Rodrigues parameters [-].

    Returns
    -------
    array, shape (..., 3)
        Parameters of R(m1) R(m2), with R = `mrpToRot`; not finite if the product is a full turn.

    Raises
    ------
    ArrayShapeError
        If an argument does not hold 3-vectors.

    Examples
    --------
    >>> mrpProduct([0, 0, 0.2], [0, 0, 0.3]).round(4)
    array([0.    , 0.    , 0.5319])
    """
    m1, m2 = alike(as_vector(m1, "mrpProduct: m1", 3), as_vector(m2, "mrpProduct: m2", 3))
    check_leads("mrpProduct", m1=m1.shape[:-1], m2=m2.shape[:-1])
    xp = namespace(m1)
    dot, s1, s2 = (xp.sum(x, axis=-1, keepdims=True) for x in (m1 * m2, m1 * m1, m2 * m2))
    cross = uncolumn(cross_matrix(m1) @ column(m2))
    return ((1 - s1) * m2 + (1 - s2) * m1 + 2 * cross) / (1 + s1 * s2 - 2 * dot)
