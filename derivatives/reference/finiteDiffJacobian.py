"""MATLAB's finiteDiffJacobian and finiteDiff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_numbers

__all__ = ["finiteDiff", "finiteDiffJacobian"]

_STEP = float(np.sqrt(np.finfo(np.float64).eps))


def finiteDiff(
    f: Callable[[np.ndarray], Any], x: ArrayLike, dx: ArrayLike, step: float = _STEP
) -> np.ndarray:
    """Compute the forward difference of f along dx.

    MATLAB: ``finiteDiff(f,x,dx,step)``.

    Parameters
    ----------
    f : callable
        Function of one array of the shape of x.
    x, dx : array_like
        Point and direction.
    step : float
        Step h.

    Returns
    -------
    numpy.ndarray
        ``(f(x + h dx) - f(x)) / h``, of the shape of f(x).

    Examples
    --------
    >>> round(float(finiteDiff(np.sin, 0.0, 2.0)), 6)
    2.0
    """
    point, along = np.asarray(as_numbers(x, "x")), np.asarray(as_numbers(dx, "dx"))
    return np.asarray((np.asarray(f(point + step * along)) - np.asarray(f(point))) / step)


def finiteDiffJacobian(
    f: Callable[[np.ndarray], Any], x: ArrayLike, step: float = _STEP
) -> np.ndarray:
    """Compute the Jacobian of f by forward differences.

    MATLAB: ``J = finiteDiffJacobian(f,x,step)``.

    Parameters
    ----------
    f : callable
        Function of one array of the shape of x.
    x : array_like
        Point of evaluation.
    step : float
        Step h.

    Returns
    -------
    numpy.ndarray, shape (*f(x).shape, x.size)
        One column for each element of x.

    Examples
    --------
    >>> finiteDiffJacobian(lambda x: x**2, [3.0, 4.0]).round(5)
    array([[6., 0.],
           [0., 8.]])
    """
    point = np.asarray(as_numbers(x, "x"))
    axes = np.eye(point.size).reshape(point.size, *point.shape)
    return np.stack([finiteDiff(f, point, e, step) for e in axes], axis=-1)
