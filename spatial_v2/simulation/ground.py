"""Forces of the ground on a robot in one state or several, as a simulation needs them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.contact import Ground, gcontact
from spatial_v2.contact.gcPosVel import motion_of_points
from spatial_v2.contact.points import body_forces, contact_points
from spatial_v2.dynamics.forward_kinematics import BodyMotion
from spatial_v2.model import Model
from spatial_v2.spatial import Fpt

__all__ = ["Contact", "Push"]


class Push(NamedTuple):
    """Forces of the ground on a robot, and their effects."""

    f_ext: np.ndarray
    """Forces on the bodies in base coordinates, shape (..., NB, 6), planar (..., NB, 3)."""
    ud: np.ndarray
    """Rates of the tangential deformations [m/s], shape (..., n, 2), planar (..., n, 1)."""
    power: np.ndarray
    """Power of the forces [W], shape (...)."""


class Contact:
    """The contact points of a model, on a ground.

    Parameters
    ----------
    model : Model
        A model with contact points.
    ground : Ground
        The ground.
    """

    def __init__(self, model: Model, ground: Ground) -> None:
        self.model, self.ground = model, ground
        self.points = contact_points(model, "simulate")
        single = all(np.ndim(x) == 0 for x in ground)
        by_kernel = single and not model.is_planar and has_kernels("ground_forces")
        self._constants = np.array(ground, dtype=float) if by_kernel else None

    def push(self, motion: BodyMotion, u: np.ndarray) -> Push:
        """Compute the forces on the contact points, as `gcontact` does.

        `motion` are poses and velocities of the bodies, `u` the deformations of the ground.
        """
        if self._constants is not None:
            lead = u.shape[:-2]
            f_ext, power = np.zeros((*lead, self.model.NB, 6)), np.zeros(lead)
            ud = np.empty(u.shape)
            # The kernel takes batches, of which one state is the shortest.
            R, o, v, u, f, rate = (
                x if lead else x[None] for x in (motion.R, motion.p, motion.v, u, f_ext, ud)
            )
            load_procedure("ground_forces")(
                R, o, v, self.points.body, self.points.point, self._constants, u, f, rate,
                power.reshape(-1),
            )  # fmt: skip
            return Push(f_ext, ud, power)
        p, pd = motion_of_points(motion, self.points)
        f, ud, _ = gcontact(*self.ground, p, pd, u)
        power = np.sum(f * pd, axis=(-1, -2))
        return Push(body_forces(self.model, Fpt(f, p), "simulate"), ud, power)
