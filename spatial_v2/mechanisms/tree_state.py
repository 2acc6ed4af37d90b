"""A call of a function for a mechanism, with what the rules of several functions need."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from derivatives.H_derivatives import H_derivatives
from derivatives.ID_derivatives import ID_derivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.dynamics import CRBA, ID
from spatial_v2.mechanisms.pull_back import Derivatives, Jet, first, on_rows, second, turned
from spatial_v2.model import Model

__all__ = ["State", "paired", "summed", "transposed"]


@dataclass
class State:
    """A call of a function for a mechanism: the tree's function and the motion of the tree."""

    function: Callable[..., Any]
    """The function for the tree."""
    coupling: Any
    tree: Model
    x: Jet
    given: dict[str, Any]
    """All arguments by name, positions and motions in y."""
    options: dict[str, Any]
    """Arguments that are not arrays of a state, such as external forces and frames."""
    results: tuple[tuple[str, ...], ...]
    """Names of the last axes of the results."""
    reference: bool = False
    """True if reference implementations of functions of the tree are called."""

    def call(self, function: Any, *args: Any, **options: Any) -> Any:
        """Call a function of the tree."""
        form = function.reference if self.reference else function
        return form(self.tree, *args, **options)

    def pushed(self) -> dict[str, Any]:
        """Return the options that concern external forces."""
        return {k: v for k, v in self.options.items() if k in ("f_ext", "frame")}

    @functools.cached_property
    def H(self) -> np.ndarray:
        """Inertia matrix of the tree."""
        return np.asarray(self.call(CRBA, self.x.q))

    @functools.cached_property
    def z(self) -> np.ndarray:
        """Joint forces of the tree."""
        x = self.x
        return np.asarray(self.call(ID, x.q, x.qd, x.qdd, **self.pushed()))

    @functools.cached_property
    def first_order(self) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of tau_y along y and with respect to yd."""
        x = self.x
        d = self.call(ID_derivatives, x.q, x.qd, x.qdd, **self.pushed())
        by_y, by_yd = x.forces(Derivatives(d.dtau_dq, d.dtau_dqd, self.H))
        return by_y + x.bent(self.z), by_yd

    @functools.cached_property
    def second_order(self) -> list[np.ndarray]:
        """Second derivatives of tau_y by (y, y), (yd, yd), (y, yd), and derivatives of H_y."""
        x, G_y = self.x, self.x.G_y
        d = self.call(ID_derivatives, x.q, x.qd, x.qdd, **self.pushed())
        s = self.call(ID_SO_derivatives, x.q, x.qd, x.qdd, **self.pushed())
        F = Derivatives(
            d.dtau_dq, d.dtau_dqd, self.H, s.d2tau_dq, s.d2tau_cross, s.d2tau_dqd, s.dM_dq
        )
        T_y, T_v = first(F, x)
        T_yy, T_yv, T_vv, T_ya = second(F, x)
        turn = paired(G_y, T_y)
        qq = on_rows(transposed(x.G), T_yy) + turn + turned(turn) + self._bent()
        cross = on_rows(transposed(x.G), T_yv) + paired(G_y, T_v)
        return [qq, on_rows(transposed(x.G), T_vv), cross, self._inertia(T_ya)]

    def _inertia(self, T_ya: np.ndarray) -> np.ndarray:
        """Return the derivatives [i, j, k] of H_y along y_k."""
        G, G_y = self.x.G, self.x.G_y
        return np.asarray(on_rows(transposed(G), turned(T_ya)) + turned(paired(G_y, self.H @ G)))

    def _bent(self) -> np.ndarray:
        """Return ``z . G_yy[:, i, j, k]``, where column i of G is the velocity at ``yd = e_i``."""
        return np.asarray(np.einsum("...c,...icjk->...ijk", self.z, self.bends))

    @functools.cached_property
    def bends(self) -> np.ndarray:
        """Second derivatives [i, :, j, k] of the columns i of G along y_j, then y_k."""
        n = self.x.G.shape[-1]
        q = np.repeat(self.x.q[..., None, :], n, axis=-2)
        unit = np.broadcast_to(np.eye(n), (*q.shape[:-1], n))
        return np.asarray(self.coupling.jet(q, unit, 0 * unit).qd_yy)

    @functools.cached_property
    def dH(self) -> np.ndarray:
        """Derivatives [i, j, k] of H_y along y_k."""
        x = self.x
        H_q = turned(np.asarray(self.call(H_derivatives, x.q)))
        G, G_yT = x.G, turned(x.G_y)
        ya = transposed(G)[..., None, :, :] @ H_q @ G[..., None, :, :] + on_rows(self.H, G_yT)
        return self._inertia(ya)


def transposed(A: np.ndarray) -> np.ndarray:
    return np.swapaxes(A, -1, -2)


def summed(z: np.ndarray, T: np.ndarray) -> np.ndarray:
    """Return ``sum_c z[c] T[c, i, j]``."""
    return np.asarray(on_rows(z[..., None, :], T)[..., 0, :, :])


def paired(T: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return ``sum_c T[c, i, j] A[c, k]`` at [i, j, k]."""
    return np.asarray(np.einsum("...cij,...ck->...ijk", T, A))
