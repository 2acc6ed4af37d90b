"""Warnings for frames that differ by a rotation of nearly pi, where position errors vanish."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, namespace, objects, real_part
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.FrameConstraint import FrameOnModel
from spatial_v2.couplings.free import free_configuration, free_tree
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.exceptions import ConvergenceWarning
from spatial_v2.model import Model
from spatial_v2.three_d import rotation_to_rotation_vector

__all__ = ["say_turned", "turned", "warn_turned"]

_TRACE = -0.98
"""Trace of a rotation by 172 degrees."""


def turned(
    model: Model, q: Array, constraints: ConstraintSet, tolerance: float | None = None,
    errors: Sequence[str] = ("sine",),
) -> dict[int, np.ndarray]:  # fmt: skip
    """Find the constraints whose frames differ by nearly pi: return a dict from their numbers to
    masks of states.

    At such rotations the position error "sine" vanishes; `errors` are those of constraints that
    are examined. The dict is empty for symbolic q. With a
    `tolerance`, states whose rotation vector is at most that large along the constrained directions
    do not count: a hinge that has turned by pi about its axis satisfies its constraint.
    """
    frames = {
        k: x
        for k, x in enumerate(constraints.relations)
        if isinstance(x, FrameOnModel) and x.turns and x.error in errors
    }
    if not frames or is_foreign(q) or namespace(q) is objects:
        return {}
    real = np.asarray(real_part(q), dtype=np.float64)
    R = forward_kinematics(free_tree(model), free_configuration(model, real)).R
    at_pi = {}
    for k, of in frames.items():
        one, two = (
            _rotation(R, b) @ np.asarray(real_part(X))[:3, :3].T
            for b, X in zip((of.body1, of.body2), of.frames, strict=True)
        )
        at_pi[k] = (one * two).sum(axis=(-2, -1)) < _TRACE
        if tolerance is not None and at_pi[k].any():
            phi = rotation_to_rotation_vector(np.swapaxes(one, -1, -2) @ two)
            axes = one if of.own < 0 else np.eye(3)
            error = np.asarray(real_part(of.T))[:3].T @ axes @ phi[..., None]
            at_pi[k] = at_pi[k] & (np.abs(error).max(axis=(-2, -1)) > tolerance)
    return at_pi


def _rotation(R: np.ndarray, body: int) -> np.ndarray:
    """Return the orientation (..., 3, 3) of a body; R has the orientations of all bodies, 2 x 2 if
    planar.
    """
    d = R.shape[-1]
    turn = np.zeros((*R.shape[:-3], 3, 3)) + np.eye(3)
    if body >= 0:
        turn[..., :d, :d] = R[..., body, :, :]
    return turn


def warn_turned(model: Model, q: Array, constraints: ConstraintSet, gains: Any) -> None:
    """Warn of frames that differ by nearly pi, if the gains (Kp, Kd) use the position error."""
    if gains is not None and np.any(gains[0]):
        say_turned(turned(model, q, constraints))


def say_turned(at_pi: dict[int, np.ndarray]) -> None:
    """Give a warning for each constraint of a result of `turned`."""
    for k, where in at_pi.items():
        if where.any():
            states = "" if where.ndim == 0 else f" in {where.sum()} of {where.size} states"
            text = (
                f"constraints[{k}]: its frames are turned by nearly pi against each other{states}, "
                "where the rotational position error, a sine, vanishes. Begin nearer to a "
                "solution, rotate one of the frames, or give the constraint error='log6'"
            )
            warnings.warn(text, ConvergenceWarning, stacklevel=3)
