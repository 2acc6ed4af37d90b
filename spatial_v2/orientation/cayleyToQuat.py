"""cayleyToQuat: conversion of Cayley vectors to quaternions."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from spatial_v2.arrays import Array, namespace, real_part
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.namespaces import settled
from spatial_v2.exceptions import SpatialError
from spatial_v2.three_d.quaternion_product import quaternion_product

__all__ = ["cayleyToQuat", "check_order"]


def cayleyToQuat(c: Any, n: int = 1) -> Array:
    """Convert Cayley vectors of order n to unit quaternions, w >= 0 (MATLAB ``cayleyToQuat``).

    Parameters
    ----------
    c : array, shape (..., 3) or (..., 3, 1)
        Cayley vectors: tan(angle / (2 n)) times axis [-].
    n : int
        Order: R = (1 + skew(c))^n (1 - skew(c))^-n. Cayley vectors of order 2 are modified
        Rodrigues parameters, see `mrpToQuat`.

    Returns
    -------
    array, shape (..., 4)
        Unit quaternions [w, x, y, z], w >= 0.

    Raises
    ------
    ArrayShapeError
        If `c` does not hold 3-vectors.
    SpatialError
        If `n` is not a positive whole number.

    Notes
    -----
    The quaternion is [1, c]^n, normalised, since products of quaternions represent products of
    rotations.

    Examples
    --------
    >>> cayleyToQuat([0, 0, 1]).round(4)
    array([0.7071, 0.    , 0.    , 0.7071])
    """
    check_order(n, "cayleyToQuat")
    c = as_vector(c, "cayleyToQuat: c", 3)
    xp = namespace(c)
    s = xp.sum(c * c, axis=-1, keepdims=True)
    root = xp.concat([0 * s + 1, c], axis=-1) / xp.sqrt(1 + s)
    q = root
    for _ in range(n - 1):
        q = quaternion_product(q, root)
    turned = settled(xp.less(real_part(q[..., :1]), 0), generic=False)
    return q if n == 1 else xp.where(turned, -q, q)


def check_order(n: Any, name: str) -> None:
    """Raise an error for an invalid order of a Cayley vector."""
    if not isinstance(n, Integral) or n < 1:
        raise SpatialError(f"{name}: n must be a positive whole number, got {n!r}")
