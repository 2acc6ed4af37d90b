"""The exponential of SO(3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.entire import cosc, sinc
from spatial_v2.three_d import cross_matrix

__all__ = ["exp3"]


def exp3(phi: Any) -> Array:
    """Compute the rotation R = exp(skew(phi)), the exponential of SO(3).

    Parameters
    ----------
    phi : array, shape (..., 3)
        Rotation vectors, angle times axis [rad].

    Returns
    -------
    array, shape (..., 3, 3)
        Rotations from body to space coordinates of a body that has turned by phi. They are the
        transposes of the coordinate rotations ``rv(phi)``.

    Raises
    ------
    ArrayShapeError
        If `phi` does not hold 3-vectors.

    Notes
    -----
    ``1 + sinc W + cosc W^2`` with W = skew(phi), by power series in phi . phi for small angles:
    derivatives and complex steps keep all digits at zero.

    Examples
    --------
    >>> import numpy as np
    >>> exp3([0, 0, np.pi / 2]).round(3) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    phi = as_vector(phi, "exp3: phi", 3)
    W = cross_matrix(phi)
    s = namespace(phi).sum(phi * phi, axis=-1)[..., None, None]
    return constant(np.eye(3), phi) + sinc(s) * W + cosc(s) * (W @ W)
