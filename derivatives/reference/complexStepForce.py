"""MATLAB's complexStepForce and its variants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.complex_step import complex_step, complex_step_q
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["complexStepForce", "rows_of_joint"]


def rows_of_joint(model: Model, j: int, name: str) -> np.ndarray:
    """Return unit vectors (nv_j, NV) along the nv_j velocity variables of joint j."""
    if not 0 <= j < model.NB:
        raise SpatialError(f"{name} must be a joint from 0 to {model.NB - 1}, got {j}")
    return np.asarray(np.eye(model.NV)[model.vinds[j]])


def complexStepForce(
    model: Model,
    f: Callable[[Any], Any],
    x: ArrayLike,
    j: int,
    k: int,
    variable: Literal["q", "v"] = "q",
) -> np.ndarray:
    """Differentiate quantities of joint j along joint k by complex steps.

    MATLAB: ``complexStepForce(model,f,x,jj,kk)``; with a function of velocities or accelerations
    and ``variable="v"``, ``complexStepForce_SOv`` and its variants, which check second derivatives
    of forces.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    f : callable
        Analytic function of `x` that broadcasts over leading axes and whose last axis has NV
        entries, such as a field of `spatial_force_derivatives`, (..., NB, 6, NV).
    x : array_like, shape (NQ,) or (NV,)
        Point of evaluation: a configuration, velocities or accelerations.
    j, k : int
        Joints, counted from 0. The result has the columns of joint j of the last axis of f; x is
        stepped along the degrees of freedom of joint k.
    variable : {"q", "v"}
        ``"q"`` if `x` is a configuration, which is stepped by `configurationAddition`; ``"v"`` if
        it is a vector of velocities or accelerations.

    Returns
    -------
    numpy.ndarray, shape (..., nv_j, nv_k)
        Derivatives, with nv_j and nv_k the degrees of freedom of the joints; (NB, 6, nv_j, nv_k)
        for the example above.

    Raises
    ------
    SpatialError
        If `j` or `k` is not a joint of the model, or `variable` is unknown.

    Examples
    --------
    >>> from spatial_v2 import autoTree, spatial_force_derivatives
    >>> model, v = autoTree(3), np.ones(3)
    >>> f = lambda q: spatial_force_derivatives(model, q, v, v).df_dq
    >>> complexStepForce(model, f, [0.1, 0.2, 0.3], 1, 2)[2, 0].round(3)
    array([[-2.77]])
    """
    check_model(model)
    rows_of_joint(model, j, "complexStepForce: j")
    d = rows_of_joint(model, k, "complexStepForce: k")

    def columns(y: Any) -> Any:
        return f(y)[..., model.vinds[j]]

    if variable == "q":
        return complex_step_q(model, columns, x, d)
    if variable == "v":
        return complex_step(columns, x, d)
    raise SpatialError(f"complexStepForce: variable must be 'q' or 'v', got {variable!r}")
