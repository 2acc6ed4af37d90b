"""Solution of the KKT equations of constrained dynamics by kernels, with the methods of `KKT`."""

from typing import Any

import numpy as np

from spatial_v2.constraints.kernels import solve
from spatial_v2.constraints.rank import Rank, forget, speaks, tell
from spatial_v2.engine.parts.outcomes import DEPENDENT, SOLVED, Report, report_of


class CompiledKKT:
    """The equations of `KKT`, solved by kernels."""

    def __init__(self, rows: Any, H: np.ndarray, damping: float, rank: Rank, quiet: bool) -> None:
        self.of, self.H, self.damping = rows, rows._flat(H, 2), damping
        self.rank, self.quiet = rank, quiet
        self.reports: np.ndarray | None = None

    @property
    def report(self) -> Report:
        """Outcomes of the solution of the states."""
        if self.reports is None:
            m, n, states = self.of.constraints.m, self.of.model.NV, len(self.H)
            self._solve(np.zeros((states, n, 1)), np.zeros((states, m, 1)))
        assert self.reports is not None
        return report_of(self.of._own(self.reports))

    def solve(self, top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve the equations for several right-hand sides; see `KKT.solve`."""
        of = self.of
        x, y = self._solve(of._flat(top, 2), of._flat(bottom, 2))
        return of._own(x), of._own(y)

    def _solve(self, top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        of = self.of
        x, y, reports = solve(
            of.model, self.damping, self.H, of._rows, top, bottom, of.constraints.batched
        )
        forget(reports, self.rank, self.damping, (x, y))
        if self.reports is None:
            self.reports = reports
            of.constraints.regular &= not (reports[:, 0] != SOLVED).any()
            rule: Rank = "raise" if self.rank == "nan" else self.rank
            of.constraints.notable |= speaks(report_of(reports), rule, self.damping)
            if not self.quiet:
                tell(self.report, self.rank, self.damping, of.named)
        return x, y

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
        """True if some states have dependent rows and a least-squares solution."""
        accepted = self.rank in ("minimum_norm", "proximal") and not self.damping
        return accepted and bool((self.report.status == DEPENDENT).any())

    def missed(self, b: np.ndarray) -> np.ndarray:
        """Return ``b - G x``, with G the constraint Jacobian and x the accelerations that minimise
        the norm of the difference, exactly zero in states with independent rows; see `KKT.missed`.
        """
        none = np.zeros((*b.shape[:-2], self.of.model.NV, b.shape[-1]))
        x, _ = self.solve(none, b)
        short = (self.report.status == DEPENDENT)[..., None, None]
        return np.where(short, b - self.of.G @ x, 0.0)
