"""The regressor of a single body."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.regressors.body_columns import body_columns

__all__ = ["individualRegressor"]


def individualRegressor(a: Any, v: Any) -> Array:
    """Compute the matrix Y with ``Y pi = I a + v x* I v``, the force on a moving body.

    MATLAB: ``Y = individualRegressor(a,v)``.

    Parameters
    ----------
    a, v : array, shape (..., 6) or planar (..., 3); columns are accepted
        Acceleration and velocity of the body in body coordinates.

    Returns
    -------
    array, shape (..., 6, 10) or planar (..., 3, 10)
        A column for each of the ten inertial parameters
        ``pi = [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``: mass [kg], first moment h = m c
        [kg m], and the elements of the rotational inertia about the origin of the body's frame, not
        about its centre of mass [kg m^2]. Planar motion depends on m, hx, hy and Izz only; the
        other columns are zero.

    Raises
    ------
    ArrayShapeError
        If `a` and `v` do not hold motion vectors, both spatial or both planar.

    Notes
    -----
    Linear in the parameters: Atkeson, An, Hollerbach (1986). With a velocity in place of the
    acceleration, ``individualRegressor(v, 0) @ pi`` is the momentum ``I v``. Products of inertia
    are the elements of the matrix, ``Ixy = -integral x y dm``, as in URDF files.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2 import crf, mcI
    >>> pi = np.array([2.0, 0.2, 0.4, 0.6, 3.0, 4.0, 5.0, 0.1, 0.2, 0.3])
    >>> a, v = np.arange(6.0), np.ones(6)
    >>> Y = individualRegressor(a, v)
    >>> I = mcI(2.0, pi[1:4] / 2, np.zeros((3, 3)))
    >>> I[:3, :3] = [[3.0, 0.3, 0.2], [0.3, 4.0, 0.1], [0.2, 0.1, 5.0]]
    >>> np.allclose(Y @ pi, I @ a + crf(v) @ I @ v)
    True
    """
    a = as_vector(a, "individualRegressor: a", 6, 3)
    a, v = alike(a, as_vector(v, "individualRegressor: v", a.shape[-1]))
    check_leads("individualRegressor", a=a.shape[:-1], v=v.shape[:-1])
    return body_columns(a, v, v)
