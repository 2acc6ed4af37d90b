"""MATLAB's complexStepJacobian."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import SpatialError

__all__ = ["complexStepJacobian"]


def complexStepJacobian(
    f: Callable[[np.ndarray], Any], x: ArrayLike, step: float = 1e-20
) -> np.ndarray:
    """Compute the Jacobian of an analytic function by complex steps, one element of x at a time.

    MATLAB: ``J = complexStepJacobian(f,x,step)``.

    Parameters
    ----------
    f : callable
        Analytic function of one array of the shape of x. It need not broadcast.
    x : array_like
        Point of evaluation; real, of any shape.
    step : float
        Step h. MATLAB's default is eps; a smaller step loses no accuracy.

    Returns
    -------
    numpy.ndarray, shape (*f(x).shape, x.size)
        ``Im f(x + i h e_k) / h``. For a scalar function this is the gradient, shape (n,), for a
        vector the m x n Jacobian, for a matrix an array with three axes.

    Raises
    ------
    SpatialError
        If f returns several results; MATLAB uses the first.

    See Also
    --------
    complex_step : All directions in one call, for functions that broadcast.

    Examples
    --------
    >>> complexStepJacobian(lambda x: x[0] * x[1], [3.0, 4.0])
    array([4., 3.])
    """
    x = as_real(x, "x")
    steps = 1j * step * np.eye(x.size).reshape(x.size, *x.shape)
    values = [f(x + dx) for dx in steps]
    if values and isinstance(values[0], tuple):
        raise SpatialError(
            f"complexStepJacobian: f: want a function with one result, got {len(values[0])}. For "
            "the first, as in MATLAB, pass lambda x: f(x)[0]; for all use complexStepHessian"
        )
    return np.stack([np.imag(y) / step for y in values], axis=-1)
