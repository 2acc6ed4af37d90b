"""Checks of vector and matrix arguments: shapes and kinds of numbers, with error messages."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from spatial_v2.arrays.blocks import uncolumn
from spatial_v2.arrays.namespaces import FLOAT, Array, as_array
from spatial_v2.arrays.objects import elements
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = [
    "as_generator",
    "as_lead",
    "as_matrix",
    "as_numbers",
    "as_real",
    "as_rotation",
    "as_vector",
    "check_leads",
    "check_shape",
    "common_shape",
    "is_column",
    "is_matrix",
    "pose_hint",
]

_MEANING = {
    2: "planar points are [x, y]",
    3: "planar vectors are [omega, vx, vy], points [x, y, z]",
    4: "quaternions are [w, x, y, z]",
    6: "spatial vectors are [angular, linear]",
}


def as_generator(rng: Any) -> np.random.Generator:
    """Check that `rng` is a generator of random numbers.

    Examples
    --------
    >>> as_generator(1)
    Traceback (most recent call last):
        ...
    TypeError: rng: want a numpy.random.Generator, numpy.random.default_rng(seed); got 1
    """
    if isinstance(rng, np.random.Generator):
        return rng
    raise TypeError(
        f"rng: want a numpy.random.Generator, numpy.random.default_rng(seed); got {rng!r}"
    )


def as_lead(name: str, shape: Any) -> tuple[int, ...]:
    """Convert leading axes, a whole number or several, to a tuple.

    Examples
    --------
    >>> as_lead("shape", 3)
    (3,)
    """
    try:
        return np.broadcast_shapes(shape)
    except (TypeError, ValueError):
        raise SpatialError(
            f"{name}: want the leading axes, a whole number or a tuple of them, got {shape!r}"
        ) from None


def as_numbers(x: Any, name: str) -> Array:
    """Convert x to an array of numbers of any kind; raise an error if that is impossible.

    Examples
    --------
    >>> as_numbers("half", "rx: theta")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: rx: theta must be numbers, got 'half'
    """
    if type(x) is np.ndarray and x.dtype == FLOAT:
        return x
    if x is None:
        raise ArrayShapeError(f"{name} must be numbers, got None")
    try:
        array = as_array(x)
    except ValueError as error:
        raise ArrayShapeError(f"{name} must be one array of numbers; {error}") from error
    if isinstance(array, np.ndarray) and array.dtype.kind not in "fcO":
        raise ArrayShapeError(f"{name} must be numbers, got {x!r}")
    return array


def as_real(x: Any, name: str) -> np.ndarray:
    """Convert x to a NumPy array of real floats; raise an error for complex numbers and objects.

    Examples
    --------
    >>> as_real([1, 1j], "x")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: x must be real numbers, got an array of complex128
    """
    array = np.asarray(as_numbers(x, name))
    if array.dtype.kind != "f":
        raise ArrayShapeError(f"{name} must be real numbers, got an array of {array.dtype}")
    return array


def as_vector(x: Any, name: str, *sizes: int) -> Array:
    """Convert vectors (..., n) or columns (..., n, 1), n one of `sizes`, to vectors (..., n).

    Examples
    --------
    >>> as_vector([[1], [2], [3]], "skew: v", 3)
    array([1., 2., 3.])
    >>> as_vector([1, 2], "skew: v", 3)
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: skew: v must have shape (..., 3), got (2,)...
    """
    array = as_numbers(x, name)
    shape = tuple(array.shape)
    if shape and shape[-1] in sizes:
        return array
    if is_column(array, *sizes):
        return uncolumn(array)
    wanted = " or ".join(f"(..., {n})" for n in sizes)
    hints = [_MEANING[n] for n in sizes if n in _MEANING]
    if len(shape) > 1 and shape[-2] in sizes:
        hints.append("vectors are rows along the last axis: transpose (MATLAB columns)?")
    raise ArrayShapeError("; ".join([f"{name} must have shape {wanted}, got {shape}", *hints]))


def is_column(x: Any, *sizes: int) -> bool:
    """Return whether `x` holds columns (..., n, 1), n one of `sizes`.

    Examples
    --------
    >>> is_column([[1], [2], [3]], 3)
    True
    """
    x = elements(x)
    shape = x.shape if hasattr(x, "shape") else np.shape(x)
    return len(shape) > 1 and shape[-1] == 1 and shape[-2] in sizes


def is_matrix(x: Array, *sizes: int) -> bool:
    """Return whether `x` has shape (..., n, n), n one of `sizes`.

    Examples
    --------
    >>> is_matrix(np.eye(2), 2, 3)
    True
    """
    shape = x.shape
    return len(shape) > 1 and shape[-1] == shape[-2] and shape[-1] in sizes


def as_matrix(x: Any, name: str, *sizes: int) -> Array:
    """Convert x to an array of square matrices (..., n, n), n one of `sizes`.

    Examples
    --------
    >>> as_matrix([1, 2, 3], "inv_skew: A", 3)
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: inv_skew: A must have shape (..., 3, 3), got (3,)
    """
    array = as_numbers(x, name)
    if is_matrix(array, *sizes):
        return array
    wanted = " or ".join(f"(..., {n}, {n})" for n in sizes)
    hint = pose_hint(array.shape, sizes)
    raise ArrayShapeError(f"{name} must have shape {wanted}, got {tuple(array.shape)}{hint}")


def pose_hint(shape: tuple[int, ...], sizes: tuple[int, ...] = (6,)) -> str:
    """Return how a pose (4, 4) becomes a transform (6, 6), or a transform a pose, for messages that
    want matrices of other `sizes`; else no text.

    Examples
    --------
    >>> pose_hint((6, 6)), pose_hint((6, 6), (4,))[:24]
    ('', '; transform_to_pose(X) g')
    """
    core = tuple(shape[-2:])
    if 6 in sizes and core == (4, 4):
        return "; pose_to_transform(T) gives the transform to a frame with pose T = [R p; 0 1]"
    if 4 in sizes and core == (6, 6):
        return "; transform_to_pose(X) gives the pose [R p; 0 1] of a frame, X the transform to it"
    return ""


def common_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Broadcast shapes. Lengths may be symbols, as in JAX for an unknown number of states, which
    `numpy.broadcast_shapes` does not take.

    Raises
    ------
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> common_shape((5, 1), (4,), ())
    (5, 4)
    """
    lengths = []
    for axis in zip_longest(*map(reversed, shapes), fillvalue=1):
        several = [n for n in axis if n != 1] or [1]
        if any(n != several[0] for n in several):
            raise ValueError(f"shapes {shapes} do not broadcast")
        lengths.append(several[0])
    return tuple(reversed(lengths))


