"""crf: matrix of the cross product of motion with force vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_vector
from spatial_v2.spatial.crm import MOTION_CROSS

__all__ = ["FORCE_CROSS", "crf"]

FORCE_CROSS = {
    n: np.ascontiguousarray(-basis.transpose(0, 2, 1)) for n, basis in MOTION_CROSS.items()
}
"""Cross-product matrices of unit motion vectors e_k on forces, crf(e_k): FORCE_CROSS[6][k] spatial,
[3][k] planar.
"""


def crf(v: Any) -> Array:
    """Return the matrix [skew(omega), skew(v); 0, skew(omega)] on forces (MATLAB ``crf``).

    Parameters
    ----------
    v : array, shape (..., 6) or planar (..., 3); columns (..., 6, 1) or (..., 3, 1)
        Motion vectors [omega; v].

    Returns
    -------
    array, shape (..., 6, 6) or planar (..., 3, 3)
        Matrices that act on force vectors [n; f].

    Raises
    ------
    ArrayShapeError
        If `v` does not hold motion vectors.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.9;
    ``crf(v) = -crm(v)^T`` and ``crf(X v) = X^-T crf(v) X^T``. Unlike MATLAB's ``crf``, this
    function does not accept 6x6 matrices.

    Examples
    --------
    >>> crf([0, 0, 1, 0, 0, 0]) @ [1, 0, 0, 0, 1, 0]
    array([ 0.,  1.,  0., -1.,  0.,  0.])
    """
    v = as_vector(v, "crf: v", 6, 3)
    return combination(v, FORCE_CROSS[v.shape[-1]])
