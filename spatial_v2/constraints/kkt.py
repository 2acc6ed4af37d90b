"""The KKT matrix ``[H, G^T; G, -mu]`` of constrained dynamics, factorised once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_v2.arrays import Array, constant, namespace, objects, real_part
from spatial_v2.arrays.linear import pivots, solve
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.constraints.options import Rank
from spatial_v2.constraints.rank import independent, rank_error
from spatial_v2.exceptions import SpatialError

__all__ = ["INERTIA", "KKT"]

_PROXIMAL, _ROUNDS, _REST = 1e-4, 100, 1e-11
INERTIA = 1e-13
"""Of the diagonal of H what must be left of a freedom that has inertia of its own."""


class KKT:
    """The equations ``H x - G^T y = top, G x + mu y = bottom``.

    Parameters
    ----------
    H : array, shape (..., n, n)
        Joint-space inertia matrix.
    G : array, shape (..., m, n)
        Jacobian of the rows.
    damping : float
        mu, 0 or greater.
    rank : {"raise", "minimum_norm", "proximal"}
        What to do where rows depend on each other and mu is zero: raise an error, or take the
        solution of least squares with the shortest y, directly or by proximal iteration.
    sizes : sequence of int, optional
        How many rows each constraint has, for messages.

    Notes
    -----
    With ``W = G H^-1 G^T``, the Delassus matrix, ``(W + mu) y = bottom - G H^-1 top``. Of dependent
    rows r are chosen (G_J, with ``G = A G_J``, ``W = A W_JJ A^T``), so that
    ``W^+ = A (A^T A)^-1 W_JJ^-1 (A^T A)^-1 A^T``: quotients of sums alone, to which complex steps
    apply; the choice is made by real parts.

    Where H is singular, as of massless bodies that constraints hold, ``G x = bottom`` allows
    ``H + s G^T G`` in its place, with ``s G^T bottom`` more at the top.
    """

    def __init__(
        self,
        H: Array,
        G: Array,
        damping: float = 0.0,
        rank: Rank = "raise",
        sizes: Sequence[int] = (),
    ) -> None:
        xp = namespace(H, G)
        self.T, self.H, self.G = xp.matrix_transpose, H, G
        self.m = G.shape[-2]
        self.s: np.ndarray | None = None
        self.part: np.ndarray | float = 1.0
        self.proximal = rank == "proximal"
        self.A: Array | None = None
        if not self.m:
            return
        if not _is_symbolic(H):
            self._stiffen(damping)
        self.HG = solve(self.H, self.T(G))
        self.W = G @ self.HG
        if damping:
            self.W = self.W + damping / self.part * constant(np.eye(self.m), self.W)
        elif not _is_symbolic(self.W):
            W = np.asarray(real_part(self.W))
            order, ranks = independent(W)
            if (ranks < self.m).any():
                if rank == "raise":
                    raise rank_error(W, ranks, sizes)
                self._choose(order, ranks)

    def _stiffen(self, damping: float) -> None:
        """H of states in which it is singular with ``s G^T G`` more, s a constant for derivatives.

        With damping ``(1 - s mu) y`` takes the place of y.
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
        bad = ~_stands(np.asarray(real_part(self.H))) & np.isfinite(H).all(axis=(-2, -1))[..., None]
        if bad.any():
            k = int(np.argwhere(bad)[0, -1])
            raise SpatialError(
                f"constraints: velocity variable {k}, with what hangs on it, has no inertia, and "
                "the constraints do not hold it: a force there has no finite acceleration; give "
                "its bodies mass, or constraints"
            )

    @property
    def dependent(self) -> bool:
        """Whether there are rows that depend on others."""
        return self.A is not None

    def _choose(self, order: np.ndarray, ranks: np.ndarray) -> None:
        """The rows G_J of every state, as many of all, and A."""
        r = int(ranks.max(initial=0))
        if (ranks != r).any():
            raise SpatialError(
                "constraints: their rank differs between the states of the batch; solve states of "
                "each rank on their own, or give damping"
            )
        pick = constant(np.swapaxes(np.eye(self.m)[order[..., :r]], -1, -2), self.W)
        self.B = self.T(pick) @ self.W @ pick
        self.A = self.T(solve(self.B, self.T(self.W @ pick)))

    def solve(self, top: Array, bottom: Array) -> tuple[Array, Array]:
        """x (..., n, k) and y (..., m, k) for right-hand sides of k columns."""
        if not self.m:
            return solve(self.H, top), bottom
        if self.s is not None:
            top = top + self.s * self.T(self.G) @ (bottom - self.missed(bottom))
        y = self.forces(bottom - self.T(self.HG) @ top)
        return solve(self.H, top + self.T(self.G) @ y), y / self.part

    def forces(self, b: Array) -> Array:
        """``W^+ b``."""
        if self.A is None:
            return solve(self.W, b)
        if self.proximal:
            return self._iterate(b)
        A, T = self.A, self.T
        return A @ solve(T(A) @ A, solve(self.B, solve(T(A) @ A, T(A) @ b)))

    def _iterate(self, b: Array) -> Array:
        """Proximal iteration ``y <- (W + mu)^-1 (b + mu y)`` until the joint forces rest."""
        W = self.W
        mu = _PROXIMAL * np.trace(real_part(W), axis1=-2, axis2=-1)[..., None, None] / self.m
        damped = W + mu * np.eye(self.m)
        y = solve(damped, b)
        for _ in range(_ROUNDS):
            step = solve(damped, b + mu * y) - y
            y = y + step
            change, size = (np.abs(self.HG @ x) for x in (step, y))
            if (change <= _REST * size.max(initial=0.0)).all():
                return y
        raise SpatialError(
            f"rank: the proximal iteration does not come to rest in {_ROUNDS} rounds; the rows "
            "nearly depend on each other: give damping, or rank='minimum_norm'"
        )

    def missed(self, b: Array) -> Array:
        """The part of b (..., m, k) that no acceleration can meet: ``b - G G^+ b``."""
        if self.A is None:
            return 0 * b
        A, T = self.A, self.T
        return b - A @ solve(T(A) @ A, T(A) @ b)


def _stands(H: np.ndarray) -> np.ndarray:
    """Which freedoms (..., n) have inertia, those after them held still or not."""
    with np.errstate(all="ignore"):
        return np.asarray(pivots(H) > INERTIA * np.diagonal(H, axis1=-2, axis2=-1))


def _is_symbolic(x: Array) -> bool:
    return is_foreign(x) or namespace(x) is objects
