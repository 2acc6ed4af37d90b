"""Inertias of a robot's file that no distribution of positive mass has, for all formats."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from itertools import compress

import numpy as np

from spatial_v2.exceptions import InertiaWarning
from spatial_v2.files.wording import listed

__all__ = ["is_impossible", "warn_of_impossible"]

_ROUNDED = 1e-6
"""Part of the largest moment by which moments may be impossible, since files round them."""


def is_impossible(I_C: np.ndarray) -> np.ndarray:
    """Return for each rotational inertia (n, 3, 3) whether it is physically impossible, shape (n,).

    A principal moment exceeds the sum of the other two, or is negative.
    """
    moments = np.linalg.eigvalsh(I_C)
    excess = 2 * moments[:, 2] - moments.sum(axis=1)
    return np.asarray(excess > _ROUNDED * np.abs(moments).max(axis=1))


def warn_of_impossible(file: str, I_C: Mapping[str, np.ndarray], stacklevel: int = 2) -> None:
    """Warn of impossible inertias; one warning lists all these links.

    Parameters
    ----------
    file : str
        Name of the file, for the warning.
    I_C : mapping
        Rotational inertias (3, 3) at the centres of mass, by the names of their links.
    stacklevel : int, optional
        Stack level of the warning, seen from the caller.

    Warns
    -----
    InertiaWarning
        There are such inertias.
    """
    bad = list(compress(I_C, is_impossible(np.reshape([*I_C.values()], (-1, 3, 3)))))
    if bad:
        warnings.warn(
            f"{file}: the <inertia> of these links belongs to no distribution of "
            "positive mass (a principal moment exceeds the sum of the other two); kept as given: "
            f"{listed(bad)}",
            InertiaWarning,
            stacklevel=stacklevel + 1,
        )
