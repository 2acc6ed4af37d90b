"""Optimality conditions of a quadratic problem with equations in its stages, solved exactly."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.packed.memory import allocate

__all__ = ["StageSolution", "StageSystem"]

REGULAR, LESS, TRIALS = 1e-10, 0.01, 3
"""Regularisation of multipliers, relative to how far a unit of cost moves a row; factor by which it
decreases as long as the Hessian is indefinite, which for rows that are nearly dependent may be due
to it; how many are tried. Refinement takes their error away.
"""
REFINEMENTS = 20
"""Most refinements; each reduces the error by a factor of about the regularisation, less for
equations that are nearly dependent.
"""
EXTRAPOLATED, LEVELS = 1e-6, 4
"""Largest regularisation from which feedback is extrapolated to none, and number of halvings."""
AGREEING, CONTRACTION, SAME = 1e-3, 0.1, 1e-9
"""Differences in natural units, relative to the feedback of a stage or to the difference one order
before. The extrapolation has not converged if it is farther from the feedback with the least
regularisation, or if the last order changes it by more than both others.
"""
Bases = tuple[np.ndarray, np.ndarray]
"""Numbers of instants, and matrices (B, instants, rows, rows) that combine the rows there."""
T = np.matrix_transpose


class StageSolution(NamedTuple):
    """Solutions for q right-hand sides, which are on the last axis."""

    dz: np.ndarray
    """Changes of states and controls, shape (B, S + 1, 2 NV + m, q); zero for the last controls."""
    costates: np.ndarray
    """Multipliers of the dynamics, shape (B, S + 1, 2 NV, q)."""
    y: np.ndarray
    """Multipliers of the rows, shape (B, S + 1, rows, q)."""


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
    bases : tuple of two arrays, optional
        Combinations of equations that are solved in their place: see `Rows.bases`.
    """

    def __init__(
        self, F: np.ndarray, H: np.ndarray, C: np.ndarray, soft: np.ndarray,
        units: tuple[np.ndarray, np.ndarray], bases: Bases | None = None,
    ) -> None:  # fmt: skip
        self.bases = bases
        if bases is not None:
            C = combined(C, bases)
        self.of, self.active = contiguous(F, H, C), np.isfinite(soft)
        of_z, of_rows = (np.where(x > 0, x, 1.0) for x in units)
        self.units, self.soft = (of_z, of_rows), np.where(self.active, soft, 0.0)
        B, S, n, z = F.shape
        shapes = (B, S, z - n, n), (B, S + 1, n, n), (B, S, z - n, z - n)
        self.K, self.P, self.L = map(allocate, shapes)
        """Feedback, Hessian of the cost to go, and Cholesky factors of those of the controls."""
        self.weight, failed = np.zeros(self.active.shape), np.ones(B)
        for k in range(TRIALS):
            some, regular = (failed > 0)[:, None, None] & self.active, REGULAR * LESS**k
            self.weight = np.where(some, 1 / (self.soft + regular * of_rows**2), self.weight)
            _pass("stage_factors")(self.of, self.weight, (self.K, self.P, self.L), failed)
            if not (failed * self.active.any(axis=(1, 2))).any():
                break
        self.failed = failed > 0
        """True for problems without a minimum."""

    @property
    def M(self) -> np.ndarray:
        """The Hessian, to which the rows are added."""
        _, H, C = self.of
        return np.asarray(H + T(C) @ (self.weight[..., None] * C))

    def feedback(self) -> np.ndarray:
        """Compute the feedback K without the error of the regularisation, shape (B, S, m, 2 NV).

        The least regularisation leaves rounding errors, as it is divided by. Larger ones do not,
        and their error is a power series: Richardson's extrapolation takes it away. K stays as it
        is at stages whose rows nearly depend on each other for the rest of the motion, and where
        larger regularisations leave no minimum.
        """
        if not self.active.any():
            return self.K
        levels, (of_z, of_rows), n = list[np.ndarray](), self.units, self.P.shape[-1]
        for k in range(LEVELS):
            K, failed = np.empty_like(self.K), np.zeros(len(self.failed))
            stiff = 1 / (self.soft + EXTRAPOLATED / 2**k * of_rows**2)
            weight = np.where(self.active, stiff, 0.0)
            factors = K, np.empty_like(self.P), np.empty_like(self.L)
            _pass("stage_factors")(self.of, weight, factors, failed)
            K[failed > 0] = np.nan
            levels.append(K)
        orders = [levels[-1]]
        for k in range(1, LEVELS):
            levels = [(2**k * y - x) / (2**k - 1) for x, y in pairwise(levels)]
            orders.append(levels[-1])
        unit, K = of_z[:, None, None, :n] / of_z[:, None, n:, None], orders[-1]
        own, change, before, size = (
            np.abs(x * unit).max(axis=(-2, -1), initial=0.0, keepdims=True)
            for x in (K - self.K, K - orders[-2], orders[-2] - orders[-3], self.K)
        )
        converged = change <= np.maximum(CONTRACTION * before, SAME * size)
        converged &= (CONTRACTION * change < own) & (own < AGREEING * size)
        return np.where(converged, K, self.K)

    def solve(
        self, start: np.ndarray, g: np.ndarray, c: np.ndarray, rho: np.ndarray,
        refinements: int = REFINEMENTS,
    ) -> StageSolution:  # fmt: skip
        """Solve the equations for right-hand sides with q columns: the changes `start` (B, 2 NV, q)
        of the first state, and g, c, rho as in the equations, refined until rounding.
        """
        solution = (
            np.empty(g.shape),
            np.empty((*g.shape[:2], *start.shape[1:])),
            np.empty(rho.shape),
        )
        if self.bases is not None:
            rho = combined(rho, self.bases)
        factors, rows = (self.K, self.P, self.L), (self.weight, self.soft)
        right = contiguous(start, g, c, rho)
        _pass("stage_solution")(self.of, rows, factors, self.units, right, refinements, solution)
        if self.bases is not None:
            where, basis = self.bases
            solution[2][:, where] = T(basis) @ solution[2][:, where]
        return StageSolution(*solution)


def combined(x: np.ndarray, bases: Bases) -> np.ndarray:
    """Return the combinations of rows x (B, S + 1, rows, columns)."""
    where, basis = bases
    y = x.copy()
    y[:, where] = basis @ x[:, where]
    return y


def contiguous(*x: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return contiguous arrays, for which the kernels are compiled."""
    return tuple(map(np.ascontiguousarray, x))


def _pass(name: str) -> Any:
    """Return a pass by its name: a kernel, or its reference implementation."""
    if has_kernels(name):
        return load_procedure(name)
    from spatial_v2.control import stage_reference

    return getattr(stage_reference, name)
