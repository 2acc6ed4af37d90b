"""The Jacobian of a body."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, alike, constant
from spatial_v2.arrays.checks import as_numbers, pose_hint
from spatial_v2.dynamics.robot_kinematics import robot_kinematics
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_state, common_lead

__all__ = ["BodyJacobian", "as_end", "check_body", "supporting"]


def BodyJacobian(model: Model, q: Array, body: int, Xend: Array | None = None) -> Array:
    """Compute the Jacobian J of a body, or of a frame on it: ``J qd = Xend v_body``.

    MATLAB: ``J = BodyJacobian(model,q,body,Xend)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 replaces 6). Rotors have no effect.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    body : int
        Number of the body, from 0.
    Xend : array, shape (..., k, 6), optional
        Transform from body coordinates to the coordinates of the result: to a frame on the body or
        to the base, or some rows of such a transform. The identity by default.

    Returns
    -------
    array, shape (..., k, NV)
        The Jacobian; columns of joints that do not carry the body are zero.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        There is no body with this number.

    Notes
    -----
    Featherstone (2008), Sec. 4.4: the columns are ``Xend X0 S_j`` for the joints j on the path to
    the base, with X0 the transform from the base to the body.

    Examples
    --------
    >>> from spatial_v2 import xlt
    >>> from spatial_v2.models import autoTree
    >>> BodyJacobian(autoTree(3), [0, 0, 0], 2, xlt([1, 0, 0]))[4]
    array([3., 2., 1.])
    """
    check_model(model)
    i = check_body(model, body)
    (q,) = check_state(model, q=q)
    q, Xend = alike(q, as_end(model, "Xend", Xend, q))
    g = robot_kinematics(model, q, constant(np.zeros(model.NV), q))
    return Xend @ g.X0[..., i, :, :] @ (g.S * supporting(model, i, q))


def check_body(model: Model, body: Any) -> int:
    """Check and return the number of a body; negative numbers are invalid, because -1 is
    the base.
    """
    try:
        i = operator.index(body)
    except TypeError:
        raise ModelError(f"body: want the number of a body, got {body!r}") from None
    if not 0 <= i < model.NB:
        raise ModelError(f"body: want a number from 0 to {model.NB - 1}, got {i}; the base is -1")
    return i


def as_end(model: Model, name: str, X: Any, q: Array) -> Array:
    """Convert a transform of body velocities to an array (..., k, 6), planar (..., k, 3), whose
    leading axes broadcast with those of q; None is the identity.
    """
    d = 3 if model.is_planar else 6
    X = as_numbers(np.eye(d) if X is None else X, name)
    if X.ndim < 2 or X.shape[-1] != d:
        raise ArrayShapeError(
            f"{name}: want shape (..., k, {d}), got {tuple(X.shape)}{pose_hint(X.shape)}"
        )
    common_lead({"q": tuple(q.shape[:-1]), name: tuple(X.shape[:-2])})
    return X


def supporting(model: Model, body: int, like: Array) -> Array:
    """Return an array (NV,): 1 for the velocity variables of joints between a body and the base,
    else 0.
    """
    mask = np.zeros(model.NV)
    mask[model.ancestor_vinds[body]] = 1.0
    return constant(mask, like)
