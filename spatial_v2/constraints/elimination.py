"""Solution of the KKT equations of states of equal rank, by elimination of variables."""

from __future__ import annotations

import copy
from typing import TypeVar

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.linear import pivots, solve

__all__ = ["Delassus", "Elimination", "taken"]

S = TypeVar("S", bound="Delassus | Elimination")

_ROUNDS, _REST = 3, 1e-12
"""Most steps of refinement, and the relative size of a correction after which they end."""


def taken(of: S, states: np.ndarray) -> S:
    """Return the equations of the given states, which may repeat."""
    part = copy.copy(of)
    for name in of.ARRAYS:
        setattr(part, name, getattr(of, name)[states])
    return part


class Delassus:
    """The equations ``H x - G^T y = top, G x + mu y = bottom`` with regular H and Delassus matrix
    ``W = G H^-1 G^T + mu``, for arrays of any kind: y solves ``W y = bottom - G H^-1 top``.
    """

    ARRAYS = ("H", "G", "HG", "W")

    def __init__(self, H: Array, G: Array, damping: float) -> None:
        self.T, self.H, self.G, self.rank = namespace(H, G).matrix_transpose, H, G, G.shape[-2]
        self.HG = solve(H, self.T(G))
        self.W = G @ self.HG
        if damping:
            self.W = self.W + damping * constant(np.eye(self.rank), self.W)

    def solve(self, top: Array, bottom: Array) -> tuple[Array, Array]:
        """Solve the equations for right-hand sides (..., n, k) and (..., m, k)."""
        y = solve(self.W, bottom - self.T(self.HG) @ top)
        return solve(self.H, top + self.T(self.G) @ y), y


