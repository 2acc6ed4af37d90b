"""Forces of the ground on a robot in one state, as a simulation needs them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_compiler, load_function
from spatial_v2.contact import Ground, gcontact
from spatial_v2.contact.points import ContactPoints, body_forces
from spatial_v2.dynamics.forward_kinematics import BodyMotion
from spatial_v2.model import Model
from spatial_v2.spatial import Fpt, Vpt

__all__ = ["Push", "push"]


class Push(NamedTuple):
    """Forces of the ground on a robot in one state, and their effects."""

    f_ext: np.ndarray
    """Forces on the bodies in base coordinates, shape (NB, 6), planar (NB, 3)."""
    ud: np.ndarray
    """Rates of the tangential deformations [m/s], shape (n, 2), planar (n, 1)."""
    power: float
    """Power of the forces [W]."""


def push(
    model: Model, ground: Ground, points: ContactPoints, motion: BodyMotion, u: np.ndarray
) -> Push:
    """Compute the forces of the ground on the contact points, as `gcontact` does.

    `motion` are poses and velocities of the bodies, `u` the deformations of the ground.
    """
    body, r = points.body, points.point
    single = all(isinstance(x, int | float) for x in ground)
    if single and has_compiler() and not model.is_planar:
        f_ext, ud = np.zeros((model.NB, 6)), np.empty_like(u)
        constants = np.array(ground, dtype=float)
        power = load_function("ground_forces")(
            motion.R, motion.p, motion.v, body, r, constants, u, f_ext, ud
        )
        return Push(f_ext, ud, power)
    R = motion.R[body]
    p = motion.p[body] + (R @ r[..., None])[..., 0]
    pd = (R @ Vpt(motion.v[body], r)[..., None])[..., 0]
    f, ud, _ = gcontact(*ground, p, pd, u)
    return Push(body_forces(model, Fpt(f, p), "simulate"), ud, float(np.sum(f * pd)))
