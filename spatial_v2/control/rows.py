"""Bounds of a shooting problem as rows of its instants: ``lower <= v(x, u) <= upper``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.control.costs import Instants
from spatial_v2.control.limits import Limits
from spatial_v2.control.quantities import Controls, Quantity
from spatial_v2.control.shooting import Shooting, Trajectory

__all__ = ["Rows"]

FLOOR = 1e-3
"""Least unit of a row at an instant, relative to that of the instant where it is largest."""
DEPENDENT = 1e-12
"""Least variance of a combination of equations at an instant, relative to the largest one."""
T = np.matrix_transpose


class Part(NamedTuple):
    """A bounded quantity: the instants at which its bounds hold, and its rows there."""

    quantity: Quantity
    where: np.ndarray
    rows: slice


class Rows:
    """Bounds on quantities and controls, as the rows of each of the S + 1 instants.

    All instants have as many rows as the one with most bounds; rows that are left over have no
    bounds, and zeros for values and derivatives.

    Parameters
    ----------
    s : Shooting
        The stages.
    t : Trajectory
        Trajectories of B problems, which tell the sizes of the quantities.
    """

    def __init__(self, s: Shooting, t: Trajectory) -> None:
        self.s = s
        problem, numbers = s.problem, np.arange(s.stages)[s.intervals]
        last = np.array([s.stages])
        bounded: list[tuple[Quantity, np.ndarray, Any, Any]] = [
            (x.quantity, numbers[x.intervals], x.lower, x.upper) for x in problem.running_bounds
        ]
        bounded += [(x.quantity, last, x.lower, x.upper) for x in problem.terminal_bounds]
        quantities = len(bounded)
        if s.bounded:
            bounded.append((Controls(), numbers, s.lower[numbers], s.upper[numbers]))
        count = np.zeros(s.stages + 1, dtype=int)
        self.parts, bounds = list[Part](), list[tuple[np.ndarray, np.ndarray]]()
        for quantity, where, *both in bounded:
            shape = np.shape(quantity.value(instants(t, where)))[1:]
            first = int(count[where].max())
            count[where] = first + shape[1]
            self.parts.append(Part(quantity, where, slice(first, first + shape[1])))
            low, high = (np.broadcast_to(x, shape) for x in both)
            bounds.append((low, high))
        self.quantities = self.parts[:quantities]
        """The parts that are no controls."""
        self.shape, self.z = (len(t.q), s.stages + 1, int(count.max())), 2 * s.n + s.m
        lower, upper = (np.full(self.shape[1:], x) for x in (-np.inf, np.inf))
        for (_, where, rows), (low, high) in zip(self.parts, bounds, strict=True):
            lower[where, rows], upper[where, rows] = low, high
        self.limits = Limits.of(lower, upper)
        self.joint = np.flatnonzero(self.limits.equations.sum(axis=1) > 1)
        """Instants with several equations."""
        self.of_controls = np.zeros(self.shape[1:], dtype=bool)
        for x in self.parts[quantities:]:
            self.of_controls[x.where, x.rows] = True

    def values(self, t: Trajectory) -> np.ndarray:
        """Compute the values of the rows, shape (B, S + 1, r)."""
        v = np.zeros(self.shape)
        for x in self.parts:
            v[:, x.where, x.rows] = x.quantity.value(instants(t, x.where))
        return v

    def jacobian(self, t: Trajectory) -> np.ndarray:
        """Compute the derivatives of the rows, shape (B, S + 1, r, 2 NV + m)."""
        C = np.zeros((*self.shape, self.z))
        for x in self.parts:
            J = x.quantity.jacobian(instants(t, x.where))
            C[:, x.where, x.rows, : J.shape[-1]] = J
        return C

    def add_hessian(self, t: Trajectory, y: np.ndarray, Q: np.ndarray) -> None:
        """Add the second derivatives of the rows, weighted by their multipliers y, to the Hessians
        Q (B, S + 1, 2 NV + m, 2 NV + m).
        """
        for x in self.parts:
            at = instants(t, x.where)
            z = 2 * at.qd.shape[-1] + at.u.shape[-1]
            H = np.zeros((len(y), len(x.where), z, z))
            x.quantity.add_hessian(at, y[:, x.where, x.rows], H)
            Q[:, x.where, :z, :z] += H

    def units(self, C: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Compute how far a unit of cost moves rows with derivatives C, given the blocks of
        `compliances`, and how far at the instant where that is most, each (B, S + 1, r); at least
        `FLOOR` of the latter, and zero where nothing moves the row.
        """
        unit = np.sqrt(np.maximum(((C @ Z) * C).sum(-1), 0.0))
        largest = np.zeros(unit.shape)
        for x in self.parts:
            largest[:, x.where, x.rows] = unit[:, x.where, x.rows].max(axis=1, keepdims=True)
        return np.where(unit > 0, np.maximum(unit, FLOOR * largest), 0.0), largest

    def bases(self, C: np.ndarray, Z: np.ndarray, unit: np.ndarray) -> np.ndarray:
        """Compute combinations of the equations at each of the instants `joint` that a unit of cost
        moves independently of each other, as far as it moves the rows: matrices, shape (B,
        instants, r, r), that are identities for other rows. `unit` is that of `units`.

        States at the end may move so differently in directions between the joints that equations
        for each joint are nearly dependent; the combinations are not.
        """
        k = self.joint
        some, one = self.limits.equations[k] & (unit[:, k] > 0), np.eye(self.shape[-1])
        size = np.where(some, unit[:, k], 1.0)[..., None]
        scaled = np.where(some[..., None], C[:, k], 0.0) / size
        both = some[..., None] & some[..., None, :]
        values, axes = np.linalg.eigh(np.where(both, scaled @ Z[:, k] @ T(scaled), one))
        values = np.maximum(values, DEPENDENT * values[..., -1:])
        root = (axes / np.sqrt(values)[..., None, :]) @ T(axes)
        return np.asarray(np.where(both, size * root / T(size), one))

    def unpacked(self, y: np.ndarray) -> list[np.ndarray]:
        """Return rows (B, S + 1, r) as one array (B, instants, k) for each bounded quantity."""
        return [y[:, x.where, x.rows].copy() for x in self.quantities]

    def packed(self, parts: Sequence[np.ndarray]) -> np.ndarray:
        """Return arrays (B, instants, k), one for each bounded quantity and perhaps one for the
        controls, as rows (B, S + 1, r).
        """
        y = np.zeros(self.shape)
        for x, values in zip(self.parts, parts, strict=False):
            y[:, x.where, x.rows] = values
        return y


def instants(t: Trajectory, where: np.ndarray) -> Instants:
    """Return some instants of trajectories; the last one has no controls."""
    u = t.u[:, where] if where[-1] < t.u.shape[1] else t.u[:, :1, :0]
    return Instants(t.q[:, where], t.qd[:, where], u)
