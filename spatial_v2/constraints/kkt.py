"""The KKT matrix ``[H, G^T; G, -mu]`` of constrained dynamics, factorised once."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from spatial_v2.arrays import Array, constant, namespace, objects, real_part
from spatial_v2.arrays.linear import pivots, solve
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.constraints.rank import Rank, Ranks, independent, near_rank, refuse, say_rank
from spatial_v2.exceptions import ConvergenceWarning, RankWarning

__all__ = ["INERTIA", "KKT"]

_PROXIMAL, _LEAST, _ROUNDS, _REST = 1e-4, 1e-6, 100, 1e-11
_ROUNDS_NEAR = 2
INERTIA = 1e-13
"""Smallest relative pivot of the inertia matrix H that is not a rounding error."""


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
        return NaN, or compute the least-squares solution with y of least norm, directly or by
        proximal iteration.
    of : sequence of int, optional
        Number of rows of each constraint, for messages.
    sizes : array, shape (..., m), optional
        Relative squared lengths of the rows, see `Rows.sizes`, which identify zero rows.
    quiet : bool, optional
        If True there are no errors and warnings about the rank; states that cannot be solved have
        NaN.

    Notes
    -----
    With the Delassus matrix ``W = G H^-1 G^T`` the multipliers y solve
    ``(W + mu) y = bottom - G H^-1 top``. If rows are dependent, a maximal set J of independent rows
    is selected. Then ``G = A G_J`` with a matrix A, ``W = A W_JJ A^T``, and
    ``W^+ = A (A^T A)^-1 W_JJ^-1 (A^T A)^-1 A^T``. This formula has sums and quotients only, so that
    complex steps work; the selection depends on real parts.

    H can be singular, for instance because of massless bodies whose motion the constraints
    determine. Then H is replaced by ``H + s G^T G`` with a positive number s, and top by
    ``top + s G^T bottom``. The solution is the same, since ``G x = bottom``.
    """

    def __init__(
        self,
        H: Array,
        G: Array,
        damping: float = 0.0,
        rank: Rank = "raise",
        of: Sequence[int] = (),
        sizes: np.ndarray | None = None,
        quiet: bool = False,
    ) -> None:
        xp = namespace(H, G)
        self.T, self.H, self.G = xp.matrix_transpose, H, G
        self.m = G.shape[-2]
        self.s: np.ndarray | None = None
        self.part: np.ndarray | float = 1.0
        self.proximal, self.quiet = rank == "proximal", quiet or rank == "nan"
        self.A: Array | None = None
        self.H0, self.rounds = H, 0
        if not self.m:
            return
        if not _is_symbolic(H):
            self._stiffen(damping)
        self.HG = solve(self.H, self.T(G))
        self.W = G @ self.HG
        if damping:
            self.W = self.W + damping / self.part * constant(np.eye(self.m), self.W)
        elif not _is_symbolic(self.W):
            self._judge(rank, of, sizes)

    def _stiffen(self, damping: float) -> None:
        """Replace the inertia matrix H by ``H + s G^T G`` in states where H is singular;
        derivatives treat s as a constant.

        With damping mu the equations then have the multipliers ``(1 - s mu) y`` instead of y.
        """
        H, G = np.asarray(real_part(self.H)), np.asarray(real_part(self.G))
        none = ~np.all(_stands(H), axis=-1, keepdims=True)[..., None]
        if not none.any():
            return
        size, rows = ((x * x).sum(axis=(-2, -1), keepdims=True) for x in (H, G))
        s = np.sqrt(np.where(size > 0, size, 1.0)) / np.where(rows > 0, rows, 1.0)
        self.s = np.where(none, s if not damping else np.minimum(s, 0.5 / damping), 0.0)
        self.part = 1.0 - self.s * damping
        self.H = self.H + self.s * self.T(self.G) @ self.G
        finite = np.isfinite(H).all(axis=(-2, -1))
        bad = ~_stands(np.asarray(real_part(self.H))) & finite[..., None]
        if bad.any():
            free, k = bad.any(axis=-1), int(np.argwhere(bad)[0, -1])
            self.H = np.where(free[..., None, None], np.nan, self.H)
            if not self.quiet:
                refuse(
                    free,
                    finite,
                    f"constraints: the bodies that velocity variable {k} moves have no inertia, "
                    "and the constraints do not determine their motion{}: a force on them has no "
                    "finite acceleration. Give these bodies mass, or constrain them",
                )

    @property
    def dependent(self) -> bool:
        """True if some rows are linearly dependent and a subset of them has been selected."""
        return self.A is not None

    def _judge(self, rank: Rank, of: Sequence[int], sizes: np.ndarray | None) -> None:
        """Raise an error for dependent rows, or select independent ones."""
        W = np.asarray(real_part(self.W))
        found = independent(W, sizes)
        short = found.rank < self.m
        if short.any() and rank in ("raise", "nan"):
            if not self.quiet:
                say_rank(W, sizes, found, of)
            self.W = np.where(short[..., None, None], np.nan, self.W)
        elif short.any():
            self._choose(found)
        near = near_rank(sizes, found, of)
        self.rounds = _ROUNDS_NEAR if near else 0
        for text in near if not self.quiet else ():
            warnings.warn(text, RankWarning, stacklevel=2)

    def _choose(self, found: Ranks) -> None:
        """Select independent rows G_J of the Jacobian G in every state, and compute the matrix A
        with ``G = A G_J``.

        In a batch, A has columns of zeros for states of lower rank than others.
        """
        self.short = (found.rank < self.m)[..., None, None]
        r = int(found.rank.max(initial=1))
        none = 1.0 * (np.arange(r) >= found.rank[..., None])
        pick = np.swapaxes(np.eye(self.m)[found.order[..., :r]], -1, -2)
        pick = constant(pick * (1.0 - none[..., None, :]), self.W)
        self.rest = constant(none[..., None] * np.eye(r), self.W)
        self.B = self.T(pick) @ self.W @ pick + self.rest
        self.A = self.T(solve(self.B, self.T(self.W @ pick)))
        self.AA = self.T(self.A) @ self.A + self.rest

    def solve(self, top: Array, bottom: Array) -> tuple[Array, Array]:
        """Solve the equations: x (..., n, k) and y (..., m, k) for right-hand sides of k columns.

        If rows are nearly dependent, the solution is improved by iterative refinement.
        """
        if not self.m:
            return solve(self.H, top), bottom
        x, y = self._solve(top, bottom)
        for _ in range(self.rounds):
            more = self._solve(top - self.H0 @ x + self.T(self.G) @ y, bottom - self.G @ x)
            x, y = x + more[0], y + more[1]
        return x, y

    def each(self, *pairs: tuple[Array, Array]) -> list[tuple[Array, Array]]:
        """Solve the equations for each pair (top, bottom) of right-hand sides; see `solve`."""
        return [self.solve(*pair) for pair in pairs]

    def _solve(self, top: Array, bottom: Array) -> tuple[Array, Array]:
        if self.s is not None:
            top = top + self.s * self.T(self.G) @ bottom
        y = self.forces(bottom - self.T(self.HG) @ top)
        return solve(self.H, top + self.T(self.G) @ y), y / self.part

    def forces(self, b: Array) -> Array:
        """Return ``W^+ b``, with ``W^+`` the inverse or pseudoinverse of the Delassus matrix W."""
        if self.A is None:
            return solve(self.W, b)
        A, AA = self.A, self.AA
        y = A @ solve(AA, solve(self.B, solve(AA, self.T(A) @ b)))
        if self.proximal:
            return np.where(self.short, self._iterate(b - self.missed(b)), y)
        return y

    def _iterate(self, b: Array) -> Array:
        """Iterate ``y <- (W + M)^-1 (b + M y)``, with W the Delassus matrix, until the joint forces
        ``G^T y`` converge.

        M is a small multiple of the diagonal of W. The right-hand side b must have no part that no
        acceleration can produce (see `missed`), since y would grow by that part in every iteration.
        Of all multipliers y with the same joint forces, the result is the one of least norm.
        """
        size = np.diagonal(real_part(self.W), axis1=-2, axis2=-1)
        size = size + _LEAST * size.mean(axis=-1, keepdims=True)
        M = _PROXIMAL * size[..., None] * np.eye(self.m)
        y = solve(self.W + M, b)
        for _ in range(_ROUNDS):
            step = solve(self.W + M, b + M @ y) - y
            y = y + step
            moves = self.short & _moves(self.HG @ step, self.HG @ y)
            if not moves.any():
                return y - self.missed(y)
        if not self.quiet:
            text = (
                f"rank: the proximal iteration has not converged after {_ROUNDS} iterations in "
                f"{moves.sum()} states, whose results are NaN: their rows are nearly dependent. "
                "Use damping > 0, or rank='minimum_norm'"
            )
            warnings.warn(text, ConvergenceWarning, stacklevel=2)
        return np.where(moves, np.nan, y - self.missed(y))

    def missed(self, b: Array) -> Array:
        """Return the part of the row accelerations b (..., m, k) that no joint acceleration can
        produce: ``b - G G^+ b``, exactly zero in states with independent rows.
        """
        if self.A is None:
            return 0 * b
        return np.where(self.short, b - self.A @ solve(self.AA, self.T(self.A) @ b), 0.0)


def _moves(step: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return a mask (..., 1, 1) that is True for the states whose latest correction `step`, shape
    (..., n, k), is not yet small relative to x, shape (..., n, k).
    """
    found = False
    for a, b in ((step.real, x.real), (step.imag, x.imag)):
        size = np.abs(b).max(axis=(-2, -1), keepdims=True, initial=0.0)
        found = found | (np.abs(a) > _REST * size).any(axis=(-2, -1), keepdims=True)
    return np.asarray(found)


def _stands(H: np.ndarray) -> np.ndarray:
    """Return a mask (..., n) of the velocity variables whose pivot of the inertia matrix H is
    clearly not zero.
    """
    with np.errstate(all="ignore"):
        return np.asarray(pivots(H) > INERTIA * np.diagonal(H, axis1=-2, axis2=-1))


def _is_symbolic(x: Array) -> bool:
    return is_foreign(x) or namespace(x) is objects
