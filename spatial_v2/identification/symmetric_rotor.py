"""symmetric_rotor: inertial parameters of rotors that are symmetric about an axis."""

from __future__ import annotations

import numpy as np

from spatial_v2.exceptions import SpatialError

__all__ = ["symmetric_rotor"]


def symmetric_rotor(axis: str = "z") -> np.ndarray:
    """Return the projector onto inertial parameters of bodies that are symmetric about an axis.

    MATLAB's robots have it, for the z axis, in the field ``rotor_constraint``.

    Parameters
    ----------
    axis : {"z", "x", "y"}
        The axis of symmetry in the body frame.

    Returns
    -------
    array, shape (10, 10)
        Orthogonal projector onto four parameters: mass, first moment along the axis, moments of
        inertia about the axis and about perpendicular axes.

    Raises
    ------
    SpatialError
        If there is no such axis.

    Examples
    --------
    >>> symmetric_rotor("z") @ [1, 2, 2, 2, 3, 5, 6, 7, 7, 7]
    array([1., 0., 0., 2., 4., 4., 6., 0., 0., 0.])
    """
    if axis not in ("x", "y", "z"):
        raise SpatialError(f"symmetric_rotor: axis must be 'x', 'y' or 'z', got {axis!r}")
    k = "xyz".index(axis)
    across = [4 + i for i in range(3) if i != k]
    P = np.zeros((10, 10))
    P[[0, 1 + k, 4 + k], [0, 1 + k, 4 + k]] = 1
    P[np.ix_(across, across)] = 0.5
    return P
