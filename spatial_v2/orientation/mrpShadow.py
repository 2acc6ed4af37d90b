"""mrpShadow: the second set of modified Rodrigues parameters of a rotation."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_vector

__all__ = ["mrpShadow"]


def mrpShadow(mrp: Any) -> Array:
    """Return -m / m^2, the other parameters of the same rotation (MATLAB ``mrpShadow``).

    Parameters
    ----------
    mrp : array, shape (..., 3) or (..., 3, 1)
        Modified Rodrigues parameters m: tan(angle/4) times axis [-].

    Returns
    -------
    array, shape (..., 3)
        Parameters of the same rotation in the opposite direction; not finite for m = 0.

    Raises
    ------
    ArrayShapeError
        If `mrp` does not hold 3-vectors.

    Examples
    --------
    >>> mrpShadow([0, 0, 0.5])
    array([-0., -0., -2.])
    """
    m = as_vector(mrp, "mrpShadow: mrp", 3)
    return -m / namespace(m).sum(m * m, axis=-1, keepdims=True)
