"""Independent joints of a mechanism that follow others: a coupling behind a coupling."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_v2.couplings.couple import followers
from spatial_v2.couplings.linear import Linear
from spatial_v2.exceptions import InertiaWarning, ModelError, SingularWarning, SpatialError
from spatial_v2.mechanisms.closed import Closed
from spatial_v2.mechanisms.composed_jet import ComposedJet
from spatial_v2.mechanisms.curves import as_curves, curves_of, has_curves
from spatial_v2.mechanisms.formula import ON, Formula
from spatial_v2.mechanisms.pull_back import Derivatives, Jet, on_both
from spatial_v2.model import Model
from spatial_v2.model.scale import lengths_of_positions

__all__ = ["Joined"]


@dataclass(frozen=True, eq=False)
class Joined:
    """A coupling q(x) by loops or a function, whose variables follow fewer ones, x(y)."""

    outer: Closed | Formula
    """The coupling q(x)."""
    inner: Linear | Formula
    """The coupling x(y): ``L y + c``, or by polynomials."""
    mimic: Mapping[str, Any]
    """The joints that follow others, as `couple` takes them, by their names."""

    guess: np.ndarray
    """Values of y near the guess of the other coupling."""
    lengths: np.ndarray
    """Sizes with which the variables x are compared."""

    @classmethod
    def of(cls, tree: Model, outer: Closed | Formula, mimic: Mapping[Any, Any]) -> Joined:
        """Return the coupling in which independent joints of another one follow each other."""
        own, named = outer.space.joint_names, _by_name(tree, mimic)
        for joint in (*named, *(leader for leader, *_ in named.values() if leader)):
            if joint not in own:
                raise ModelError(
                    f"mimic: joint {joint!r} is not among the independent joints {list(own)}, of "
                    "which alone some follow others; choose them by independent=[...]"
                )
        near = outer.guess if len(outer.guess) == outer.space.NQ else outer.guess[outer.q_of_y]
        inner: Linear | Formula
        if has_curves(named):
            gamma: Any
            gamma, free = curves_of(outer.space, as_curves(outer.space, named))
            y = near[list(gamma.own)]
            inner = Formula.of(outer.space, gamma, free, y)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InertiaWarning)
                inner = Linear.of(outer.space, *followers(outer.space, named))
            y = np.linalg.pinv(inner.positions) @ (near - inner.shift)
        lengths = lengths_of_positions(tree)[outer.q_of_y]
        self = cls(outer, inner, named, y, lengths)
        try:
            self.configuration(y)
        except SpatialError as error:
            raise ModelError(f"mimic: the loops do not close with it: {error}") from None
        return self

    def on(self, tree: Model) -> Joined:
        """Return the coupling of a changed tree."""
        return Joined.of(tree, self.outer.on(tree), self.mimic)

    @property
    def space(self) -> Model:
        """A chain of massless bodies whose joints have y as their variables."""
        return self.inner.space

    @property
    def independent(self) -> tuple[str, ...]:
        """Names of the independent joints."""
        return self.space.joint_names

    def configuration(self, y: Any) -> np.ndarray:
        """Return the tree's q at y (..., NQ); a full q that obeys both couplings as it is."""
        y = np.asarray(y)
        if y.shape[-1] == self.space.NQ:
            return self.outer.configuration(self.inner.configuration(y))
        q = self.outer.configuration(y)
        x = q[..., self.outer.q_of_y]
        error = np.abs(x - self._followed(x))
        if (bad := (error > ON * self.lengths).any(axis=-1)).any():
            text = (
                f"q: a configuration of the tree was given, in which joints differ by "
                f"{error.max():.3g} m or rad from those that they follow; want one that obeys the "
                f"coupling, or the variables {list(self.independent)}"
            )
            if q.ndim == 1:
                raise SpatialError(text)
            warnings.warn(f"{text}. The results of such states are NaN", SingularWarning, 2)
            q = np.where(bad[..., None], np.nan, q)
        return q

    def jet(self, q: np.ndarray, yd: np.ndarray, ydd: np.ndarray) -> JoinedJet | ComposedJet:
        """Return the motion of the tree at a full q."""
        if isinstance(self.inner, Formula):
            x = self.inner.jet(q[..., self.outer.q_of_y], yd, ydd)
            return ComposedJet(self.outer.jet(q, x.qd, x.qdd), x)
        motion = self.inner.motion
        return JoinedJet(self.outer.jet(q, motion(yd), motion(ydd)), self.inner.matrix)

    def _followed(self, x: np.ndarray) -> np.ndarray:
        """Return the variables x where all joints obey the inner coupling."""
        if isinstance(self.inner, Formula):
            return self.inner.configuration(x[..., self.inner.q_of_y])
        P, rest = self.inner.positions, x - self.inner.shift
        return np.asarray(rest @ np.linalg.pinv(P).T @ P.T + self.inner.shift)

    def describe(self) -> str:
        """Return how the joints are coupled, for `repr`."""
        return f"{self.outer.describe()}; with mimic={self.mimic}"


