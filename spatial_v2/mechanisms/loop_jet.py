"""The motion of one loop, and its derivatives along the loop's independent variables."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from spatial_v2.constraints import (
    constraint_bias,
    constraint_derivatives,
    constraint_SO_derivatives,
)
from spatial_v2.mechanisms.closing import Branch
from spatial_v2.mechanisms.pull_back import Derivatives, on_both, on_rows, second, turned
from spatial_v2.mechanisms.resting import jacobian_of

__all__ = ["LoopJet"]


class LoopJet:
    """The jet of a loop at a closed configuration q of its model; see `pull_back.Jet`.

    The selected rows have velocity ``w = J qd`` and acceleration ``alpha = J qdd + dJ/dt qd``,
    which vanish along the motion, and so do all their derivatives along y. Each derivative of w or
    alpha has one term with the wanted derivative of the dependents, which therefore is
    ``-J_d^-1`` times all other terms. Derivatives of the independents are zero.
    """

    def __init__(self, branch: Branch, q: np.ndarray, yd: np.ndarray, ydd: np.ndarray) -> None:
        self.branch, self.q, self.yd, self.ydd = branch, q, yd, ydd

    def _of(self, function: Any, *arrays: np.ndarray) -> list[np.ndarray]:
        """Call a function of constraints, and return the selected rows of its results."""
        loop, b = self.branch.loop, self.branch
        out = function(loop.model, *arrays, loop.constraints)
        parts = out if isinstance(out, tuple) else (out,)
        axis = self.q.ndim - 1
        return [np.take(np.asarray(x), b.rows, axis=axis) for x in parts]

    def _dependents(self, X: np.ndarray) -> np.ndarray:
        """Return ``-J_d^-1 X`` in the rows of dependents, and zeros in those of independents."""
        n, flat = self.branch.loop.model.NV, X.reshape(*self._J_d.shape[:-1], -1)
        out = np.zeros((*flat.shape[:-2], n, flat.shape[-1]), dtype=np.result_type(X, self._J_d))
        out[..., self.branch.d, :] = -np.linalg.solve(self._J_d, flat)
        return out.reshape(*X.shape[: self._J_d.ndim - 2], n, *X.shape[self._J_d.ndim - 1 :])

    @functools.cached_property
    def _J(self) -> np.ndarray:
        return jacobian_of(self.branch.loop, self.q)[..., self.branch.rows, :]

    @functools.cached_property
    def _J_d(self) -> np.ndarray:
        return self._J[..., self.branch.d]

    @functools.cached_property
    def G(self) -> np.ndarray:
        """Velocities of the loop by those of the independents."""
        out = self._dependents(self._J[..., self.branch.u])
        out[..., self.branch.u, np.arange(len(self.branch.u))] = 1.0
        return out

    @functools.cached_property
    def qd(self) -> np.ndarray:
        """Velocities of the loop's joints."""
        return np.asarray((self.G @ self.yd[..., None])[..., 0])

    @functools.cached_property
    def g(self) -> np.ndarray:
        """Accelerations at ``ydd = 0``."""
        (gamma,) = self._of(constraint_bias, self.q, self.qd)
        return self._dependents(gamma[..., None])[..., 0]

    @functools.cached_property
    def qdd(self) -> np.ndarray:
        """Accelerations of the loop's joints."""
        return np.asarray((self.G @ self.ydd[..., None])[..., 0] + self.g)

    @functools.cached_property
    def _first(self) -> list[np.ndarray]:
        """Derivatives w_q, w_qd, alpha_q, alpha_qd of the rows."""
        return self._of(constraint_derivatives, self.q, self.qd, self.qdd)

    @functools.cached_property
    def _second(self) -> list[np.ndarray]:
        """Derivatives J_q, alpha_qq, alpha_vv, alpha_qv of the rows."""
        return self._of(constraint_SO_derivatives, self.q, self.qd, self.qdd)

    @functools.cached_property
    def qd_y(self) -> np.ndarray:
        """Derivatives of qd along y."""
        return self._dependents(self._first[0] @ self.G)

    @functools.cached_property
    def Gdot(self) -> np.ndarray:
        """Rate of G along the motion."""
        w_q, _, _, alpha_qd = self._first
        return self._dependents((alpha_qd - w_q) @ self.G)

    @functools.cached_property
    def qdd_y(self) -> np.ndarray:
        """Derivatives of qdd along y."""
        _, _, alpha_q, alpha_qd = self._first
        return self._dependents(alpha_q @ self.G + alpha_qd @ self.qd_y)

    @functools.cached_property
    def qdd_v(self) -> np.ndarray:
        """Derivatives of qdd with respect to yd."""
        return self._dependents(self._first[3] @ self.G)

    @functools.cached_property
    def G_y(self) -> np.ndarray:
        """Derivatives of the columns of G along y."""
        return self._dependents(on_both(self._second[0], self.G, self.G))

    @functools.cached_property
    def qd_yy(self) -> np.ndarray:
        """Second derivatives of qd along y."""
        # d2w/dq2 is d2alpha/dq2 at rest, with qd in place of qdd
        w_qq = self._of(constraint_SO_derivatives, self.q, 0 * self.qd, self.qd)[1]
        mixed = on_both(turned(self._second[0]), self.G, self.qd_y)
        bent = on_both(w_qq, self.G, self.G) + mixed + turned(mixed)
        return self._dependents(bent + on_rows(self._first[0], self.G_y))

    @functools.cached_property
    def _qdd_second(self) -> list[np.ndarray]:
        _, J, alpha_q, alpha_qd = self._first
        J_q, alpha_qq, alpha_vv, alpha_qv = self._second
        F = Derivatives(alpha_q, alpha_qd, J, alpha_qq, alpha_qv, alpha_vv, J_q)
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
