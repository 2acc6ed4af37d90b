"""Optimality conditions of a quadratic problem with equations in its stages, solved exactly."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from spatial_v2.control.riccati import Feedback, linear_rollout, riccati
from spatial_v2.control.shooting import Expansion

__all__ = ["StageSolution", "StageSystem"]

REGULAR = 1e-8
"""Regularisation of multipliers, relative to how far a unit of cost moves a row. Refinement takes
its error away; 1e-6 to 1e-12 give equal results.
"""
REFINEMENTS = 20
"""Most refinements; each reduces the error by a factor of about `REGULAR`, less for equations that
are nearly dependent.
"""
T = np.matrix_transpose


class StageSolution(NamedTuple):
    """Solutions for r right-hand sides, which are on the last axis."""

    dz: np.ndarray
    """Changes of states and controls, shape (B, S + 1, 2 NV + m, r); zero for the last controls."""
    costates: np.ndarray
    """Multipliers of the dynamics, shape (B, S + 1, 2 NV, r)."""
    y: np.ndarray
    """Multipliers of the rows, shape (B, S + 1, rows, r)."""


class StageSystem:
    """The linear equations ``H dz + F' l_next - l + C' y = -g``, ``F dz + c = dx_next`` and, for
    active rows, ``C dz + rho = e y``, stage by stage; e is zero for equations.

    A Riccati recursion solves them with ``e + d`` in place of e: no ranks are decided, and rows
    that depend on each other share their multiplier. Iterative refinement with the same factors
    removes d.

    Parameters
    ----------
    F, H, C : array, shapes (B, S, 2 NV, 2 NV + m), (B, S + 1, z, z), (B, S + 1, rows, z)
        Derivatives of stages, Hessian of the Lagrangian, derivatives of the rows, z = 2 NV + m.
    soft : array, shape (B, S + 1, rows)
        The numbers e: zero for equations, infinite for rows that do not matter.
    units : tuple of two arrays, shapes (B, z), (B, S + 1, rows)
        Changes of states and controls, and of rows, that cost one.
    """

    def __init__(
        self, F: np.ndarray, H: np.ndarray, C: np.ndarray, soft: np.ndarray,
        units: tuple[np.ndarray, np.ndarray],
    ) -> None:  # fmt: skip
        self.F, self.H, self.C, self.active = F, H, C, np.isfinite(soft)
        self.soft = np.where(self.active, soft, 0.0)[..., None]
        B, S, n, z = F.shape
        self.n, (of_z, of_rows) = n, (np.where(x > 0, x, 1.0)[..., None] for x in units)
        self.units = of_z[:, None], 1 / of_z[:, None, :n], 1 / of_rows
        """Factors that make residuals of g, of c and of rho comparable."""
        self.weight = np.where(self.active[..., None], 1 / (self.soft + REGULAR * of_rows**2), 0.0)
        self.M = H + T(C) @ (self.weight * C)
        """The Hessian, to which the rows are added."""
        f = self.recursion(np.zeros((B, S + 1, z)), np.zeros((B, S, n)))
        self.K, self.P, self.failed = f.K, f.P, f.failed
        """Feedback, Hessian of the cost to go, and True for problems without a minimum."""

    def recursion(self, g: np.ndarray, c: np.ndarray) -> Feedback:
        """Do the Riccati recursion for one right-hand side."""
        B, S, _, z = self.F.shape
        free = np.full((B, S, z - self.n), np.inf)
        return riccati(Expansion(self.F, g, self.M), c, -free, free, np.zeros(B))

    @cached_property
    def inverse(self) -> np.ndarray:
        """Inverse Hessians of the controls in the Riccati recursion, shape (B, S, m, m)."""
        n, F_u = self.n, self.F[..., self.n :]
        A = self.M[:, :-1, n:, n:] + T(F_u) @ self.P[:, 1:] @ F_u
        one = np.eye(A.shape[-1])
        return np.linalg.inv(np.where(self.failed[:, None, None, None], one, A))

    def solve(
        self,
        start: np.ndarray,
        g: np.ndarray,
        c: np.ndarray,
        rho: np.ndarray,
        refinements: int = REFINEMENTS,
    ) -> StageSolution:
        """Solve the equations for right-hand sides with r columns: the changes `start` (B, 2 NV, r)
        of the first state, and g, c, rho as in the equations, refined until rounding.
        """
        found = self.regularised(start, g, c, rho)
        if not self.active.any():
            return found
        left = self.residual(found, g, c, rho)
        error = self.size(left)
        for _ in range(refinements):
            more = self.regularised(0 * start, *left)
            new = StageSolution(*(x + dx for x, dx in zip(found, more, strict=True)))
            left = self.residual(new, g, c, rho)
            size = self.size(left)
            better = (size < error)[:, None, None]
            found = StageSolution(
                *(np.where(better, x, old) for x, old in zip(new, found, strict=True))
            )
            if not (size < error / 2).any():
                break
            error = np.minimum(size, error)
        return found

    def regularised(
        self, start: np.ndarray, g: np.ndarray, c: np.ndarray, rho: np.ndarray
    ) -> StageSolution:
        """Solve the equations with multipliers that are regularised."""
        F, K, P, n = self.F, self.K, self.P, self.n
        B, S, _, z = F.shape
        r = g.shape[-1]
        g = g + T(self.C) @ (self.weight * rho)
        if r == 1 and not start.any():  # the kernels do the recursion anew in less time
            free = np.full((B, S, z - n), np.inf)
            f, dz = self.recursion(g[..., 0], c[..., 0]), np.zeros((B, S + 1, z))
            x = Expansion(F, g[..., 0], self.M)
            dz[..., :n], dz[:, :-1, n:], costates = linear_rollout(x, c[..., 0], -free, free, f)
            y = self.weight * (self.C @ dz[..., None] + rho)
            return StageSolution(dz[..., None], costates[..., None], y)
        p, feed, dz = np.empty((B, S + 1, n, r)), np.empty((B, S, z - n, r)), np.zeros(g.shape)
        p[:, S] = g[:, S, :n]
        for k in reversed(range(S)):
            h = g[:, k] + T(F[:, k]) @ (p[:, k + 1] + P[:, k + 1] @ c[:, k])
            feed[:, k] = -self.inverse[:, k] @ h[:, n:]
            p[:, k] = h[:, :n] + T(K[:, k]) @ h[:, n:]
        dz[:, 0, :n] = start
        for k in range(S):
            dz[:, k, n:] = feed[:, k] + K[:, k] @ dz[:, k, :n]
            dz[:, k + 1, :n] = F[:, k] @ dz[:, k] + c[:, k]
        y = self.weight * (self.C @ dz + rho)
        return StageSolution(dz, p + P @ dz[..., :n, :], y)

    def residual(
        self, found: StageSolution, g: np.ndarray, c: np.ndarray, rho: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute what is left of the equations: right-hand sides g, c, rho of a correction."""
        dz, costates, y = found
        r = g + self.H @ dz + T(self.C) @ y
        r[:, :-1] += T(self.F) @ costates[:, 1:]
        r[:, :, : self.n] -= costates
        r[:, -1, self.n :] = 0.0
        off = np.where(self.active[..., None], self.C @ dz + rho - self.soft * y, 0.0)
        return r, self.F @ dz[:, :-1] + c - dz[:, 1:, : self.n], off

    def size(self, left: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
        """Return the largest residual in natural units for each right-hand side, shape (B, r)."""
        each = (
            np.abs(x * unit).max(axis=(1, 2), initial=0.0)
            for x, unit in zip(left, self.units, strict=True)
        )
        return np.asarray(np.max(list(each), axis=0))
