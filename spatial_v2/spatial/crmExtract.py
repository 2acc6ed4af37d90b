"""crmExtract: motion vector from a motion cross-product matrix."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.three_d.inv_skew import inv_skew

__all__ = ["crmExtract"]


def crmExtract(M: Any) -> Array:
    """Extract v from M = crm(v), by the skew parts of the left blocks (MATLAB ``crmExtract``).

    Parameters
    ----------
    M : array, shape (..., 6, 6)
        Motion cross-product matrices; the other blocks are ignored.

    Returns
    -------
    array, shape (..., 6)
        Spatial motion vectors [omega; v].

    Raises
    ------
    ArrayShapeError
        If `M` does not hold 6x6 matrices.

    Examples
    --------
    >>> from spatial_v2.spatial import crm
    >>> crmExtract(crm([1, 2, 3, 4, 5, 6]))
    array([1., 2., 3., 4., 5., 6.])
    """
    M = as_matrix(M, "crmExtract: M", 6)
    return namespace(M).concat([inv_skew(M[..., :3, :3]), inv_skew(M[..., 3:, :3])], axis=-1)
