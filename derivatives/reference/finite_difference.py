"""Second derivatives by finite differences, as in Singh, Russell, Wensing (2023)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.complex_step import directions_first
from derivatives.reference.functions import (
    BLOCKS,
    Block,
    FunctionName,
    SecondOrder,
    Variable,
    as_state,
    by_pairs,
    function_of,
    moved,
)
from derivatives.reference.metrics import rmsre
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.model import Model

__all__ = ["OptimalStep", "finite_diff_1", "finite_diff_2", "optimal_step"]


def finite_diff_1(
    model: Model,
    q: ArrayLike,
    qd: ArrayLike,
    u: ArrayLike,
    function: FunctionName = "ID",
    *,
    h: float = 3e-4,
    k: float | None = None,
    chunk: int = 4096,
) -> SecondOrder:
    """Compute second derivatives of ID or FD by second-order central differences.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd, u : array_like, shapes (..., NQ), (..., NV), (..., NV)
        State; `u` is qdd for ID and tau for FD.
    function : {"ID", "FD"}
        Inverse or forward dynamics.
    h, k : float
        Step along the first and along the second direction; k = h by default. The best values lie
        between 1e-4 and 1e-3 (Fig. 21 of the paper); see `optimal_step`.
    chunk : int
        Number of pairs of directions evaluated in one call.

    Returns
    -------
    SecondOrder
        Ordered second derivatives ``dq, dqd, cross, du_dq``.

    Notes
    -----
    Method Finite-Diff-1 of Singh, Russell, Wensing (2023): equation (55) along one direction, (56)
    along two.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> finite_diff_1(autoTree(2), [0.1, 0.2], [1, 2], [0, 0]).dq[0].round(3)
    array([[0.   , 0.   ],
           [0.   , 0.795]])
    """
    f, state = function_of(function), as_state(model, q, qd, u)
    h2 = h if k is None else k
    axes = np.eye(model.NV)
    middle = f.evaluate(model, *state)

    def block(b: Block) -> np.ndarray:
        def at(first: np.ndarray, second: np.ndarray) -> np.ndarray:
            near = moved(model, state, b.second, directions_first(state.qd, second))
            far = moved(model, near, b.first, directions_first(state.qd, first))
            return np.asarray(f.evaluate(model, *far))

        def evaluate(j: np.ndarray, k: np.ndarray) -> np.ndarray:
            x, y = h * axes[j], h2 * axes[k]
            d2: np.ndarray = (at(x, y) - at(x, -y) - at(-x, y) + at(-x, -y)) / (4 * h * h2)
            if b.first == b.second:
                same = j == k
                x, none = x[same], 0 * x[same]
                d2[same] = (at(x, none) - 2 * middle + at(-x, none)) / h**2
            return d2

        return by_pairs(model, b, evaluate, chunk)

    return SecondOrder(*map(block, BLOCKS))


def finite_diff_2(
    model: Model,
    q: ArrayLike,
    qd: ArrayLike,
    u: ArrayLike,
    function: FunctionName = "ID",
    *,
    h: float = 1e-5,
) -> SecondOrder:
    """Compute second derivatives by central differences of analytic first derivatives.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd, u : array_like, shapes (..., NQ), (..., NV), (..., NV)
        State; `u` is qdd for ID and tau for FD.
    function : {"ID", "FD"}
        `ID_derivatives` or `FD_derivatives`.
    h : float
        Step; 1e-5 is the best for almost all sizes of model (Fig. 23 of the paper).

    Returns
    -------
    SecondOrder
        Ordered second derivatives ``dq, dqd, cross, du_dq``.

    Notes
    -----
    Method Finite-Diff-2 of Singh, Russell, Wensing (2023), equation (57). The mixed derivatives
    with respect to q and qd are differences, over q, of derivatives with respect to qd.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> finite_diff_2(autoTree(2), [0.1, 0.2], [1, 2], [0, 0]).dq[0].round(3)
    array([[0.   , 0.   ],
           [0.   , 0.795]])
    """
    f, state = function_of(function), as_state(model, q, qd, u)
    dx = h * directions_first(state.qd, np.eye(model.NV))

    def differences(variable: Variable) -> tuple[np.ndarray, ...]:
        ahead = f.derivatives(model, *moved(model, state, variable, dx))
        behind = f.derivatives(model, *moved(model, state, variable, -dx))
        return tuple(
            np.moveaxis(a - b, 0, -1) / (2 * h) for a, b in zip(ahead, behind, strict=True)
        )

    (dq, _, du_dq), (cross, dqd, _) = differences("q"), differences("qd")
    return SecondOrder(dq, dqd, cross, du_dq)


@shown_in_notebooks
class OptimalStep(NamedTuple):
    """Result of `optimal_step`.

    Attributes
    ----------
    steps : tuple of float
        The steps with the smallest error.
    error : float
        The root-mean-square relative error with these steps.
    tried : dict {steps: error}
        Errors of all steps tried, for contour plots such as Figs. 22 and 23 of the paper.
    """

    steps: tuple[float, ...]
    error: float
    tried: dict[tuple[float, ...], float]


def optimal_step(
    method: Callable[..., Sequence[np.ndarray]],
    reference: Sequence[np.ndarray],
    steps: Iterable[tuple[float, ...]],
) -> OptimalStep:
    """Find the steps of a difference method with the smallest root-mean-square relative error.

    Parameters
    ----------
    method : callable
        The method: ``method(*steps)`` returns the tensors of second derivatives.
    reference : sequence of arrays
        The true tensors.
    steps : iterable of tuples
        Steps to try, e.g. ``itertools.product(h, k)``.

    Returns
    -------
    OptimalStep
        The best steps, their error, and all errors.

    Examples
    --------
    >>> import numpy as np
    >>> central = lambda h: [(np.sin(h) - np.sin(-h)) / (2 * h)]
    >>> optimal_step(central, [np.array(1.0)], [(1.0,), (0.1,)]).steps
    (0.1,)
    """
    truth = np.concatenate([np.ravel(A) for A in reference])
    tried = {
        tuple(s): rmsre(np.concatenate([np.ravel(A) for A in method(*s)]), truth) for s in steps
    }
    best = min(tried, key=tried.__getitem__)
    return OptimalStep(best, tried[best], tried)
