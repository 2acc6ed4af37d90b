"""The motion of a transcribed problem at given unknowns."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from spatial_v2.control.costs import Instants
from spatial_v2.control.displacements import add, difference
from spatial_v2.control.shooting import Shooting, Trajectory

__all__ = ["Point"]


class Point:
    """Motion at given unknowns x: displacements of the configurations from an origin, velocities
    and controls.

    Parameters
    ----------
    s : Shooting
        The stages.
    origin : Trajectory
        The origin, with a leading axis of length one.
    x : array, shape (n,)
        The unknowns, one instant after the other.

    Attributes
    ----------
    states : array, shape (1, S + 1, 2 NV)
        Displacements and velocities.
    ends : array, shape (1, S, 2 NV)
        Those at the ends of the stages.
    """

    def __init__(self, s: Shooting, origin: Trajectory, x: np.ndarray) -> None:
        n, z = s.n, 2 * s.n + s.m
        self.s, self.x = s, x.copy()
        parts = np.append(x, np.zeros(s.m)).reshape(1, s.stages + 1, z)
        self.states = parts[..., : 2 * n]
        q, u = add(s.model, origin.q, parts[..., :n]), parts[:, :-1, 2 * n :].copy()
        self.t = Trajectory(q, parts[..., n : 2 * n].copy(), u)
        self.transitions, q, qd = s.ends(self.t)
        self.ends = np.concatenate([difference(s.model, origin.q[:, 1:], q), qd], axis=-1)

    @cached_property
    def F(self) -> np.ndarray:
        """Derivatives of the state at each stage's end with respect to the state and the control at
        its start, in tangent coordinates, shape (1, S, 2 NV, 2 NV + m).
        """
        return self.s.linearise(self.transitions, 1)

    def instants(self, k: np.ndarray) -> Instants:
        """Return some of the instants, with empty controls at the end of the motion."""
        u = self.t.u[:, k] if k[-1] < self.s.stages else self.t.u[:, :1, :0]
        return Instants(self.t.q[:, k], self.t.qd[:, k], u)
