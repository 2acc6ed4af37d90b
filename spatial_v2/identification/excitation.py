"""Condition of the unknowns of an identification by the motions, and its derivatives."""

from __future__ import annotations

import numpy as np

from spatial_v2.identification.base_parameters import base_parameters
from spatial_v2.identification.natural_units import (
    force_units,
    length_of_bodies,
    length_of_tree,
)
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.identification.unknowns import Unknowns
from spatial_v2.inertia import getModelInertialParams
from spatial_v2.regressors import RegressorClassical

__all__ = ["Excitement"]

_ORDER = 6.0
"""Order of the norms of eigenvalues that stand for the largest and the smallest one."""
_SEEN = 1e-6
"""Part of a column that others do not explain, below which it is left out."""
_STEP = 1e-6


class Excitement:
    """The regressor of the base parameters and of other terms, and its condition number.

    Parameters
    ----------
    unknowns : Unknowns
        The unknowns of an identification.
    center, sizes : array, shapes (NV,) and (3, NV)
        The middle of the motion, and typical changes of position, velocity and acceleration.
    rng : numpy.random.Generator
        Random states, which decide what no motion can tell apart.
    """

    def __init__(
        self,
        unknowns: Unknowns,
        center: np.ndarray,
        sizes: np.ndarray,
        rng: np.random.Generator,
    ) -> None:
        self.model, self.unknowns, self.sizes = unknowns.model, unknowns, sizes
        model = self.model
        minimal = base_parameters(model, unknowns.bodies, TOLERANCE).Minimal_Basis
        self.links = (
            unknowns.columns()[minimal.argmax(axis=0)] if minimal.size else np.zeros(0, int)
        )
        a = np.asarray(getModelInertialParams(model).a).reshape(-1, 10)
        length = length_of_tree(model) or length_of_bodies(a) or 1.0
        self.row_units = force_units(model, length)
        columns = len(self.links) + len(unknowns.terms) * unknowns.NV
        n = 8 + 4 * columns // model.NV
        q, qd, qdd = sizes[:, None] * rng.normal(size=(3, n, model.NV))
        q = center + q
        self.kept = np.arange(columns)
        self.kept = _independent(self.regressor(q, qd, qdd).reshape(-1, len(self.kept)))

    def regressor(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return the regressor (n, NV, columns), with forces as torques."""
        return np.asarray((self._whole(q, qd, qdd) / self.row_units[:, None])[..., self.kept])

    def condition(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> float:
        """Return the condition number after scaling columns to equal length."""
        A = self.regressor(q, qd, qdd).reshape(-1, len(self.kept))
        size = np.linalg.norm(A, axis=0)
        if not size.all():
            return np.inf
        s = np.linalg.svd(A / size, compute_uv=False)
        return float(s[0] / s[-1]) if s[-1] > 0 else np.inf

    def slopes(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[float, np.ndarray]:
        """Return a smooth upper bound of the logarithm of the condition number, and its gradient
        with respect to q, qd, qdd, shape (3, n, NV).
        """
        A = self.regressor(q, qd, qdd)
        rows = A.reshape(-1, A.shape[-1])
        gram = rows.T @ rows
        size = np.sqrt(gram.diagonal())
        scaled = gram / np.outer(size, size)
        values, V = np.linalg.eigh(scaled)
        # Rounding makes eigenvalues of a singular matrix negative, which have no logarithm.
        values = np.maximum(values, 1e-13 * values[-1])
        large, small = (values / values[-1]) ** _ORDER, (values[0] / values) ** _ORDER
        cost = np.log(values[-1] / values[0]) / 2
        cost += (np.log(large.sum()) + np.log(small.sum())) / (2 * _ORDER)
        weights = (large / large.sum() - small / small.sum()) / (2 * values)
        M = (V * weights) @ V.T
        slope = M / np.outer(size, size) - np.diag((M * scaled).sum(axis=1) / size**2)
        return float(cost), self._along(2 * rows @ slope, q, qd, qdd)

    def _along(self, F: np.ndarray, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return the derivatives of the sum of F times the regressor, by differences."""
        NV, m = self.model.NV, len(self.links)
        x, here = np.stack([q, qd, qdd]), self._whole(q, qd, qdd)
        G, slopes = np.zeros_like(here), np.zeros((3, len(q), NV))
        G[..., self.kept] = F.reshape(len(q), NV, -1)
        G /= self.row_units[:, None]
        jumps = np.array([term == "coulomb" for term in self.unknowns.terms], bool)
        G[..., m:][..., np.repeat(jumps, self.unknowns.NV)] = 0.0
        # Y is a polynomial of qd and qdd, of degrees 2 and 1, so that their differences are exact.
        for j in range(NV):
            h = self.sizes[:, j] * [_STEP, 1.0, 1.0]
            moved = np.repeat(x[:, None], 4, axis=1)
            for k, (variable, sign) in enumerate(((0, 1), (1, 1), (1, -1), (2, 1))):
                moved[variable, k, :, j] += sign * h[variable]
            y = np.einsum("nvp,knvp->kn", G, self._whole(*moved) - here)
            slopes[:, :, j] += np.array([y[0], (y[1] - y[2]) / 2, y[3]]) / h[:, None]
        return slopes

    def _whole(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        Y = RegressorClassical(self.model, q, qd, qdd).Y[..., self.links]
        return np.concatenate([Y, self.unknowns.regressors(q, qd, qdd)], axis=-1)


def _independent(A: np.ndarray) -> np.ndarray:
    """Return the numbers of columns that are no combinations of those before them."""
    A = A / np.linalg.norm(A, axis=0)
    Q = np.zeros((len(A), 0))
    kept: list[int] = []
    for k, column in enumerate(A.T):
        rest = column - Q @ (Q.T @ column)
        # A second time, as the first leaves rounding errors that a short remainder would magnify.
        rest -= Q @ (Q.T @ rest)
        residual = np.linalg.norm(rest)
        if residual > _SEEN:
            Q = np.column_stack([Q, rest / residual])
            kept.append(k)
    return np.array(kept, dtype=int)
