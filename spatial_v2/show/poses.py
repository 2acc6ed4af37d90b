"""Poses of the bodies in space; planar bodies lie in the plane z = 0."""

from __future__ import annotations

import numpy as np

from spatial_v2.dynamics import forward_kinematics
from spatial_v2.model import Model

__all__ = ["poses"]


def poses(model: Model, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute rotations (..., NB, 3, 3) from body to base, and positions (..., NB, 3) [m]."""
    motion = forward_kinematics(model, q)
    n = motion.R.shape[-1]
    R = np.broadcast_to(np.eye(3), (*motion.R.shape[:-2], 3, 3)).copy()
    p = np.zeros((*motion.p.shape[:-1], 3))
    R[..., :n, :n], p[..., :n] = motion.R, motion.p
    return R, p
