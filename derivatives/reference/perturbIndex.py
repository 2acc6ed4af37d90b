"""MATLAB's perturbIndex_q and perturbIndex_v."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.complex_step import complex_step, complex_step_q
from derivatives.reference.complexStepForce import rows_of_joint
from spatial_v2.dynamics.robot_frame import GroundFrame
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["perturbIndex_q", "perturbIndex_v"]

_PER_VELOCITY = ("S", "Sd", "psid", "psidd")


def perturbIndex_q(
    model: Model, func: Callable[[Any], Any], x: ArrayLike, j: int, i: int
) -> GroundFrame | np.ndarray:
    """Differentiate quantities of body i along the degrees of freedom of joint j.

    MATLAB: ``perturbIndex_q(model,func,x,jj,ii,p)``, which for a joint with several degrees of
    freedom returns only the last column of the derivative of the velocity. With a function of the
    forces on bodies this is MATLAB's ``perturbIndex_q_sp``. Derivatives are by complex steps.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    func : callable
        Function of the configuration that broadcasts over leading axes. It returns a `GroundFrame`,
        as `GlobalDynamics` does, or one array (..., NB, ...) with an entry for each body.
    x : array_like, shape (NQ,)
        Configuration; real.
    j, i : int
        Joint and body, counted from 0.

    Returns
    -------
    GroundFrame or numpy.ndarray
        Derivatives of each quantity of body i, along a last axis of length nv_j. For fields with a
        column for each velocity variable, these are the columns of joint i.

    Raises
    ------
    SpatialError
        If `j` or `i` is not a body of the model.

    Examples
    --------
    >>> from spatial_v2 import GlobalDynamics, autoTree
    >>> model, v = autoTree(3), np.ones(3)
    >>> d = perturbIndex_q(model, lambda q: GlobalDynamics(model, q, v, v), [0.1, 0.2, 0.3], 1, 2)
    >>> d.S[3].round(3)
    array([[0.955]])
    """
    check_model(model)
    rows = rows_of_joint(model, j, "perturbIndex_q: j")
    rows_of_joint(model, i, "perturbIndex_q: i")
    return _each(model, func, i, lambda f: complex_step_q(model, f, x, rows))


def perturbIndex_v(
    model: Model, func: Callable[[Any], Any], x: ArrayLike, j: int, i: int
) -> GroundFrame | np.ndarray:
    """Differentiate quantities of body i with respect to the velocities of joint j.

    MATLAB: ``perturbIndex_v(model,func,x,jj,ii,p)``. With functions of the forces on bodies it is
    MATLAB's ``perturbIndex_v_sp``, and with a function of accelerations ``perturbIndex_a_sp``.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    func : callable
        Function of joint velocities or accelerations; its result is as for `perturbIndex_q`.
    x : array_like, shape (NV,)
        Velocities or accelerations; real.
    j, i : int
        Joint and body, counted from 0.

    Returns
    -------
    GroundFrame or numpy.ndarray
        As for `perturbIndex_q`.

    Raises
    ------
    SpatialError
        If `j` or `i` is not a body of the model.

    Examples
    --------
    >>> from spatial_v2 import GlobalDynamics, autoTree
    >>> model, q = autoTree(3), np.ones(3)
    >>> d = perturbIndex_v(model, lambda v: GlobalDynamics(model, q, v, v), [0.1, 0.2, 0.3], 1, 2)
    >>> d.v.round(3)
    array([[ 0.   ],
           [ 0.   ],
           [ 1.   ],
           [ 0.841],
           [-0.54 ],
           [ 0.   ]])
    """
    check_model(model)
    rows = rows_of_joint(model, j, "perturbIndex_v: j")
    rows_of_joint(model, i, "perturbIndex_v: i")
    return _each(model, func, i, lambda f: complex_step(f, x, rows))


def _each(
    model: Model, func: Callable[[Any], Any], i: int, step: Callable[[Callable[[Any], Any]], Any]
) -> GroundFrame | np.ndarray:
    """Differentiate each field of the result of `func` for body i by the complex-step function
    `step`.
    """
    fields: list[str] = []

    def entry(x: Any, field: str = "") -> Any:
        y = func(x)
        fields[:] = getattr(y, "_fields", ())
        if fields and not field:
            return y[0]
        y = getattr(y, field) if field else y
        if field in _PER_VELOCITY:
            return y[..., model.vinds[i]]
        return y[(*[slice(None)] * (x.ndim - 1), i)]

    first: np.ndarray = step(entry)
    if not fields:
        return first
    return GroundFrame(*(step(partial(entry, field=field)) for field in list(fields)))