class Elimination:
    """The equations ``H x - G^T y = top, G x + mu y = bottom`` of B states whose Jacobians have the
    same rank r.

    The independent rows G_J, at some rates ``u = G_J x``, determine r of the variables; the others,
    z, are free: ``x = Y u + Z z``. With ``T = [Z, Y]``, ``T^T H T`` is the inertia matrix for z and
    u, and S its Schur complement for u, which is the inverse of ``G_J H^-1 G_J^T`` but needs no
    inverse of H. All rows are ``G = A G_J``. With ``y = A p`` the equations become

        ``(A^T A + mu S) p = S t - s``,  ``u = t - mu p``,

    where t solves ``A t = bottom`` by least squares and s is the part of top along u after
    elimination of z. For mu = 0 y has the least norm. The part of `bottom` that no acceleration
    can produce adds ``(bottom - A t) / mu`` to y.

    Parameters
    ----------
    H, G : array, shapes (B, n, n), (B, m, n)
        Inertia matrices and Jacobians.
    rows, length : array, shapes (B, m, n), (B, m)
        The rows of G with length 1, and their lengths; see `rank.unit_rows`.
    chosen : array, shape (B, r)
        Independent rows.
    damping : float
        The damping mu.
    distances : array, shape (n,)
        The distance that a unit of each variable stands for.
    least : array, shape (B, n)
        Sizes up to which pivots of H are rounding errors.
    """

    ARRAYS = ("H", "G", "T", "zz", "zu", "X", "S", "A", "AA", "C")

    def __init__(
        self, H: np.ndarray, G: np.ndarray, rows: np.ndarray, length: np.ndarray,
        chosen: np.ndarray, damping: float, distances: np.ndarray, least: np.ndarray,
    ) -> None:  # fmt: skip
        self.H, self.G, self.mu, self.distances = H, G, damping, distances
        (B, m, n), r = G.shape, chosen.shape[1]
        self.rank, f = r, n - r
        # Pivots among all rows and columns bound the entries of E, whatever the units of the rows
        # are.
        J, columns = _complete_pivoting(rows, chosen)
        G_J = np.take_along_axis(G, J[:, :, None], axis=1)
        G_J = np.take_along_axis(G_J, columns[:, None, :], axis=2)
        E = _solved(G_J[..., :r], np.concatenate([0 * G_J[..., :r] + np.eye(r), G_J[..., r:]], -1))
        T = np.zeros((B, n, n), dtype=E.dtype)
        T[:, :r, :f], T[:, :r, f:], T[:, r:, :f] = -E[..., r:], E[..., :r], np.eye(f)
        self.T = np.zeros_like(T)
        np.put_along_axis(self.T, columns[:, :, None], T, axis=1)
        M = np.matrix_transpose(self.T) @ H @ self.T
        self.zz, zu = M[:, :f, :f], M[:, :f, f:]
        # H is known to `least` in each variable; T multiplies it from both sides.
        terms = self.T[:, :, :f].real ** 2 * least[:, :, None]
        self.variable = self._free(columns[:, r:], terms.sum(axis=1))
        self.X = _solved(self.zz, zu)
        self.zu = np.matrix_transpose(zu)
        self.S = M[:, f:, f:] - self.zu @ self.X
        A = np.take_along_axis(G, columns[:, None, :r], axis=2) @ E[..., :r]
        # Rows of zeros depend on no other rows, and the chosen ones on themselves alone, to the
        # last bit.
        self.A = np.where(length[:, :, None] > 0, A, 0)
        np.put_along_axis(self.A, J[:, :, None], 0 * G_J[..., :r] + np.eye(r), axis=1)
        self.AA = np.matrix_transpose(self.A) @ self.A
        self.C = self.AA + damping * self.S
        self.shares = self._shares(length, J)
        self.relative_damping = np.ones(B)
        if damping and 0 < r < m:
            S, AA = (np.diagonal(x.real, axis1=1, axis2=2) for x in (self.S, self.AA))
            self.relative_damping = np.minimum(1.0, (damping * S / AA).min(axis=1))

    def _free(self, columns: np.ndarray, least: np.ndarray) -> np.ndarray:
        """Return the free variable (B,) whose motion has no inertia, or -1; such states get NaN.

        A pivot is a rounding error up to the sum `least` (B, f) of those of the variables that
        move. The first one from the tip of the tree to its base is returned.
        """
        if not columns.shape[1]:
            return np.full(len(columns), -1)
        with np.errstate(all="ignore"):
            # not "at most `least`", so that NaN counts as lost
            none = ~(pivots(self.zz.real) > least)
        bad = none.any(axis=1)
        self.zz = np.where(bad[:, None, None], np.nan, self.zz)
        k = np.take_along_axis(columns, none.argmax(axis=1)[:, None], axis=1)[:, 0]
        return np.where(bad, k, -1)

    def _shares(self, length: np.ndarray, J: np.ndarray) -> np.ndarray:
        """Return the largest coefficient (B, m) of each row in sums of rows that vanish."""
        of_J = np.take_along_axis(length, J, axis=1)
        scaled = np.abs(self.A.real) * of_J[:, None, :] / np.where(length > 0, length, 1)[..., None]
        np.put_along_axis(scaled, J[:, :, None], 0.0, axis=1)
        shares = scaled.max(axis=2, initial=0.0)
        shares = np.where(shares > 0, 1.0, 0.0)
        np.put_along_axis(shares, J, scaled.max(axis=1, initial=0.0), axis=1)
        return shares

    def solve(self, top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve the equations for right-hand sides (B, n, k) and (B, m, k), with refinement."""
        x, y = self._solve(top, bottom)
        if self.mu and self.rank < self.G.shape[1]:
            y = y + self.missed(bottom) / self.mu
        size = np.diagonal(self.H.real, axis1=1, axis2=2) / self.distances**2
        force = np.abs(top.real) / self.distances[:, None]
        # The acceleration of the heaviest variable under the largest force: corrections that are
        # small beside it are rounding errors, though the acceleration may be zero.
        least = force.max(axis=1) / size.max(axis=1)[:, None]
        for _ in range(_ROUNDS):
            dx, dy = self._solve(
                top - self.H @ x + np.matrix_transpose(self.G) @ y,
                bottom - self.G @ x - self.mu * y,
            )
            x, y = x + dx, y + dy
            moved, whole = ((np.abs(z.real) * self.distances[:, None]).max(axis=1) for z in (dx, x))
            if not (moved > _REST * np.maximum(whole, least)).any():
                break
        return x, y

    def _solve(self, top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        T, f = np.matrix_transpose, self.zz.shape[-1]
        forces = T(self.T) @ top
        g = _solved(self.zz, forces[:, :f])
        t = _solved(self.AA, T(self.A) @ bottom)
        p = _solved(self.C, self.S @ t - forces[:, f:] + self.zu @ g)
        u = t - self.mu * p
        return self.T @ np.concatenate([g - self.X @ u, u], axis=1), self.A @ p

    def missed(self, b: np.ndarray) -> np.ndarray:
        """Return the part of the row accelerations b (B, m, k) that no acceleration can produce;
        rounding errors of its computation count as zero.
        """
        t = _solved(self.AA, np.matrix_transpose(self.A) @ b)
        rest = b - self.A @ t
        size = np.abs(b) + np.abs(self.A) @ np.abs(t)
        return np.where(np.abs(rest) > 64 * np.finfo(float).eps * size, rest, 0)


def _solved(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Solve ``A x = b``, for matrices of any size."""
    return np.asarray(solve(A, b)) if A.shape[-1] else b


def _complete_pivoting(rows: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Order the chosen rows, and all columns, by elimination that takes the largest entry next.

    Returns the rows (B, r), and the columns (B, n): first those of the pivots, then the others from
    the last to the first, the order of pivots in the articulated-body algorithm.
    """
    rest = np.take_along_axis(rows, chosen[:, :, None], axis=1)
    (B, r, n), state = rest.shape, np.arange(len(rest))
    J, columns = np.empty((B, r), dtype=np.int64), np.empty((B, r), dtype=np.int64)
    free, open_ = np.ones((B, r), dtype=bool), np.ones((B, n), dtype=bool)
    for k in range(r):
        size = np.where(free[:, :, None] & open_[:, None, :], np.abs(rest), -1.0)
        i, c = np.divmod(size.reshape(B, -1).argmax(axis=1), n)
        J[:, k], columns[:, k], free[state, i], open_[state, c] = chosen[state, i], c, False, False
        ratio = rest[state, :, c] / rest[state, i, c][:, None]
        ratio[state, i] = 0.0
        rest = rest - ratio[:, :, None] * rest[state, i][:, None, :]
    others = np.argsort(~open_, axis=1, kind="stable")[:, : n - r][:, ::-1]
    return J, np.concatenate([columns, others], axis=1)
