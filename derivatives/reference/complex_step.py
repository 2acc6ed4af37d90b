"""First derivatives to machine precision by complex steps, all directions in one call."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.checks import real_vector, tangents
from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_real
from spatial_v2.configuration import configurationAddition
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model

__all__ = ["STEP", "complex_step", "complex_step_q", "directions_first"]

STEP = 1e-20
"""Step h of complex and bicomplex methods, so small that 1 + h^2 is rounded to 1."""


def directions_first(x: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Reshape directions (p, n) to (p, 1, ..., 1, n), to broadcast against x (..., n).

    Examples
    --------
    >>> directions_first(np.zeros((5, 4, 3)), np.eye(3)).shape
    (3, 1, 1, 3)
    """
    return directions.reshape(len(directions), *[1] * (x.ndim - 1), directions.shape[-1])


def _stepped(y: Array, step: float) -> np.ndarray:
    return np.moveaxis(np.asarray(y).imag / step, 0, -1)


def complex_step(
    f: Callable[[Array], Array],
    x: ArrayLike,
    directions: ArrayLike | None = None,
    *,
    step: float = STEP,
) -> np.ndarray:
    """Compute the Jacobian of f, or its derivatives along given directions, by complex steps.

    Parameters
    ----------
    f : callable
        Analytic function of x that broadcasts over leading axes: (..., n) -> (..., *out).
    x : array_like, shape (..., n)
        Point of evaluation; real.
    directions : array_like, shape (p, n), optional
        Directions, one per row; by default the axes of x.
    step : float
        Step h; there is no subtraction, so it may be tiny.

    Returns
    -------
    numpy.ndarray, shape (..., *out, p)
        ``Im f(x + i h d) / h`` for each direction d.

    Notes
    -----
    Squire and Trapp (1998); equation (53) of Singh, Russell, Wensing (2023). `complexStepJacobian`
    is for functions that do not broadcast.

    Examples
    --------
    >>> complex_step(lambda x: np.sin(x), [0.0, 0.0])
    array([[1., 0.],
           [0., 1.]])
    """
    x = np.atleast_1d(as_real(x, "x"))
    d = np.eye(x.shape[-1]) if directions is None else as_real(directions, "directions")
    if d.ndim != 2 or d.shape[1] != x.shape[-1]:
        raise ArrayShapeError(f"directions: want shape (p, {x.shape[-1]}), got {d.shape}")
    return _stepped(f(x + 1j * step * directions_first(x, d)), step)


def complex_step_q(
    model: Model,
    f: Callable[[Array], Array],
    q: ArrayLike,
    directions: ArrayLike | None = None,
    *,
    step: float = STEP,
) -> np.ndarray:
    """Compute right Lie derivatives of f, along the joints' degrees of freedom, by complex steps.

    Parameters
    ----------
    model : Model
        The model, whose joints define the addition ``q (+) dq``.
    f : callable
        Analytic function of q that broadcasts over leading axes: (..., NQ) -> (..., *out).
    q : array_like, shape (..., NQ)
        Configuration; real.
    directions : array_like, shape (p, NV), optional
        Tangent vectors, one per row; by default the unit vectors.
    step : float
        Step h.

    Returns
    -------
    numpy.ndarray, shape (..., *out, p)
        ``Im f(q (+) i h d) / h``; p = NV by default, and never NQ.

    Examples
    --------
    >>> from spatial_v2 import Model, mcI, xlt
    >>> model = Model(parent=[-1], jtype=["Rz"], Xtree=[xlt([0, 0, 0])],
    ...               I=[mcI(1.0, [0, 0, 0], np.eye(3))])
    >>> complex_step_q(model, lambda q: q**2, [3.0])
    array([[6.]])
    """
    q, d = real_vector(model, "q", q, "q"), tangents(model, directions)
    d = np.broadcast_to(directions_first(q, d), (len(d), *q.shape[:-1], model.NV))
    return _stepped(f(configurationAddition(model, q, 1j * step * d)), step)