def check_leads(function: str, **leads: tuple[int, ...]) -> None:
    """Raise an error unless the leading axes of arguments, given by name, broadcast.

    Examples
    --------
    >>> check_leads("Vpt", v=(3,), p=(2,))
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: Vpt: leading axes do not broadcast: v (3,), p (2,)
    """
    if len(set(leads.values())) > 1:
        try:
            common_shape(*leads.values())
        except ValueError:
            text = ", ".join(f"{name} {tuple(lead)}" for name, lead in leads.items())
            raise ArrayShapeError(f"{function}: leading axes do not broadcast: {text}") from None


def check_shape(x: Array, name: str, shape: tuple[int, ...]) -> None:
    """Raise an error unless an array has the given shape.

    Examples
    --------
    >>> check_shape(np.zeros(3), "dq", (2, 3))
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: dq: want shape (2, 3), got (3,)
    """
    if tuple(x.shape) != shape:
        raise ArrayShapeError(f"{name}: want shape {shape}, got {tuple(x.shape)}")


def as_rotation(R: Any, name: str, within: float = 1e-3, hint: str = "") -> Array:
    """Convert R to matrices (..., 3, 3); NumPy numbers must be orthonormal, with determinant 1.

    Examples
    --------
    >>> as_rotation(-np.eye(3), "rotToQuat: R")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: rotToQuat: R must be a rotation, ... mirrors...
    """
    array = as_matrix(R, name, 3)
    if not (isinstance(array, np.ndarray) and array.dtype.kind in "fc"):
        return array
    real = array.real
    error = np.abs(real @ real.swapaxes(-1, -2) - np.eye(3)).max(initial=0.0)
    if error > within:
        raise ArrayShapeError(
            f"{name} must be a rotation, but it times its transpose differs from 1 by {error:.1g}"
            + hint
        )
    if np.any(np.linalg.det(real) < 0):
        raise ArrayShapeError(f"{name} must be a rotation, but it mirrors: its determinant is -1")
    return array
