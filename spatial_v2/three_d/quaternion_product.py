"""The Hamilton product of quaternions, used by quatProduct and the configuration spaces."""

from __future__ import annotations

from spatial_v2.arrays import Array, namespace

__all__ = ["quaternion_product"]


def quaternion_product(p: Array, q: Array) -> Array:
    """Compute the Hamilton product p o q of scalar-first quaternions (..., 4).

    Examples
    --------
    >>> import numpy as np
    >>> quaternion_product(np.array([0, 1, 0, 0]), np.array([0, 0, 1, 0]))
    array([0, 0, 0, 1])
    """
    xp = namespace(p, q)
    a, b, c, d = (p[..., k] for k in range(4))
    w, x, y, z = (q[..., k] for k in range(4))
    return xp.stack(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ],
        axis=-1,
    )
