"""Weights of the joint forces, and the warning about undetermined parameters."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import ArrayShapeError, ExcitationWarning, SpatialError
from spatial_v2.identification.least_squares import Fit
from spatial_v2.identification.triangles import Triangles
from spatial_v2.model import Model

__all__ = ["as_weights", "warn_of", "weigh"]

_ROUNDS = 20


def as_weights(model: Model, weights: Any, units: np.ndarray) -> np.ndarray | Literal["residuals"]:
    """Check the option `weights`: return an array (NV,), or "residuals". The default weighs forces
    as torques, by `units` of `force_units`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> as_weights(autoTree(3), None, np.array([1, 1, 0.5]))
    array([1., 1., 4.])
    """
    if weights is None:
        return np.asarray(units**-2.0)
    if isinstance(weights, str):
        if weights != "residuals":
            raise SpatialError(f"weights: want {model.NV} numbers or 'residuals', got {weights!r}")
        return "residuals"
    w = as_real(weights, "weights")
    if w.shape != (model.NV,):
        raise ArrayShapeError(
            f"weights: want shape ({model.NV},), one for each joint force; got {w.shape}"
        )
    if not (np.isfinite(w).all() and (w > 0).all()):
        raise ArrayShapeError(f"weights: must be positive and finite, got {w.tolist()}")
    return w


def weigh(
    triangles: Triangles,
    minimal: np.ndarray,
    weights: np.ndarray | Literal["residuals"],
    fitted: Callable[[np.ndarray], Fit],
    units: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of the joint forces, and the triangular factor of all weighted samples.

    For "residuals" the weights are those of a maximum-likelihood estimate with a variance for each
    joint force: the fit and the computation of weights from its residuals alternate. Joint forces
    are compared in their `units`, in which the mean weight is one.
    """
    if not isinstance(weights, str):
        return weights, triangles.together(weights)
    w = np.ones(len(triangles.columns))
    for _ in range(_ROUNDS):
        R = triangles.together(w / units**2)
        estimate = fitted(np.column_stack([R[:, :-1] @ minimal, R[:, -1]]))
        residuals = triangles.residuals(minimal @ estimate.x) / units
        new = 1.0 / np.maximum(residuals, 1e-6 * max(residuals.max(), 1e-300)) ** 2
        new = new / new.mean()
        settled = np.allclose(new, w, rtol=1e-3)
        w = new
        if settled:
            break
    w = w / units**2
    return w, triangles.together(w)


def warn_of(names: list[str], fit: Fit) -> None:
    """Warn if the motion does not determine all unknowns."""
    if not fit.free.any():
        return
    open_ = [
        name if len(name) < 40 else f"{name[:36]} ..."
        for name, free in zip(names, fit.free, strict=True)
        if free
    ]
    shown = "; ".join(open_[:4]) + (f"; and {len(open_) - 4} more" if len(open_) > 4 else "")
    warnings.warn(
        f"the motion determines {fit.rank} combinations of {len(names)} base parameters and "
        f"other terms; not determined, or only in sums with others: {shown}",
        ExcitationWarning,
        stacklevel=3,
    )
