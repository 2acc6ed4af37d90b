"""The angle of a point in the plane, for any kind of array."""

from __future__ import annotations

from spatial_v2.arrays.namespaces import Array, is_real, namespace, real_part

__all__ = ["angle"]


def angle(s: Array, c: Array) -> Array:
    """Return the angle in (-pi, pi] of the point (c, s), as atan2(s, c), also for complex numbers.

    The real parts choose the branch; the result is analytic, so that complex steps work.

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
