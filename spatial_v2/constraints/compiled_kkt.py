"""Solution of the KKT equations of constrained dynamics by kernels, with the methods of `KKT`."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.constraints.forward import UNSURE, solve_short
from spatial_v2.constraints.kernels import is_plain, solve
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.rank import Rank

__all__ = ["CompiledKKT"]


class CompiledKKT:
    """The equations of `KKT`, solved by kernels where possible, otherwise by `KKT` itself.

    `KKT` solves the states in which rounding errors prevent kernels from deciding the rank of the
    constraint rows.
    """

    def __init__(self, rows: Any, H: np.ndarray, damping: float, rank: Rank, quiet: bool) -> None:
        self.of, self.H, self.damping, self.how = rows, rows._flat(H, 2), damping, (rank, quiet)
        self.short: np.ndarray | None = None
        self.reference: KKT | None = None

    def solve(self, top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve the equations for several right-hand sides; see `KKT.solve`."""
        of, batched = self.of, self.of.held.batched
        if self.reference is None:
            given = self.H, of._flat(of.G, 2), of._flat(top, 2), of._flat(bottom, 2)
            if self.short is None or not self.short.all():
                x, y, left = solve(of.model, self.damping, *given, batched)
                if self.is_regular(left):
                    return of._own(x), of._own(y)
            else:
                x, y = np.empty_like(given[2]), np.empty_like(given[3])
            assert self.short is not None
            verdict = solve_short(
                of.model, self.damping, self.how[0], given, of._found.sizes, (x, y), self.short
            )
            if not (verdict == UNSURE).any():
                return of._own(x), of._own(y)
            rank, quiet = self.how
            self.reference = KKT(of._own(self.H), of.G, self.damping, rank, of.m, of.sizes, quiet)
        return self.reference.solve(top, bottom)

    def is_regular(self, left: np.ndarray) -> bool:
        """Test if the kernel's pivots show that all states have independent rows and an invertible
        H.
        """
        if self.short is None:
            self.short = ~is_plain(left, self.of._found.sizes, self.damping)
            self.of.held.regular &= not self.short.any()
        return not self.short.any()

    def each(self, *pairs: tuple[np.ndarray, np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Solve the equations for each pair of right-hand sides; see `KKT.each`."""
        of = self.of
        wide = [
            of._own(np.concatenate([of._flat(x, 2) for x in xs], axis=-1))
            for xs in zip(*pairs, strict=True)
        ]
        x, y = self.solve(*wide)
        cuts = np.cumsum([b.shape[-1] for b, _ in pairs])[:-1]
        return list(zip(np.split(x, cuts, -1), np.split(y, cuts, -1), strict=True))

    @property
    def dependent(self) -> bool:
        """True if a solved state had dependent constraint rows; see `KKT.dependent`."""
        if self.reference is not None:
            return self.reference.dependent
        return self.how[0] in ("minimum_norm", "proximal") and bool(np.any(self.short))

    def missed(self, b: np.ndarray) -> np.ndarray:
        """Return ``b - G x``, with G the constraint Jacobian and x the accelerations that minimise
        the norm of the difference, exactly zero in states with independent rows; see `KKT.missed`.
        """
        if self.reference is not None:
            return np.asarray(self.reference.missed(b))
        none = np.zeros((*b.shape[:-2], self.of.model.NV, b.shape[-1]))
        x, _ = self.solve(none, b)
        assert self.short is not None
        short = self.of._own(self.short[:, None, None])
        return np.where(short, b - self.of.G @ x, 0.0)
