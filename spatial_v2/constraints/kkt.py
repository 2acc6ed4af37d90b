"""The KKT equations of constrained dynamics, ``[H, -G^T; G, mu] [x; y] = [top; bottom]``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays import Array, namespace, objects
from spatial_v2.arrays.blocks import flattened
from spatial_v2.arrays.linear import pivots, solve
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.constraints.elimination import Delassus, Elimination, taken
from spatial_v2.constraints.rank import Rank, independent, tell, unit_rows
from spatial_v2.constraints.rank_texts import Named
from spatial_v2.engine.parts.outcomes import (
    DEPENDENT,
    FREE,
    NEAR,
    NOT_FINITE,
    NOTABLE,
    SOLVED,
    SURE,
    TRUST,
    ZERO,
    Report,
)
from spatial_v2.engine.parts.pivot_share import SHARE

__all__ = ["KKT", "Scales"]


class Scales(NamedTuple):
    """Sizes with which matrices are compared, so that no decision depends on units."""

    sizes: np.ndarray | None = None
    """Relative squared lengths (..., m) of the rows, see `Rows.sizes`, which identify zero rows."""
    distances: np.ndarray | None = None
    """The distance (n,) that a unit of each variable stands for, see `model.scale.distances`."""
    least_pivots: np.ndarray | None = None
    """Sizes (..., n) up to which pivots of H are rounding errors, see `Rows.least_pivots`."""


class KKT:
    """The linear equations ``H x - G^T y = top, G x + mu y = bottom`` with inertia matrix H,
    constraint Jacobian G and damping mu.

    Parameters
    ----------
    H : array, shape (..., n, n)
        Joint-space inertia matrix.
    G : array, shape (..., m, n)
        Jacobian of the constraints.
    damping : float
        The regularisation mu, 0 or greater.
    rank : {"raise", "nan", "minimum_norm", "proximal"}
        Treatment of rows of G that are linearly dependent or zero, if mu is zero: raise an error,
        return NaN, or compute the least-squares solution with y of least norm.
    of : Named, optional
        Names of constraints and joints, for messages.
    scales : Scales, optional
        Sizes of rows, variables and pivots. By default no row is zero, a unit of each variable
        stands for the same distance, and pivots are compared with the diagonal of H.
    quiet : bool, optional
        If True there are no errors and warnings; states that cannot be solved have NaN.

    Notes
    -----
    Numbers are solved by `Elimination`, which needs no inverse of H. Symbols are solved by the
    Delassus matrix ``W = G H^-1 G^T``: y from ``(W + mu) y = bottom - G H^-1 top``.
    """

    def __init__(
        self,
        H: Array,
        G: Array,
        damping: float = 0.0,
        rank: Rank = "raise",
        of: Named | None = None,
        scales: Scales | None = None,
        quiet: bool = False,
    ) -> None:
        xp = namespace(H, G)
        self.T, self.H, self.G, self.damping = xp.matrix_transpose, H, G, damping
        self.m, self.refuses = G.shape[-2], rank in ("raise", "nan")
        self.symbolic = any(is_foreign(x) or namespace(x) is objects for x in (H, G))
        self.parts: list[tuple[np.ndarray, Elimination | Delassus]] = []
        if self.symbolic:
            self.whole = Delassus(H, G, damping) if self.m else None
        else:
            self.report = self._eliminate(scales or Scales())
            if not quiet:
                tell(self.report, rank, damping, of or Named([self.m]))

    def _eliminate(self, scales: Scales) -> Report:
        """Prepare the solution of all states, those of equal rank together."""
        (m, n), H, G = self.G.shape[-2:], np.asarray(self.H), np.asarray(self.G)
        self.lead = np.broadcast_shapes(H.shape[:-2], G.shape[:-2])
        H, G = (flattened(x, self.lead, 2) for x in (H, G))
        B = len(H)
        sizes, distances, least = scales
        sizes = np.ones((B, m)) if sizes is None else flattened(sizes, self.lead, 1)
        distances = np.ones(n) if distances is None else distances
        if least is None:
            least = SHARE * np.diagonal(H.real, axis1=1, axis2=2)
        else:
            least = flattened(least, self.lead, 1)
        finite = np.isfinite(H).all(axis=(1, 2)) & np.isfinite(G).all(axis=(1, 2))
        rows, length = unit_rows(np.where(finite[:, None, None], G.real, 0), sizes, distances)
        order, rank, pivots = independent(rows)
        report = Report(
            np.where(finite, np.where(rank < m, DEPENDENT, SOLVED), NOT_FINITE),
            rank, np.full(B, -1), np.ones(B), np.zeros(B), pivots, sizes, np.zeros((B, m)),
        )  # fmt: skip
        serves = finite & (self.damping > 0) & (m > 0)
        if serves.any():
            serves &= _serves(H, G, least, self.damping)
        if serves.any():
            which = np.flatnonzero(serves)
            self.parts.append((which, Delassus(H[which], G[which], self.damping)))
        for r in np.unique(rank[finite & ~serves]):
            which = np.flatnonzero(finite & ~serves & (rank == r))
            of = Elimination(
                H[which], G[which], rows[which], length[which], order[which, :r], self.damping,
                distances, least[which],
            )  # fmt: skip
            self.parts.append((which, of))
            report.shares[which], report.variable[which] = of.shares, of.variable
            report.damping[which] = of.relative_damping
        report.status[serves], report.status[report.variable >= 0] = SOLVED, FREE
        near = (pivots < NEAR * ZERO) | (sizes < (NEAR * ZERO) ** 2)
        notable = near.any(axis=1) | (report.damping < ZERO)
        report.status[(report.status == SOLVED) & notable & ~serves] = NOTABLE
        return Report(*(x.reshape((*self.lead, *x.shape[1:])) for x in report))

    @property
    def dependent(self) -> bool:
        """True if some states have dependent rows and a least-squares solution."""
        accepted = bool(self.parts) and not (self.refuses or self.damping)
        return accepted and bool((self.report.status == DEPENDENT).any())

    def solve(self, top: Array, bottom: Array) -> tuple[Array, Array]:
        """Solve the equations: x (..., n, k) and y (..., m, k) for right-hand sides of k columns.

        The solution is improved by iterative refinement.
        """
        if self.symbolic:
            return self.whole.solve(top, bottom) if self.whole else (solve(self.H, top), bottom)
        top, bottom = np.asarray(top), np.asarray(bottom)
        lead = np.broadcast_shapes(self.lead, top.shape[:-2], bottom.shape[:-2])
        count = self.report.status.size
        states = np.broadcast_to(np.arange(count).reshape(self.lead), lead).ravel()
        top, bottom = flattened(top, lead, 2), flattened(bottom, lead, 2)
        kind = np.result_type(self.H, self.G, top, bottom)
        x, y = (np.full(b.shape, np.nan, dtype=kind) for b in (top, bottom))
        for which, of in self.parts:
            place = np.full(count, -1)
            place[which] = np.arange(len(which))
            some = np.flatnonzero(place[states] >= 0)
            x[some], y[some] = taken(of, place[states[some]]).solve(top[some], bottom[some])
        if self.refuses and not self.damping:
            lost = (self.report.status == DEPENDENT).ravel()[states]
            x[lost], y[lost] = np.nan, np.nan
        return x.reshape((*lead, *x.shape[1:])), y.reshape((*lead, *y.shape[1:]))

    def each(self, *pairs: tuple[Array, Array]) -> list[tuple[Array, Array]]:
        """Solve the equations for each pair (top, bottom) of right-hand sides; see `solve`."""
        return [self.solve(*pair) for pair in pairs]

    def missed(self, b: Array) -> Array:
        """Return the part of the row accelerations b (..., m, k) that no joint acceleration can
        produce: ``b - G G^+ b``, exactly zero in states with independent rows.
        """
        if not self.dependent:
            return 0 * b
        flat = flattened(np.asarray(b), self.lead, 2)
        missing = 0 * flat
        for which, of in self.parts:
            if isinstance(of, Elimination) and of.rank < self.m:
                missing[which] = of.missed(flat[which])
        return missing.reshape((*self.lead, *missing.shape[1:]))


@np.errstate(all="ignore")
def _serves(H: np.ndarray, G: np.ndarray, least: np.ndarray, damping: float) -> np.ndarray:
    """Return a mask (B,) of the states in which the inverse of H and the damping suffice."""
    H, G, outermost_first = H.real, G.real, slice(None, None, -1)
    W, H = Delassus(H, G, damping).W, H[:, outermost_first, outermost_first]
    both = ((H, TRUST), (W, NEAR * ZERO))
    ok = [pivots(A) > share * np.diagonal(A, axis1=1, axis2=2) for A, share in both]
    ok.append(pivots(H) > SURE * least[:, outermost_first])
    return np.asarray(np.concatenate(ok, axis=1).all(axis=1))