def _by_name(tree: Model, mimic: Mapping[Any, Any]) -> dict[str, tuple[Any, ...]]:
    """Return the joints that follow others by their names, after checks."""
    if has_curves(mimic):
        return {name: tuple(x) for name, x in as_curves(tree, mimic).items()}
    followers(tree, mimic)  # checks
    names = tree.joint_names
    return {
        names[tree.joint(joint)]: (None if leader is None else names[tree.joint(leader)], a, c)
        for joint, (leader, a, c) in mimic.items()
    }


class JoinedJet:
    """The motion of a tree by variables of which those of another motion are linear functions.

    Quantities are those of `pull_back.Jet`: each axis of a variable is multiplied by L.
    """

    def __init__(self, x: Jet, L: np.ndarray) -> None:
        self.x, self.L = x, L
        self.q, self.qd, self.qdd, self.g = x.q, x.qd, x.qdd, x.g

    def _once(self, T: np.ndarray) -> np.ndarray:
        return np.asarray(T @ self.L)

    def _between(self, A: np.ndarray) -> np.ndarray:
        return np.asarray(self.L.T @ A @ self.L)

    def _twice(self, T: np.ndarray) -> np.ndarray:
        return on_both(T, self.L, self.L)

    @functools.cached_property
    def G(self) -> np.ndarray:
        """``qd = G yd``."""
        return self._once(self.x.G)

    @functools.cached_property
    def Gdot(self) -> np.ndarray:
        """Rate of G along the motion."""
        return self._once(self.x.Gdot)

    @functools.cached_property
    def qd_y(self) -> np.ndarray:
        """Derivatives of qd along y."""
        return self._once(self.x.qd_y)

    @functools.cached_property
    def qdd_y(self) -> np.ndarray:
        """Derivatives of qdd along y."""
        return self._once(self.x.qdd_y)

    @functools.cached_property
    def qdd_v(self) -> np.ndarray:
        """Derivatives of qdd with respect to yd."""
        return self._once(self.x.qdd_v)

    @functools.cached_property
    def G_y(self) -> np.ndarray:
        """Derivatives of the columns of G along y."""
        return self._twice(self.x.G_y)

    def bent(self, z: np.ndarray) -> np.ndarray:
        """Return ``sum_k z_k G_y[k]`` for joint forces z (..., NV)."""
        return self._between(self.x.bent(z))

    def inertia(self, H: np.ndarray) -> np.ndarray:
        """Return ``G^T H G``."""
        return self._between(self.x.inertia(H))

    def forces(self, F: Derivatives) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives of ``G^T F`` along y and with respect to yd, at constant G."""
        by_y, by_yd = self.x.forces(F)
        return self._between(by_y), self._between(by_yd)

    @functools.cached_property
    def qd_yy(self) -> np.ndarray:
        """Second derivatives of qd along y."""
        return self._twice(self.x.qd_yy)

    @functools.cached_property
    def qdd_yy(self) -> np.ndarray:
        """Second derivatives of qdd along y."""
        return self._twice(self.x.qdd_yy)

    @functools.cached_property
    def qdd_yv(self) -> np.ndarray:
        """Derivatives of qdd along y and with respect to yd."""
        return self._twice(self.x.qdd_yv)

    @functools.cached_property
    def qdd_vv(self) -> np.ndarray:
        """Second derivatives of qdd with respect to yd."""
        return self._twice(self.x.qdd_vv)
