"""The motion of a tree by variables of which those of another motion are functions."""

from __future__ import annotations

import functools

import numpy as np

from spatial_v2.mechanisms.pull_back import (
    Dense,
    Derivatives,
    Jet,
    on_both,
    on_rows,
    second,
    turned,
)

__all__ = ["ComposedJet"]


class ComposedJet(Dense):
    """The motion ``q = q(x(y))``, by the chain rule; quantities are those of `pull_back.Jet`.

    Velocities and accelerations of the tree are functions of (x, xd, xdd), so that their
    derivatives are those of any function that is pulled back to y.

    Parameters
    ----------
    of : Jet
        The motion of the tree by x.
    x : Jet
        The motion of x by y.
    """

    def __init__(self, of: Jet, x: Jet) -> None:
        self.of, self.x = of, x
        self.q, self.qd, self.qdd = of.q, of.qd, of.qdd

    @functools.cached_property
    def G(self) -> np.ndarray:
        """``qd = G yd``."""
        return np.asarray(self.of.G @ self.x.G)

    @functools.cached_property
    def g(self) -> np.ndarray:
        """Accelerations at ``ydd = 0``."""
        return np.asarray((self.of.G @ self.x.g[..., None])[..., 0] + self.of.g)

    @functools.cached_property
    def Gdot(self) -> np.ndarray:
        """Rate of G along the motion."""
        return np.asarray(self.of.Gdot @ self.x.G + self.of.G @ self.x.Gdot)

    @functools.cached_property
    def qd_y(self) -> np.ndarray:
        """Derivatives of qd along y."""
        return np.asarray(self.of.qd_y @ self.x.G + self.of.G @ self.x.qd_y)

    @functools.cached_property
    def qdd_y(self) -> np.ndarray:
        """Derivatives of qdd along y."""
        of, x = self.of, self.x
        return np.asarray(of.qdd_y @ x.G + of.qdd_v @ x.qd_y + of.G @ x.qdd_y)

    @functools.cached_property
    def qdd_v(self) -> np.ndarray:
        """Derivatives of qdd with respect to yd."""
        return np.asarray(self.of.qdd_v @ self.x.G + self.of.G @ self.x.qdd_v)

    @functools.cached_property
    def G_y(self) -> np.ndarray:
        """Derivatives of the columns of G along y."""
        bent = on_both(self.of.G_y, self.x.G, self.x.G)
        return np.asarray(bent + on_rows(self.of.G, self.x.G_y))

    def bent(self, z: np.ndarray) -> np.ndarray:
        """Return ``sum_k z_k G_y[k]`` for joint forces z (..., NV)."""
        along = (z[..., None, :] @ self.of.G)[..., 0, :]
        return np.asarray(turned(self.x.G) @ self.of.bent(z) @ self.x.G + self.x.bent(along))

    @functools.cached_property
    def qd_yy(self) -> np.ndarray:
        """Second derivatives of qd along y."""
        of, none = self.of, 0 * self.of.G_y
        F = Derivatives(of.qd_y, of.G, 0 * of.G, of.qd_yy, turned(of.G_y), none, none)
        return second(F, self.x)[0]

    @functools.cached_property
    def _second(self) -> tuple[np.ndarray, ...]:
        of = self.of
        F = Derivatives(of.qdd_y, of.qdd_v, of.G, of.qdd_yy, of.qdd_yv, of.qdd_vv, of.G_y)
        return second(F, self.x)

    qdd_yy = property(lambda self: self._second[0])
    qdd_yv = property(lambda self: self._second[1])
    qdd_vv = property(lambda self: self._second[2])
