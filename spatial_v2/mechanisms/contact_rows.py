"""Constraint rows of mechanisms: those of the tree, along the independent variables.

The rows are functions of the tree's motion, so their derivatives follow by the chain rule of
`pull_back`, in which the matrix G of ``qd = G yd`` moves.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from spatial_v2.calls.loading import has_kernels
from spatial_v2.constraints import ConstraintSet
from spatial_v2.constraints.compiled_kkt import CompiledKKT, States
from spatial_v2.constraints.coupled_rows import distances_of
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.rank_texts import Named
from spatial_v2.constraints.residual import Residual, Wanted
from spatial_v2.constraints.row_kernels import RowsOfBatch
from spatial_v2.dynamics.smallest_pivots import smallest_pivots
from spatial_v2.mechanisms.loop_jet import rows_of
from spatial_v2.mechanisms.pull_back import Derivatives, first, on_both, on_rows, second, turned
from spatial_v2.model.scale import distances

__all__ = ["ContactRows"]


class ContactRows(States, Residual):
    """The rows of `Residual` in a state of a mechanism; all derivatives are those along y.

    Parameters
    ----------
    model : Mechanism
        The mechanism.
    constraints : ConstraintSet
        The constraints, resolved for its tree.
    y, yd, ydd : array, shapes (..., NQ), (..., NV), (..., NV)
        Independent positions, or the full q of the tree, velocities and accelerations.
    gains : tuple, optional
        Baumgarte gains.
    """

    def __init__(
        self, model: Any, constraints: ConstraintSet, y: Any, yd: Any, ydd: Any,
        gains: Wanted = None,
    ) -> None:  # fmt: skip
        q, yd, ydd = model.position(np.asarray(y)), np.asarray(yd), np.asarray(ydd)
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in (q, yd, ydd)))
        q, self.yd, ydd = (np.broadcast_to(x, (*lead, x.shape[-1])) for x in (q, yd, ydd))
        self.model, self.constraints, self.wanted = model, constraints, gains
        self.m, self.lead = [x.m for x in constraints.relations], lead
        self.x = model.coupling.jet(q, self.yd, ydd)
        self.rows = rows_of(constraints, model.tree, q, self.x.qd, self.x.qdd, gains)

    @functools.cached_property
    def G(self) -> np.ndarray:
        """Jacobian of the rows."""
        return np.asarray(self.rows.G @ self.x.G)

    @property
    def like(self) -> np.ndarray:
        """An array of the kind of all results."""
        return self.G

    @property
    def w(self) -> np.ndarray:
        """Velocities of the rows, one column."""
        return np.asarray(self.G @ self.yd[..., None])

    @functools.cached_property
    def w_q(self) -> np.ndarray:
        """Derivatives of the velocities along y."""
        return np.asarray(self.rows.w_q @ self.x.G + self.rows.G @ self.x.qd_y)

    @property
    def residual(self) -> np.ndarray:
        """The residual, one column."""
        return np.asarray(self.rows.residual)

    @functools.cached_property
    def _first(self) -> tuple[np.ndarray, np.ndarray]:
        r = self.rows
        return first(Derivatives(r.residual_q, r.residual_qd, r.G), self.x)

    residual_q = property(lambda self: self._first[0])
    residual_qd = property(lambda self: self._first[1])

    @functools.cached_property
    def _second(self) -> tuple[np.ndarray, ...]:
        r = self.rows
        tensors = r.residual_qq, r.residual_qv, r.residual_vv, r.G_q
        return second(Derivatives(r.residual_q, r.residual_qd, r.G, *tensors), self.x)

    residual_qq = property(lambda self: self._second[0])
    residual_qv = property(lambda self: self._second[1])
    residual_vv = property(lambda self: self._second[2])

    @functools.cached_property
    def G_q(self) -> np.ndarray:
        """Derivatives [c, k, l] of the Jacobian along y_l."""
        straight = on_both(self.rows.G_q, self.x.G, self.x.G)
        return np.asarray(straight + on_rows(self.rows.G, self.x.G_y))

    @functools.cached_property
    def _places(self) -> Any:
        """The rows by the reference implementation, which have position errors."""
        return self.constraints.rows(self.model.tree, self.x.q, self.x.qd, self.x.qdd)

    @property
    def e(self) -> np.ndarray:
        """Position errors, one column."""
        return np.asarray(self._places.e)

    @property
    def e_q(self) -> np.ndarray:
        """Derivatives of the position errors along y."""
        return np.asarray(self._places.e_q @ self.x.G)

    def at_rest(self, qdd: Any) -> ContactRows:
        """Return the rows in the same configuration, at zero velocity, with other accelerations."""
        return ContactRows(self.model.placed(), self.constraints, self.x.q, 0 * self.yd, qdd)

    def second(self, weight: Any) -> tuple[Any, Any, Any]:
        """Compute second derivatives of ``weight . residual``, without those of each row."""
        r, w = self.rows, np.asarray(weight)[..., None, :]
        tensors = (x[..., None, :, :] for x in (*r.second(weight), r.pushed(weight)))
        F = Derivatives(w @ r.residual_q, w @ r.residual_qd, w @ r.G, *tensors)
        yy, yv, vv, _ = second(F, self.x)
        return yy[..., 0, :, :], yv[..., 0, :, :], vv[..., 0, :, :]

    def pushed(self, weight: Any) -> np.ndarray:
        """Return the derivatives along y of the forces ``G^T weight`` for constant weights."""
        G, forces = self.x.G, (np.asarray(weight)[..., None, :] @ self.rows.G)[..., 0, :]
        return np.asarray(turned(G) @ self.rows.pushed(weight) @ G + self.x.bent(forces))

    def G_qq(self, weight: Any) -> np.ndarray:
        """Return the second derivatives of the Jacobian along y, summed with weights of the rows:
        those of the acceleration of the rows for each unit vector as ydd.
        """
        n = self.model.NV
        q, weight = (np.repeat(x[..., None, :], n, axis=-2) for x in (self.x.q, weight))
        unit = np.broadcast_to(np.eye(n), (*q.shape[:-1], n))
        rest = ContactRows(self.model.placed(), self.constraints, q, 0 * unit, unit)
        return np.asarray(rest.second(weight)[0])

    @functools.cached_property
    def distances(self) -> np.ndarray:
        """The distance that a unit of each velocity variable stands for."""
        return distances_of(self.model)

    @property
    def sizes(self) -> np.ndarray:
        """Squared lengths of the rows, relative to upper bounds: of the tree's Jacobian, times what
        G leaves of it.
        """
        own = distances(self.model.tree)
        J, G = (np.real(x) for x in (self.rows.G / own, self.x.G * own[:, None] / self.distances))
        left, whole = ((x * x).sum(axis=-1) for x in (J @ G, J))
        whole = whole * np.linalg.eigvalsh(turned(G) @ G)[..., -1:]
        share = np.where(whole > 0, left / np.where(whole > 0, whole, 1.0), 0.0)
        return np.asarray(self.rows.sizes * share)

    @property
    def least_pivots(self) -> np.ndarray:
        """Sizes up to which pivots of the inertia matrix are rounding errors."""
        return np.asarray(smallest_pivots(self.model.placed(), np.real(self.x.q)))

    def kkt(self, H: Any, damping: float = 0.0, rank: Rank = "raise", quiet: bool = False) -> Any:
        """Return the KKT equations with the Jacobian of these constraint rows."""
        plain = H.dtype == self.G.dtype == np.float64 and not self.model.is_reference
        if not plain or not has_kernels("KKT"):
            return super().kkt(H, damping, rank, quiet)
        return CompiledKKT(self, H, damping, rank, quiet)

    @functools.cached_property
    def _rows(self) -> RowsOfBatch:
        parts = (self.residual[..., 0], 1), (self.sizes, 1), (self.least_pivots, 1)
        return RowsOfBatch(self._flat(self.G, 2), *(self._flat(x, axes) for x, axes in parts))

    @property
    def batched(self) -> bool:
        """True if states are solved in SIMD batches."""
        return bool(self.lead)

    def note(self, reports: np.ndarray, rank: Rank, damping: float) -> None:
        """Do nothing: there is one solution for all states of a call, which tells."""

    @property
    def motion(self) -> np.ndarray:
        """The velocities yd."""
        return self.yd

    @property
    def named(self) -> Named:
        """Names of constraints and variables, for messages."""
        return Named(self.m, self.model)
