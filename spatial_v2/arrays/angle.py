"""The angle of a point in the plane, for any kind of array."""

from __future__ import annotations

from spatial_v2.arrays.namespaces import Array, is_real, namespace, real_part

__all__ = ["angle"]


def angle(s: Array, c: Array) -> Array:
    """The angle in (-pi, pi] whose sine and cosine are in the ratio of these.

    It is that of the real parts, and imaginary parts turn it on: a complex step passes.

    Examples
    --------
    >>> import numpy as np
    >>> float(angle(np.array(2.0), np.array(0.0)).round(4))
    1.5708
    """
    xp, x, y = namespace(s, c), real_part(c), real_part(s)
    theta = namespace(x, y).atan2(y, x)
    if is_real(s) and is_real(c):
        return theta
    return theta + xp.atan((s * x - c * y) / (c * x + s * y))
