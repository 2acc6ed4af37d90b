"""Second derivatives to machine precision by bicomplex steps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.bicomplex import Bicomplex
from derivatives.reference.checks import real_vector
from derivatives.reference.complex_step import STEP, directions_first
from derivatives.reference.functions import (
    BLOCKS,
    Block,
    FunctionName,
    SecondOrder,
    as_state,
    by_pairs,
    function_of,
    moved,
)
from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_real
from spatial_v2.configuration import configurationAddition
from spatial_v2.model import Model

__all__ = ["bicomplex_step", "bicomplex_step_q", "second_order_bicomplex"]


def _along(x: np.ndarray, index: np.ndarray, n: int, part: complex) -> np.ndarray:
    """Return `part` times the unit vectors with the numbers `index` among n, along a new first
    axis, so that they broadcast against x (..., n).
    """
    return part * directions_first(x, np.eye(n)[index])


def bicomplex_step(f: Callable[[Array], Array], x: ArrayLike, *, step: float = STEP) -> np.ndarray:
    """Compute second derivatives of f by bicomplex steps.

    Parameters
    ----------
    f : callable
        Analytic function of x that takes `Bicomplex` arrays and broadcasts over leading axes:
        (..., n) -> (..., *out).
    x : array_like, shape (..., n)
        Point of evaluation; real.
    step : float
        Step h.

    Returns
    -------
    numpy.ndarray, shape (..., *out, n, n)
        ``Im12 f(x + i1 h e_j + i2 h e_k) / h^2``.

    Notes
    -----
    Lantoine, Russell, Dargent (2012); equation (54) of Singh, Russell, Wensing (2023).

    Examples
    --------
    >>> bicomplex_step(lambda x: x[..., 0] * x[..., 1] ** 3, [5.0, 2.0])
    array([[ 0., 12.],
           [12., 60.]])
    """
    x = np.atleast_1d(as_real(x, "x"))
    n = x.shape[-1]
    j, k = (index.ravel() for index in np.indices((n, n)))
    y = f(Bicomplex(x + _along(x, j, n, 1j * step), _along(x, k, n, step)))
    T = y.im12 / step / step
    return np.moveaxis(T.reshape(n, n, *T.shape[1:]), (0, 1), (-2, -1))


def bicomplex_step_q(
    model: Model, f: Callable[[Array], Array], q: ArrayLike, *, step: float = STEP
) -> np.ndarray:
    """Compute ordered second Lie derivatives of f along the joints' degrees of freedom.

    Parameters
    ----------
    model : Model
        The model, whose joints define the addition ``q (+) dq``.
    f : callable
        Analytic function of q that takes `Bicomplex` arrays and broadcasts over leading axes:
        (..., NQ) -> (..., *out).
    q : array_like, shape (..., NQ)
        Configuration; real.
    step : float
        Step h.

    Returns
    -------
    numpy.ndarray, shape (..., *out, NV, NV)
        ``T[..., j, k] = d_k(d_j f)``: the derivative along k of the derivative along j.

    Notes
    -----
    ``d_j f(q)`` is the derivative of ``f(q (+) s e_j)`` with respect to s at s = 0; hence
    ``d_k d_j f(q)`` is the mixed derivative of ``f((q (+) t e_k) (+) s e_j)``, in which the step
    along k is applied first.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> bicomplex_step_q(autoTree(1), lambda q: q**3, [2.0])
    array([[[12.]]])
    """
    q, n = real_vector(model, "q", q, "q"), model.NV
    j, k = (index.ravel() for index in np.indices((n, n)))
    first, second = (_along(q, index, n, step) for index in (j, k))
    near = configurationAddition(model, q, Bicomplex(0 * second, second))
    y = f(configurationAddition(model, near, Bicomplex(1j * first)))
    T = y.im12 / step / step
    return np.moveaxis(T.reshape(n, n, *T.shape[1:]), (0, 1), (-2, -1))


def second_order_bicomplex(
    model: Model,
    q: ArrayLike,
    qd: ArrayLike,
    u: ArrayLike,
    function: FunctionName = "ID",
    *,
    step: float = STEP,
    chunk: int = 1024,
) -> SecondOrder:
    """Compute second derivatives of inverse or forward dynamics by bicomplex steps.

    Parameters
    ----------
    model : Model
        The rigid-body tree, with or without geared rotors.
    q, qd, u : array_like, shapes (..., NQ), (..., NV), (..., NV)
        State; `u` is qdd for ID and tau for FD.
    function : {"ID", "FD"}
        Reference implementation of inverse dynamics (RNEA) or forward dynamics (ABA).
    step : float
        Step h.
    chunk : int
        Number of pairs of directions evaluated in one call; more is faster and needs more memory.

    Returns
    -------
    SecondOrder
        Ordered second derivatives ``dq, dqd, cross, du_dq``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> second_order_bicomplex(autoTree(2), [0.1, 0.2], [1, 2], [0, 0]).dq[0].round(3)
    array([[0.   , 0.   ],
           [0.   , 0.795]])
    """
    f, state = function_of(function), as_state(model, q, qd, u)

    def block(b: Block) -> np.ndarray:
        def evaluate(j: np.ndarray, k: np.ndarray) -> np.ndarray:
            first, second = (_along(state.qd, index, model.NV, step) for index in (j, k))
            near = moved(model, state, b.second, Bicomplex(0 * second, second))
            y = f.evaluate(model, *moved(model, near, b.first, Bicomplex(1j * first)))
            return np.asarray(y.im12 / step / step)

        return by_pairs(model, b, evaluate, chunk)

    return SecondOrder(*map(block, BLOCKS))
