"""Pull-back of functions of a tree's state to independent variables: the chain rule, twice.

A function F(q, qd, qdd) that is affine in qdd, without a term of qd times qdd, becomes a function
of (y, yd, ydd) by the motion of a `Jet`. Derivatives along q and y are ordered: entry [c, j, k] is
the derivative along k of the derivative along j.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

__all__ = ["Dense", "Derivatives", "Jet", "first", "flat", "on_both", "second", "turned"]


class Jet(Protocol):
    """The motion of a tree in a state (y, yd, ydd) of its independent variables.

    Axes are (..., NV of the tree), then one for each y. Subscripts name variables: _y is a
    derivative along y, _v one with respect to yd, of qd with respect to q's variables [:, j], of
    second derivatives [:, j, k].
    """

    @property
    def q(self) -> np.ndarray:
        """Position variables of the tree."""

    @property
    def G(self) -> np.ndarray:
        """``qd = G yd``, and the derivatives of q along y."""

    @property
    def g(self) -> np.ndarray:
        """Accelerations at ``ydd = 0``: ``qdd = G ydd + g``."""

    @property
    def Gdot(self) -> np.ndarray:
        """Rate of G along the motion."""

    @property
    def qd(self) -> np.ndarray:
        """Velocities of the tree."""

    @property
    def qdd(self) -> np.ndarray:
        """Accelerations of the tree."""

    @property
    def qd_y(self) -> np.ndarray:
        """Derivatives of qd along y."""

    @property
    def qdd_y(self) -> np.ndarray:
        """Derivatives of qdd along y."""

    @property
    def qdd_v(self) -> np.ndarray:
        """Derivatives of qdd with respect to yd."""

    @property
    def G_y(self) -> np.ndarray:
        """Entry [:, a, j] is the derivative of column a along y_j."""

    def bent(self, z: np.ndarray) -> np.ndarray:
        """Return ``sum_k z_k G_y[k]`` for joint forces z (..., NV)."""

    def inertia(self, H: np.ndarray) -> np.ndarray:
        """Return ``G^T H G``."""

    def forces(self, F: Derivatives) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives of ``G^T F`` along y and with respect to yd, at constant G."""

    @property
    def qd_yy(self) -> np.ndarray:
        """Second derivatives of qd along y."""

    @property
    def qdd_yy(self) -> np.ndarray:
        """Second derivatives of qdd along y."""

    @property
    def qdd_yv(self) -> np.ndarray:
        """Entry [:, j, k] is the derivative of qdd along y_j and with respect to yd_k."""

    @property
    def qdd_vv(self) -> np.ndarray:
        """Second derivatives of qdd with respect to yd."""


@dataclass
class Derivatives:
    """Derivatives of F by q, qd and qdd (..., n, NV), and second ones (..., n, NV, NV)."""

    q: Any
    v: Any
    a: Any
    qq: Any = None
    qv: Any = None
    vv: Any = None
    qa: Any = None
    """Entry [c, s, p] is the derivative along q_p of the derivative of F_c by qdd_s."""


class Dense:
    """Products of the matrices of a `Jet` with those of a tree."""

    def inertia(self: Any, H: np.ndarray) -> np.ndarray:
        """Return ``G^T H G``."""
        return np.asarray(turned(self.G) @ H @ self.G)

    def forces(self: Any, F: Derivatives) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives of ``G^T F`` along y and with respect to yd, at constant G."""
        by_y, by_yd = first(F, self)
        return turned(self.G) @ by_y, turned(self.G) @ by_yd


def on_both(T: np.ndarray, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return ``sum_ps T[c, p, s] A[p, j] B[s, k]``.

    Examples
    --------
    >>> on_both(np.ones((1, 2, 2)), np.ones((2, 1)), np.ones((2, 3))).shape
    (1, 1, 3)
    """
    return np.asarray(np.matrix_transpose(A)[..., None, :, :] @ T @ B[..., None, :, :])


def turned(T: np.ndarray) -> np.ndarray:
    """Exchange the last two axes."""
    return np.swapaxes(T, -1, -2)


def on_rows(A: np.ndarray, T: np.ndarray) -> np.ndarray:
    """Return ``sum_k A[c, k] T[k, i, j]``."""
    lead = np.broadcast_shapes(A.shape[:-2], T.shape[:-3])
    return np.asarray((A @ flat(T, 2)).reshape(*lead, A.shape[-2], *T.shape[-2:]))


def flat(T: np.ndarray, axes: int) -> np.ndarray:
    """Return an array whose last axes are one; of an empty batch, too."""
    own = T.ndim - axes
    return T.reshape(*T.shape[:own], math.prod(T.shape[own:]))


def first(F: Derivatives, x: Jet) -> tuple[np.ndarray, np.ndarray]:
    """Return the derivatives of F along y and with respect to yd."""
    return F.q @ x.G + F.v @ x.qd_y + F.a @ x.qdd_y, F.v @ x.G + F.a @ x.qdd_v


def second(F: Derivatives, x: Jet, *, implicit: bool = False) -> tuple[np.ndarray, ...]:
    """Return second derivatives of F: by (y, y), (y, yd), (yd, yd) and (y, ydd).

    With `implicit`, terms of the second derivatives of qdd are left out: those that follow from
    rows whose accelerations vanish along the motion.
    """
    G, qd_y, qdd_y, G_yT = x.G, x.qd_y, x.qdd_y, turned(x.G_y)
    F_aq = turned(F.qa)
    mixed = on_both(F.qv, G, qd_y) + on_both(F_aq, G, qdd_y)
    yy = on_both(F.qq, G, G) + on_both(F.vv, qd_y, qd_y) + mixed + turned(mixed)
    yy = yy + on_rows(F.q, x.G_y) + on_rows(F.v, x.qd_yy)
    yv = on_both(F.qv, G, G) + on_both(F_aq, G, x.qdd_v) + on_both(F.vv, qd_y, G)
    yv = yv + on_rows(F.v, G_yT)
    vv = on_both(F.vv, G, G)
    if implicit:
        return yy, yv, vv
    ya = on_both(F_aq, G, G) + on_rows(F.a, G_yT)
    return (
        yy + on_rows(F.a, x.qdd_yy),
        yv + on_rows(F.a, x.qdd_yv),
        vv + on_rows(F.a, x.qdd_vv),
        ya,
    )
