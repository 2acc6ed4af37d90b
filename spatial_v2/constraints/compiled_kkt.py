"""Solution of the KKT equations of constrained dynamics by kernels, with the methods of `KKT`."""

from typing import Any

import numpy as np

from spatial_v2.arrays.blocks import flattened
from spatial_v2.constraints.kernels import solve
from spatial_v2.constraints.rank import Rank, forget, tell
from spatial_v2.engine.parts.outcomes import DEPENDENT, Report, report_of


class States:
    """Arrays of states with leading axes `lead`, and with one axis (B, ...) for kernels."""

    lead: tuple[int, ...]

    def _flat(self, x: np.ndarray, axes: int) -> np.ndarray:
        """Flatten the leading axes of an array to one axis; see `flattened`."""
        return flattened(x, self.lead, axes)

    def _own(self, x: np.ndarray) -> np.ndarray:
        """Restore the leading axes of an array (B, ...)."""
        return x.reshape((*self.lead, *x.shape[1:]))


class CompiledKKT:
    """The equations of `KKT`, solved by kernels, for rows with `States`, `RowsOfBatch` and a method
    ``note(reports, rank, damping)``.
    """

    def __init__(self, rows: Any, H: np.ndarray, damping: float, rank: Rank, quiet: bool) -> None:
        self.of, self.H, self.damping = rows, rows._flat(H, 2), damping
        self.rank, self.quiet = rank, quiet
        self.reports: np.ndarray | None = None

    @property
    def report(self) -> Report:
        """Outcomes of the solution of the states."""
        if self.reports is None:
            (states, n, _), m = self.H.shape, self.of._rows.G.shape[1]
            self._solve(np.zeros((states, n, 1)), np.zeros((states, m, 1)))
        assert self.reports is not None
        return report_of(self.of._own(self.reports))

    def solve(self, top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve the equations for several right-hand sides; see `KKT.solve`."""
        of = self.of
        if np.iscomplexobj(top) or np.iscomplexobj(bottom):
            real, imaginary = (self.solve(take(top), take(bottom)) for take in (np.real, np.imag))
            return real[0] + 1j * imaginary[0], real[1] + 1j * imaginary[1]
        x, y = self._solve(of._flat(top, 2), of._flat(bottom, 2))
        return of._own(x), of._own(y)

    def _solve(self, top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        of = self.of
        x, y, reports = solve(of.model, self.damping, self.H, of._rows, top, bottom, of.batched)
        forget(reports, self.rank, self.damping, (x, y))
        if self.reports is None:
            self.reports = reports
            of.note(reports, self.rank, self.damping)
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
