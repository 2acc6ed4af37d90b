"""Random rotations, transforms and twists."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays.checks import as_generator
from spatial_v2.orientation import quatToRot
from spatial_v2.spatial import plux
from spatial_v2.utility.random_matrices import lead, randomSkew

__all__ = ["randomAdSE3", "randomQuat", "randomRotation", "randomSE3", "random_se3"]


def randomQuat(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> np.ndarray:
    """Draw random unit quaternions, uniform over rotations (MATLAB ``randomQuat``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, 4)
        Quaternions [w, x, y, z]; of either sign.

    Raises
    ------
    TypeError
        `rng` is not a generator.

    Examples
    --------
    >>> randomQuat(np.random.default_rng(1)).round(3)
    array([ 0.214,  0.509,  0.205, -0.808])
    """
    q = as_generator(rng).normal(size=(*lead(shape), 4))
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def randomRotation(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> np.ndarray:
    """Draw random rotation matrices, uniform over rotations (MATLAB ``randomRotation``).

    The distribution is uniform with respect to the Haar measure; MATLAB draws the angle uniformly
    instead, which favours small rotations.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, 3, 3)
        Rotation matrices.

    Raises
    ------
    TypeError
        `rng` is not a generator.

    Examples
    --------
    >>> randomRotation(np.random.default_rng(1)).round(3)
    array([[-0.389,  0.555, -0.735],
           [-0.137, -0.824, -0.549],
           [-0.911, -0.113,  0.397]])
    """
    return np.asarray(quatToRot(randomQuat(rng, shape)))


def randomSE3(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> np.ndarray:
    """Draw random homogeneous transforms (MATLAB ``randomSE3``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, 4, 4)
        [R p; 0 1] with R from `randomRotation` and p standard normal [m].

    Raises
    ------
    TypeError
        `rng` is not a generator.

    Examples
    --------
    >>> randomSE3(np.random.default_rng(1)).round(3)
    array([[-0.389,  0.555, -0.735,  0.905],
           [-0.137, -0.824, -0.549,  0.446],
           [-0.911, -0.113,  0.397, -0.537],
           [ 0.   ,  0.   ,  0.   ,  1.   ]])
    """
    T = np.zeros((*lead(shape), 4, 4))
    T[..., :3, :3], T[..., 3, 3] = randomRotation(rng, shape), 1
    T[..., :3, 3] = rng.normal(size=(*lead(shape), 3))
    return T


def randomAdSE3(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> np.ndarray:
    """Draw random coordinate transforms for motion vectors (MATLAB ``randomAdSE3``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, 6, 6)
        X = ``plux(E, r)`` with E from `randomRotation` and r standard normal [m].

    Raises
    ------
    TypeError
        `rng` is not a generator.

    Examples
    --------
    >>> randomAdSE3(np.random.default_rng(1))[0].round(3)
    array([-0.389,  0.555, -0.735,  0.   ,  0.   ,  0.   ])
    """
    E = randomRotation(rng, shape)
    return np.asarray(plux(E, rng.normal(size=(*lead(shape), 3))))


def random_se3(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> np.ndarray:
    """Draw random twists as 4x4 matrices of se(3) (MATLAB ``random_se3``).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, 4, 4)
        [skew(w), v; 0 0] with skew(w) from `randomSkew` and v standard normal.

    Raises
    ------
    TypeError
        `rng` is not a generator.

    Examples
    --------
    >>> random_se3(np.random.default_rng(1)).round(3)
    array([[ 0.   ,  0.002, -0.684,  0.294],
           [-0.002,  0.   ,  0.014,  0.028],
           [ 0.684, -0.014,  0.   ,  0.547],
           [ 0.   ,  0.   ,  0.   ,  0.   ]])
    """
    S = np.zeros((*lead(shape), 4, 4))
    S[..., :3, :3] = randomSkew(rng, 3, shape)
    S[..., :3, 3] = rng.normal(size=(*lead(shape), 3))
    return S
