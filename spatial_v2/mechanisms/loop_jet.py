"""The motion of one loop, and its derivatives along the loop's independent variables."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from spatial_v2.calls.loading import has_kernels
from spatial_v2.constraints import ConstraintSet
from spatial_v2.constraints.compiled_rows import CompiledSet
from spatial_v2.constraints.residual import Wanted
from spatial_v2.engine.constrained import KERNELS
from spatial_v2.mechanisms.closing import Branch
from spatial_v2.mechanisms.kernels import LoopMotion, has_motion, motion_by_kernel
from spatial_v2.mechanisms.loop import Loop
from spatial_v2.mechanisms.pull_back import (
    Dense,
    Derivatives,
    flat,
    on_both,
    on_rows,
    second,
    turned,
)
from spatial_v2.mechanisms.resting import jacobian_of
from spatial_v2.model import Model

__all__ = ["LoopJet", "rows_of"]


class LoopJet(Dense):
    """The jet of a loop at a closed configuration q of its model; see `pull_back.Jet`.

    The selected rows have velocity ``w = J qd`` and acceleration ``alpha = J qdd + dJ/dt qd``,
    which vanish along the motion, and so do all their derivatives along y. Each derivative of w or
    alpha has one term with the wanted derivative of the dependents, which therefore is
    ``-J_d^-1`` times all other terms. Derivatives of the independents are zero.
    """

    def __init__(self, branch: Branch, q: np.ndarray, yd: np.ndarray, ydd: np.ndarray) -> None:
        self.branch, self.q, self.yd, self.ydd = branch, q, yd, ydd

    @functools.cached_property
    def _rows(self) -> Any:
        """All rows of the loop, with their derivatives."""
        return _of_loop(self.branch.loop, self.q, self.qd, self.qdd)

    def _selected(self, x: Any, axes: int) -> np.ndarray:
        """Return the selected rows of a result with `axes` axes behind that of the rows."""
        return np.take(np.asarray(x), self.branch.rows, axis=-1 - axes)

    def _dependents(self, X: np.ndarray) -> np.ndarray:
        """Return ``-J_d^-1 X`` in the rows of dependents, and zeros in those of independents."""
        n, lead, behind = self.branch.loop.model.NV, X.shape[: self._axes], X.ndim - self._axes - 1
        columns = flat(X, behind)
        out = np.zeros((*lead, n, columns.shape[-1]), dtype=np.result_type(X, self.q))
        out[..., self.branch.d, :] = -self._solved(columns)
        return out.reshape(*lead, n, *X.shape[self._axes + 1 :])

    @property
    def _axes(self) -> int:
        """Number of axes of a batch."""
        return self.q.ndim - 1

    @functools.cached_property
    def _motion(self) -> LoopMotion | None:
        """The motion by a kernel; None if it cannot compute it."""
        arrays = self.q, np.asarray(self.yd)
        return motion_by_kernel(self.branch, *arrays) if has_motion(self.branch, *arrays) else None

    def _solved(self, X: np.ndarray) -> np.ndarray:
        """Return ``J_d^-1 X``."""
        return np.linalg.solve(self._J_d, X) if self._motion is None else self._motion.inverse @ X

    @functools.cached_property
    def _J(self) -> np.ndarray:
        """Jacobian of the selected rows."""
        return self._selected(_of_loop(self.branch.loop, self.q, *[0 * self.qd] * 2).G, 1)

    @functools.cached_property
    def _J_d(self) -> np.ndarray:
        return jacobian_of(self.branch.loop, self.q)[..., self.branch.rows, :][..., self.branch.d]

    @functools.cached_property
    def G(self) -> np.ndarray:
        """Velocities of the loop by those of the independents."""
        if self._motion is not None:
            return self._motion.G
        J = jacobian_of(self.branch.loop, self.q)[..., self.branch.rows, :]
        out = self._dependents(J[..., self.branch.u])
        out[..., self.branch.u, np.arange(len(self.branch.u))] = 1.0
        return out

    @functools.cached_property
    def qd(self) -> np.ndarray:
        """Velocities of the loop's joints."""
        return np.asarray((self.G @ self.yd[..., None])[..., 0])

    @functools.cached_property
    def g(self) -> np.ndarray:
        """Accelerations at ``ydd = 0``."""
        if self._motion is not None:
            return self._motion.g
        rows = _of_loop(self.branch.loop, self.q, self.qd, 0 * self.qd)
        return self._dependents(self._selected(rows.residual, 1))[..., 0]

    @functools.cached_property
    def qdd(self) -> np.ndarray:
        """Accelerations of the loop's joints."""
        return np.asarray((self.G @ self.ydd[..., None])[..., 0] + self.g)

    @functools.cached_property
    def _first(self) -> list[np.ndarray]:
        """Derivatives w_q, alpha_q, alpha_qd of the rows."""
        r = self._rows
        return [self._selected(x, 1) for x in (r.w_q, r.residual_q, r.residual_qd)]

    @functools.cached_property
    def _second(self) -> list[np.ndarray]:
        """Derivatives J_q, alpha_qq, alpha_vv, alpha_qv of the rows."""
        r = self._rows
        return [self._selected(x, 2) for x in (r.G_q, r.residual_qq, r.residual_vv, r.residual_qv)]

    @functools.cached_property
    def qd_y(self) -> np.ndarray:
        """Derivatives of qd along y."""
        return self._dependents(self._first[0] @ self.G)

    @functools.cached_property
    def Gdot(self) -> np.ndarray:
        """Rate of G along the motion."""
        w_q, _, alpha_qd = self._first
        return self._dependents((alpha_qd - w_q) @ self.G)

    @functools.cached_property
    def qdd_y(self) -> np.ndarray:
        """Derivatives of qdd along y."""
        _, alpha_q, alpha_qd = self._first
        return self._dependents(alpha_q @ self.G + alpha_qd @ self.qd_y)

    @functools.cached_property
    def qdd_v(self) -> np.ndarray:
        """Derivatives of qdd with respect to yd."""
        return self._dependents(self._first[2] @ self.G)

    @functools.cached_property
    def G_y(self) -> np.ndarray:
        """Derivatives of the columns of G along y."""
        return self._dependents(on_both(self._second[0], self.G, self.G))

    @functools.cached_property
    def qd_yy(self) -> np.ndarray:
        """Second derivatives of qd along y."""
        # d2w/dq2 is d2alpha/dq2 at rest, with qd in place of qdd
        w_qq = self._selected(self._rows.at_rest(self.qd).residual_qq, 2)
        mixed = on_both(turned(self._second[0]), self.G, self.qd_y)
        bent = on_both(w_qq, self.G, self.G) + mixed + turned(mixed)
        return self._dependents(bent + on_rows(self._first[0], self.G_y))

    @functools.cached_property
    def _qdd_second(self) -> list[np.ndarray]:
        _, alpha_q, alpha_qd = self._first
        J_q, alpha_qq, alpha_vv, alpha_qv = self._second
        F = Derivatives(alpha_q, alpha_qd, self._J, alpha_qq, alpha_qv, alpha_vv, J_q)
        return [self._dependents(x) for x in second(F, self, implicit=True)]

    @property
    def qdd_yy(self) -> np.ndarray:
        """Second derivatives of qdd along y."""
        return self._qdd_second[0]

    @property
    def qdd_yv(self) -> np.ndarray:
        """Derivatives of qdd along y and with respect to yd."""
        return self._qdd_second[1]

    @property
    def qdd_vv(self) -> np.ndarray:
        """Second derivatives of qdd with respect to yd."""
        return self._qdd_second[2]

    def multipliers(self, z: np.ndarray) -> np.ndarray:
        """Return the multipliers (..., m) of all rows whose forces on the dependents are those of
        z (..., NV): ``J_d^T lambda = z_d``, and zero for rows that are not selected.
        """
        forces = z[..., self.branch.d]
        if self._motion is None:
            found = np.linalg.solve(turned(self._J_d), forces[..., None])[..., 0]
        else:
            found = (forces[..., None, :] @ self._motion.inverse)[..., 0, :]
        out = np.zeros((*found.shape[:-1], self.branch.loop.constraints.m), dtype=found.dtype)
        out[..., self.branch.rows] = found
        return out

    def pushed(self, weight: np.ndarray) -> np.ndarray:
        """Return the derivatives [k, l] along q_l of the joint forces ``(J^T weight)_k``."""
        return np.asarray(self._rows.pushed(weight))

    def bent(self, z: np.ndarray) -> np.ndarray:
        """Return ``sum_k z_k G_y[k]``, without second derivatives of each row."""
        return np.asarray(-turned(self.G) @ self.pushed(self.multipliers(z)) @ self.G)

    def of_rows(
        self, b: np.ndarray, lam: np.ndarray, forces: tuple[np.ndarray, np.ndarray, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the part of the rows in second derivatives of ``b . (ID - J^T lambda)``.

        They are those by (q, q), (q, qd), (qd, qd) and (q, qdd), from which second derivatives of
        the motion are eliminated by multipliers eta, zeta, kappa of the derivatives `forces` of the
        function with respect to qdd, qd and q.
        """
        (w_q, alpha_q, alpha_qd), rows = self._first, self._rows
        by_a, by_v, by_q = forces

        def through(derivatives: np.ndarray, weight: np.ndarray) -> np.ndarray:
            return np.asarray((weight[..., None, self.branch.rows] @ derivatives)[..., 0, :])

        eta = self.multipliers(by_a)
        zeta = self.multipliers(by_v - through(alpha_qd, eta))
        kappa = self.multipliers(by_q - through(alpha_q, eta) - through(w_q, zeta))
        qq, qv, vv = rows.second(eta)
        qq = qq + rows.at_rest(b).second(lam)[0] + rows.at_rest(self.qd).second(zeta)[0]
        return qq + self.pushed(kappa), qv + turned(self.pushed(zeta)), vv, turned(self.pushed(eta))


def _of_loop(loop: Loop, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> Any:
    """Return the rows of a loop in a state."""
    return rows_of(loop.constraints, loop.model, q, qd, qdd)


def rows_of(
    constraints: ConstraintSet, tree: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray,
    gains: Wanted = None,
) -> Any:  # fmt: skip
    """Return rows of a tree in a state, computed by kernels if they can."""
    plain = constraints.is_plain and has_kernels(*KERNELS)
    plain = plain and (gains is None or constraints.compiled_errors(gains[0], 2))
    if plain and all(x.dtype == np.float64 for x in (q, qd, qdd)):
        constraints = CompiledSet(constraints, True)
    return constraints.rows(tree, q, qd, qdd, gains)
