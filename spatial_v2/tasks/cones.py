"""Pyramids within friction cones, as rows of a quadratic program."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model

__all__ = ["cone_rows", "each_positive"]


def each_positive(name: str, value: Any, n: int) -> np.ndarray:
    """Return positive numbers, one for each of n things.

    Examples
    --------
    >>> each_positive("rate", 2.0, 3)
    array([2., 2., 2.])
    """
    x = as_real(value, name)
    if x.shape not in ((), (n,)):
        raise ArrayShapeError(f"{name}: want a number, or {n} of them, got shape {x.shape}")
    if not ((x > 0) & np.isfinite(x)).all():
        raise SpatialError(f"{name}: want positive numbers, got {x.tolist()}")
    return np.broadcast_to(x, (n,))


def cone_rows(model: Model, k: int, friction: Any, facets: int, normal: Any) -> np.ndarray:
    """Return rows F with ``F f <= 0`` for contact forces f (k d,) in pyramids within the cones.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> F = cone_rows(autoTree(2), 1, 0.5, 4, None)
    >>> bool((F @ [0.3, 0.1, 1.0] <= 0).all()), bool((F @ [0.5, 0.1, 1.0] <= 0).all())
    (True, False)
    """
    d = 2 if model.is_planar else 3
    mu = each_positive("friction", friction, k)
    if normal is None:
        if not np.any(model.gravity):
            raise SpatialError("normal: want the normal of the ground; the model has no gravity")
        normal = -np.asarray(model.gravity)
    normals = as_real(normal, "normal")
    if normals.shape not in ((d,), (k, d)):
        raise ArrayShapeError(
            f"normal: want shape ({d},), or ({k}, {d}), a normal for each point, got "
            f"{normals.shape}"
        )
    size = np.linalg.norm(normals, axis=-1, keepdims=True)
    if not (np.isfinite(size) & (size > 0)).all():
        raise SpatialError(f"normal: want vectors other than zero, got {normals.tolist()}")
    normals = np.broadcast_to(normals / size, (k, d))
    count = 2 if d == 2 else facets
    rows = np.zeros((k, count, k, d))
    for i, z in enumerate(normals):
        if d == 2:
            sides, slope = np.array([[-z[1], z[0]], [z[1], -z[0]]]), mu[i]
        else:
            x = np.linalg.svd(z[None])[2][1:]
            turn = 2 * np.pi * (np.arange(count) + 0.5) / count
            sides = np.cos(turn)[:, None] * x[0] + np.sin(turn)[:, None] * x[1]
            slope = mu[i] * np.cos(np.pi / count)
        rows[i, :, i] = sides - slope * z
    return rows.reshape(k * count, k * d)
