"""Random transforms, inertias and vectors, spatial and planar, in batches of 2 x 3."""

from typing import Any

import numpy as np

from spatial_v2.spatial import factorFunctions, mcI, plnr, pluho, plux
from spatial_v2.three_d import rotation_vector_to_rotation

RNG = np.random.default_rng(1983)
THETA, MASS, PLANAR_INERTIA = RNG.normal(size=(3, 2, 3)) ** 2
R2, P2, F2 = RNG.normal(size=(3, 2, 3, 2))
R3, P3, F3, V3, G3 = RNG.normal(size=(5, 2, 3, 3))
V6, G6 = RNG.normal(size=(2, 2, 3, 6))
E3 = rotation_vector_to_rotation(R3 + P3)
I3 = E3 * np.array([1.0, 2, 2.5]) @ np.swapaxes(E3, -1, -2)
X6, X3 = plux(E3, R3), plnr(THETA, R2)
T4 = pluho(X6)
RBI6, RBI3 = mcI(MASS, P3, I3), mcI(MASS, P2, PLANAR_INERTIA)


def transpose(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(x, -1, -2)


def times(A: np.ndarray, v: np.ndarray) -> np.ndarray:
    return (A @ v[..., None])[..., 0]


def by_number(number: int) -> Any:
    return lambda I, v: factorFunctions(I, v, number)
