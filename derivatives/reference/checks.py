"""Checks of the arguments of reference methods: real numbers of the right shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.rotations import check_quaternions
from spatial_v2.model.state import check_model, check_vector

__all__ = ["one_of", "real_vector", "tangents"]


def real_vector(model: Model, name: str, x: ArrayLike, core: str) -> np.ndarray:
    """Check a real vector: (..., NQ) for the core "q", (..., NV) for "v".

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> real_vector(autoTree(2), "qd", [1, 2], "v")
    array([1., 2.])
    """
    check_model(model)
    n = model.NQ if core == "q" else model.NV
    checked = as_real(check_vector(model, name, x, n, core), name)
    if core == "q":
        check_quaternions(model, checked)
    return checked


def tangents(model: Model, directions: ArrayLike | None) -> np.ndarray:
    """Check tangent vectors (p, NV), one per row; default: the unit vectors.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> tangents(autoTree(2), None)
    array([[1., 0.],
           [0., 1.]])
    """
    if directions is None:
        return np.eye(model.NV)
    d = as_real(directions, "directions")
    if d.ndim != 2 or d.shape[1] != model.NV:
        raise ArrayShapeError(
            f"directions: want shape (p, {model.NV}), one tangent vector a row; got {d.shape}"
        )
    return d


def one_of(argument: str, value: Any, valid: Any) -> None:
    """Raise an error for a name that is not valid.

    Examples
    --------
    >>> one_of("function", "RNEA", ("ID", "FD"))
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: function: 'RNEA' is unknown; valid: ID, FD
    """
    if value not in list(valid):
        raise SpatialError(f"{argument}: {value!r} is unknown; valid: {', '.join(map(str, valid))}")
