"""Inertial parameters of models, from their inertias, for tests of regressors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2 import Model


class Parameters(NamedTuple):
    """Ten numbers for each link and, of those joints that drive one, for each rotor."""

    links: np.ndarray
    rotors: np.ndarray


def of_body(I: np.ndarray) -> np.ndarray:
    """[m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy] of an inertia, read from its definition."""
    if len(I) == 3:
        return np.array([I[1, 1], I[0, 2], -I[0, 1], 0, 0, 0, I[0, 0], 0, 0, 0])
    h = I[2, 4], I[0, 5], I[1, 3]
    return np.array([I[5, 5], *h, *np.diag(I)[:3], I[1, 2], I[0, 2], I[0, 1]])


def parameters(model: Model) -> Parameters:
    """Those of all bodies."""
    links = [of_body(I) for I in model.I]
    rotors = [of_body(model.I_rotor[i]) for i in np.flatnonzero(model.has_rotor)]
    return Parameters(np.concatenate(links), np.concatenate([np.zeros(0), *rotors]))
