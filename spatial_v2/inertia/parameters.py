"""The ten inertial parameters of a body, and the constant matrices that they multiply."""

from __future__ import annotations

import numpy as np

from spatial_v2.three_d.skew import CROSS

__all__ = ["INERTIAL_PARAMETERS", "INERTIAS", "PSEUDO_INERTIAS"]


INERTIAL_PARAMETERS = ("m", "hx", "hy", "hz", "Ixx", "Iyy", "Izz", "Iyz", "Ixz", "Ixy")
"""Names of the inertial parameters of a body in MATLAB's order: mass m [kg], first moments of mass
hx, hy, hz [kg m], and entries of the rotational inertia about the origin of the body frame
[kg m^2]. Off-diagonal entries are elements of the matrix, without a change of sign.
"""

_PLACES = {4: (0, 0), 5: (1, 1), 6: (2, 2), 7: (1, 2), 8: (0, 2), 9: (0, 1)}


def _inertias() -> np.ndarray:
    """Return the matrices (10, 6, 6) whose combination with the parameters is a spatial inertia."""
    B = np.zeros((10, 6, 6), dtype=np.int8)
    B[0, 3:, 3:] = np.eye(3)
    B[1:4, :3, 3:], B[1:4, 3:, :3] = CROSS, -CROSS
    for k, (i, j) in _PLACES.items():
        B[k, i, j] = B[k, j, i] = 1
    return B


def _pseudo_inertias() -> np.ndarray:
    """Return integer matrices (10, 4, 4) whose combination is twice the pseudo-inertia."""
    B = np.zeros((10, 4, 4), dtype=np.int8)
    B[0, 3, 3] = 2
    for k in range(3):
        B[1 + k, k, 3] = B[1 + k, 3, k] = 2
    for k, (i, j) in _PLACES.items():
        B[k, :3, :3] = (i == j) * np.eye(3)
        B[k, i, j] -= 2
        B[k, j, i] = B[k, i, j]
    return B


INERTIAS, PSEUDO_INERTIAS = _inertias(), _pseudo_inertias()
