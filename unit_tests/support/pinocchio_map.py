"""Conversions between this library's conventions and Pinocchio's."""

from typing import Any

import numpy as np

from spatial_v2 import Model, neutral
from spatial_v2.interop.pinocchio import pinocchio_states
from spatial_v2.interop.pinocchio import to_pinocchio as pinocchio_model
from spatial_v2.interop.pinocchio_parts import (
    LINEAR_FIRST,
    inertia,
    inertia_matrix,
    placement,
    transform,
)

__all__ = [
    "LINEAR_FIRST",
    "inertia",
    "inertia_matrix",
    "pinocchio_model",
    "placement",
    "position",
    "transform",
    "velocity_order",
]


def position(model: Model, pin_model: Any, q: np.ndarray) -> np.ndarray:
    """Convert q (..., NQ) to Pinocchio's q (..., nq); joints are paired by name."""
    return pinocchio_states(model, pin_model).q_to(q)


def velocity_order(model: Model, pin_model: Any) -> np.ndarray:
    """Return indices p such that ``v_pinocchio = v[..., p]``, for velocities, accelerations and
    torques.

    For the mass matrix, ``M_pinocchio = H[np.ix_(p, p)]``.
    """
    order = np.argmax(pinocchio_states(model, pin_model).B(neutral(model)), axis=1)
    assert sorted(order) == list(range(model.NV))
    return order
