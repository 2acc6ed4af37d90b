"""The motion of a transcribed problem at given unknowns, and its bounds on quantities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from spatial_v2.control.costs import Instants
from spatial_v2.control.displacements import add, difference, exponential
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.exceptions import ArrayShapeError

__all__ = [
    "Point",
    "Quantities",
    "check_length",
    "knot_bounds",
    "pull_gradient",
    "pull_hessian",
]

T = np.matrix_transpose
View = Callable[[np.ndarray], Instants]
"""Function that returns some instants of a motion by their numbers."""


def check_length(x: np.ndarray, n: int, name: str) -> None:
    """Raise an error unless x is a vector of n entries."""
    if np.shape(x) != (n,):
        raise ArrayShapeError(f"{name}: want shape ({n},), got {np.shape(x)}")


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
        Displacements and velocities at the ends of the stages.
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
        """Derivatives of the states at the ends of the stages with respect to increments [dq, dqd,
        du] of the states and controls at their beginnings, shape (1, S, 2 NV, 2 NV + m).
        """
        return self.s.linearise(self.transitions, 1)

    def instants(self, k: np.ndarray) -> Instants:
        """Return some of the instants, with empty controls at the end of the motion."""
        u = self.t.u[:, k] if k[-1] < self.s.stages else self.t.u[:, :1, :0]
        return Instants(self.t.q[:, k], self.t.qd[:, k], u)


def knot_bounds(s: Shooting, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and largest displacements, velocities and controls at all instants.

    The first displacement is zero and the first velocity is `qd`; an impact has no controls.
    """
    n, z, S = 2 * s.n, 2 * s.n + s.m, s.stages
    low, high = np.full((S + 1, z), -np.inf), np.full((S + 1, z), np.inf)
    low[:S, n:], high[:S, n:] = s.lower, s.upper
    low[s.impacts, n:] = high[s.impacts, n:] = 0.0
    low[0, :n] = high[0, :n] = np.concatenate([np.zeros(s.n), qd])
    return low.ravel(), high.ravel()


def pull_gradient(groups: Sequence[slice], x: np.ndarray, g: np.ndarray) -> None:
    """Convert gradients g, in place, from increments of the configurations to displacements x."""
    for vs in groups:
        J, _ = exponential(x[..., vs], 0 * x[..., vs])
        g[..., vs] = (T(J) @ g[..., vs, None])[..., 0]


def pull_hessian(groups: Sequence[slice], x: np.ndarray, g: np.ndarray, Q: np.ndarray) -> None:
    """Convert symmetric Hessians Q, in place, from increments of the configurations to
    displacements x; g has the gradients along increments.
    """
    for vs in groups:
        J, bend = exponential(x[..., vs], g[..., vs])
        Q[..., vs, :] = T(J) @ Q[..., vs, :]
        Q[..., vs] = Q[..., vs] @ J
        Q[..., vs, vs] += (bend + T(bend)) / 2


class Quantities:
    """The bounds of a problem on quantities, as constraints of a program.

    Parameters
    ----------
    s : Shooting
        The stages.
    view : callable
        Function that returns instants of a motion, at which the quantities are evaluated to count
        their values.

    Attributes
    ----------
    limits : list of two-tuple
        Lower and upper bounds of the values of each quantity.
    """

    def __init__(self, s: Shooting, view: View) -> None:
        whole = np.arange(s.stages)[s.intervals]
        places = [(x, whole[x.intervals]) for x in s.problem.running_bounds]
        places += [(x, np.array([s.stages])) for x in s.problem.terminal_bounds]
        self.parts = [(x.quantity, k) for x, k in places]
        self.limits: list[tuple[np.ndarray, np.ndarray]] = []
        for x, k in places:
            shape = np.shape(x.quantity.value(view(k)))
            low, high = (np.broadcast_to(y, shape).ravel() for y in (x.lower, x.upper))
            self.limits.append((low, high))

    def structure(self, view: View, first: int, z: int) -> list[tuple[np.ndarray, ...]]:
        """Return rows and columns of the Jacobians; constraints are numbered from `first`, and z
        unknowns belong to an instant.
        """
        blocks = []
        for quantity, at in self.parts:
            J = quantity.jacobian(view(at))[0]
            row = first + np.arange(len(at) * J.shape[1]).reshape(J.shape[:2])[..., None]
            column = at[:, None, None] * z + np.arange(J.shape[2])
            blocks.append(np.broadcast_arrays(row, column))
            first += len(at) * J.shape[1]
        return blocks

    def values(self, view: View) -> list[np.ndarray]:
        """Compute the values of all quantities."""
        return [f.value(view(k)).ravel() for f, k in self.parts]

    def jacobians(self, view: View, groups: Sequence[slice], x: np.ndarray) -> list[np.ndarray]:
        """Compute the Jacobians with respect to the displacements x (1, S + 1, NV), velocities and
        controls.
        """
        rows = [f.jacobian(view(k)) for f, k in self.parts]
        for vs in groups:
            J, _ = exponential(x[..., vs], 0 * x[..., vs])
            for y, (_, k) in zip(rows, self.parts, strict=True):
                y[..., vs] = y[..., vs] @ J[:, k]
        return [y.ravel() for y in rows]

    def add_hessians(self, view: View, w: np.ndarray, g: np.ndarray, Q: np.ndarray) -> None:
        """Add to g and Q the gradients and Hessians, along increments, of the quantities weighted
        by w.
        """
        first = 0
        for f, k in self.parts:
            J = f.jacobian(view(k))
            y = w[first : first + J[..., 0].size].reshape(J.shape[:-1])
            first, z = first + y.size, J.shape[-1]
            bend = np.zeros((*y.shape[:-1], z, z))
            f.add_hessian(view(k), y, bend)
            g[:, k, :z] += (T(J) @ y[..., None])[..., 0]
            Q[:, k, :z, :z] += bend
