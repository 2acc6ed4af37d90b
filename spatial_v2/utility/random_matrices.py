"""Random skew-symmetric, symmetric and positive definite matrices, and random inertias."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_generator
from spatial_v2.exceptions import SpatialError
from spatial_v2.inertia import inertiaVecToMat, pinertiaToVec

__all__ = [
    "lead",
    "randomInertia",
    "randomInertialParams",
    "randomPinertia",
    "randomPositiveDefinite",
    "randomSkew",
    "randomSymmetric",
]


def lead(shape: int | tuple[int, ...]) -> tuple[int, ...]:
    """Convert leading axes, given as one number or a tuple, to a tuple.

    Examples
    --------
    >>> lead(3)
    (3,)
    """
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _square(rng: np.random.Generator, n: Any, shape: int | tuple[int, ...]) -> np.ndarray:
    """Draw n x n matrices with entries uniform in [-1/2, 1/2]."""
    if not isinstance(n, Integral) or n < 1:
        raise SpatialError(f"n must be a positive whole number, got {n!r}")
    return as_generator(rng).uniform(-0.5, 0.5, (*lead(shape), int(n), int(n)))


def _exp(S: np.ndarray) -> np.ndarray:
    """Compute the exponential of symmetric matrices."""
    values, V = np.linalg.eigh(S)
    return np.asarray((V * np.exp(values)[..., None, :]) @ np.swapaxes(V, -1, -2))


def randomSkew(
    rng: np.random.Generator, n: int = 3, shape: int | tuple[int, ...] = ()
) -> np.ndarray:
    """Draw random skew-symmetric matrices A - A^T (MATLAB ``randomSkew``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    n : int
        Number of rows and columns.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, n, n)
        A has entries uniform in [-1/2, 1/2].

    Raises
    ------
    TypeError
        `rng` is not a generator.
    SpatialError
        `n` is not a positive whole number.

    Examples
    --------
    >>> randomSkew(np.random.default_rng(1)).round(3)
    array([[ 0.   ,  0.002, -0.684],
           [-0.002,  0.   ,  0.014],
           [ 0.684, -0.014,  0.   ]])
    """
    A = _square(rng, n, shape)
    return np.asarray(A - np.swapaxes(A, -1, -2))


def randomSymmetric(
    rng: np.random.Generator, n: int, shape: int | tuple[int, ...] = ()
) -> np.ndarray:
    """Draw random symmetric matrices A + A^T (MATLAB ``randomSymmetric``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    n : int
        Number of rows and columns.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, n, n)
        A has entries uniform in [-1/2, 1/2].

    Raises
    ------
    TypeError
        `rng` is not a generator.
    SpatialError
        `n` is not a positive whole number.

    Examples
    --------
    >>> randomSymmetric(np.random.default_rng(1), 4).round(3)
    array([[ 0.024,  0.262, -0.306,  0.278],
           [ 0.262, -0.153, -0.145,  0.198],
           [-0.306, -0.145,  0.507, -0.159],
           [ 0.278,  0.198, -0.159, -0.093]])
    """
    A = _square(rng, n, shape)
    return np.asarray(A + np.swapaxes(A, -1, -2))


def randomPositiveDefinite(
    rng: np.random.Generator, n: int, shape: int | tuple[int, ...] = ()
) -> np.ndarray:
    """Draw random symmetric positive definite matrices (MATLAB ``randomPositiveDefinite``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    n : int
        Number of rows and columns.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, n, n)
        Exponentials of `randomSymmetric`.

    Raises
    ------
    TypeError
        `rng` is not a generator.
    SpatialError
        `n` is not a positive whole number.

    Examples
    --------
    >>> randomPositiveDefinite(np.random.default_rng(1), 4).round(3)
    array([[ 1.17 ,  0.316, -0.474,  0.341],
           [ 0.316,  0.93 , -0.254,  0.235],
           [-0.474, -0.254,  1.774, -0.279],
           [ 0.341,  0.235, -0.279,  0.993]])
    """
    return _exp(randomSymmetric(rng, n, shape))


def randomPinertia(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> np.ndarray:
    """Draw random positive definite pseudo-inertias (MATLAB ``randomPinertia``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, 4, 4)
        Matrices of `randomPositiveDefinite` with n = 4, of bodies of about a kilogram and a metre.

    Raises
    ------
    TypeError
        `rng` is not a generator.

    Examples
    --------
    >>> randomPinertia(np.random.default_rng(1)).round(3)
    array([[ 1.17 ,  0.316, -0.474,  0.341],
           [ 0.316,  0.93 , -0.254,  0.235],
           [-0.474, -0.254,  1.774, -0.279],
           [ 0.341,  0.235, -0.279,  0.993]])
    """
    return randomPositiveDefinite(rng, 4, shape)


def randomInertialParams(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> np.ndarray:
    """Draw random physically consistent inertial parameters (MATLAB ``randomInertialParams``).

    Their pseudo-inertias are exponentials of half a matrix of `randomSymmetric`.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, 10)
        Parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Raises
    ------
    TypeError
        `rng` is not a generator.

    Examples
    --------
    >>> randomInertialParams(np.random.default_rng(1)).round(3)
    array([ 0.973,  0.152,  0.106, -0.105,  2.254,  2.356,  1.988,  0.096,
            0.189, -0.142])
    """
    return np.asarray(pinertiaToVec(_exp(randomSymmetric(rng, 4, shape) / 2)))


def randomInertia(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> np.ndarray:
    """Draw random physically consistent spatial inertias (MATLAB ``randomInertia``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, 6, 6)
        Spatial inertias, in the form of `mcI`, with parameters of `randomInertialParams`.

    Raises
    ------
    TypeError
        `rng` is not a generator.

    Examples
    --------
    >>> randomInertia(np.random.default_rng(1))[0].round(3)
    array([ 2.254, -0.142,  0.189,  0.   ,  0.105,  0.106])
    """
    return np.asarray(inertiaVecToMat(randomInertialParams(rng, shape)))
