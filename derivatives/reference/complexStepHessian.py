"""MATLAB's complexStepHessian."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_real

__all__ = ["complexStepHessian"]


def complexStepHessian(
    f: Callable[[np.ndarray], Sequence[Any]], x: ArrayLike, step: float = 1e-20
) -> tuple[np.ndarray, ...]:
    """Differentiate all results of a function by complex steps, one element of x at a time.

    MATLAB: ``[H1,H2] = complexStepHessian(f,x,step)``; if f returns first derivatives, the results
    are second derivatives. MATLAB's ``complexStepHessian_FD`` does this for three results.

    Parameters
    ----------
    f : callable
        Analytic function of one array of the shape of x that returns several arrays, such as a
        named tuple of Jacobians. It need not broadcast.
    x : array_like
        Point of evaluation; real, of any shape.
    step : float
        Step h.

    Returns
    -------
    tuple of numpy.ndarray
        For each result y of f, ``Im y(x + i h e_k) / h``, shape (*y.shape, x.size): ``[..., k]`` is
        MATLAB's page k.

    See Also
    --------
    complexStepJacobian : Derivatives of a function with one result.

    Examples
    --------
    >>> gradient = lambda x: (np.stack([x[1] ** 2, 2 * x[0] * x[1]]), x[0])
    >>> second, other = complexStepHessian(gradient, [3.0, 5.0])
    >>> second
    array([[ 0., 10.],
           [10.,  6.]])
    """
    x = as_real(x, "x")
    steps = 1j * step * np.eye(x.size).reshape(x.size, *x.shape)
    results = zip(*(f(x + dx) for dx in steps), strict=True)
    return tuple(np.stack([np.imag(y) / step for y in pages], axis=-1) for pages in results)
