"""Couplings by a function ``q = gamma(y)``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.joints.groups import LINE
from spatial_v2.mechanisms.pull_back import Dense
from spatial_v2.mechanisms.space import space_of
from spatial_v2.mechanisms.taylor import tensors, variables
from spatial_v2.model import Model
from spatial_v2.model.scale import distances, lengths_of_positions

__all__ = ["Formula", "FormulaJet"]

ON = 1e-8
"""Difference from gamma(y), in radians or the tree's own lengths, up to which a full configuration
counts as one that obeys it.
"""
SAME = 1e-9
"""Difference, in radians or the tree's own lengths, up to which gamma(y) gives the variables of
independent joints back.
"""
DEPENDENT = 1e-10
"""Smallest singular value of G, by the largest, at which its columns are dependent; a radian counts
as the tree's own length.
"""


@dataclass(frozen=True, eq=False)
class Formula:
    """A coupling by a function, checked for its tree."""

    function: Callable[[Any], Any]
    """The tree's q (NQ,) as a function of y."""
    independent: tuple[str, ...]
    """Names of the independent joints."""
    space: Model
    """A chain of massless bodies whose joints have y as their variables: names, limits, groups."""
    guess: np.ndarray
    """Values of y at which the function was tried."""
    NQ: int
    """Number of position variables of the tree."""
    q_of_y: np.ndarray
    """Indices of y in the tree's q."""
    rows_q: np.ndarray
    """Entries of the tree's q that belong to joints with one variable."""
    rows_v: np.ndarray
    """Their entries in qd."""
    own_y: np.ndarray
    """Entries of y that belong to joints with one variable."""
    own_v: np.ndarray
    """Their entries in yd."""
    fixed: np.ndarray
    """The matrix G of all other joints, which are independent."""
    lengths: np.ndarray
    """Sizes with which the position variables of the tree are compared (NQ,)."""

    @classmethod
    def of(
        cls, tree: Model, function: Callable[[Any], Any], joints: Sequence[int], y: np.ndarray
    ) -> Formula:
        """Return the coupling of a tree by a function of the positions of some joints."""
        whole = [i for i in range(tree.NB) if tree.layout.joints[i].group is not LINE]
        if missing := [tree.joint_names[i] for i in whole if i not in joints]:
            raise ModelError(
                f"independent: joints with several variables can only be independent: add {missing}"
            )
        joints = sorted(joints)
        space = space_of(tree, joints)
        fixed = np.zeros((tree.NV, space.NV))
        rows_q, rows_v = _lines(tree, range(tree.NB))
        own_y, own_v = _lines(space, range(space.NB))
        for k, i in enumerate(joints):
            if i in whole:
                fixed[tree.vinds[i], space.vinds[k]] = np.eye(tree.nv[i])
        names = tuple(tree.joint_names[i] for i in joints)
        q_of_y = np.concatenate(
            [np.arange(x.start, x.stop) for x in (tree.qinds[i] for i in joints)]
        )
        self = cls(
            function, names, space, y, tree.NQ, q_of_y, rows_q, rows_v, own_y, own_v, fixed,
            lengths_of_positions(tree),
        )  # fmt: skip
        self._check(tree, joints, whole, y)
        return self

    def on(self, tree: Model) -> Formula:
        """Return the coupling of a changed tree."""
        joints = [tree.joint(name) for name in self.independent]
        return Formula.of(tree, self.function, joints, self.guess)

    def _check(
        self, tree: Model, joints: Sequence[int], whole: Sequence[int], y: np.ndarray
    ) -> None:
        f = self.derivatives(y)
        for k, i in enumerate(joints):
            off = f.q[tree.qinds[i]] - y[self.space.qinds[k]]
            if not (np.abs(off) <= SAME * self.lengths[tree.qinds[i]]).all():
                raise ModelError(
                    f"function: joint {tree.joint_names[i]!r} is independent, so gamma(y) gives "
                    f"its own variables back; got {f.q[tree.qinds[i]]} at y = {y}"
                )
        far = distances(tree)
        own = np.concatenate([far[tree.vinds[i]] for i in joints])
        s = np.linalg.svd(far[:, None] * (self.fixed + f.G) / own, compute_uv=False)
        if not s[-1] > DEPENDENT * s[0]:
            raise ModelError("function: the columns of its derivative G are dependent at the guess")

    def derivatives(self, y: np.ndarray) -> FormulaValues:
        """Return the function at one y, with its derivatives by the joints with one variable."""
        y = np.asarray(y)
        given = np.empty(len(y), dtype=object)
        given[:] = list(y)
        given[self.own_y] = variables(y[self.own_y])
        try:
            q = np.asarray(self.function(given), dtype=object)
        except (TypeError, AttributeError) as error:
            raise ModelError(
                f"function: it cannot be differentiated ({error}). It gets an array of numbers "
                "with derivatives: write it with arithmetic and NumPy's functions sin, cos, "
                "arctan2, sqrt, ..., without float(), abs() and functions of `math`"
            ) from error
        if q.shape != (self.NQ,):
            raise ModelError(
                f"function: want q of shape ({self.NQ},), an entry for each position variable of "
                f"the tree; got shape {q.shape} for y of shape {y.shape}"
            )
        n = len(self.own_y)
        value, *f = tensors(list(q), n)
        first, *more = (x[self.rows_q] for x in f)
        NV, nv = self.fixed.shape
        G = np.zeros((NV, nv), dtype=first.dtype)
        G[np.ix_(self.rows_v, self.own_v)] = first
        return FormulaValues(value, G, more)

    def configuration(self, y: Any) -> np.ndarray:
        """Return the tree's q at y (..., NQ); a full q is returned as it is, if it obeys gamma."""
        y = np.asarray(y)
        full = y.shape[-1] == self.NQ and len(self.q_of_y) < self.NQ
        given, y = y, y[..., self.q_of_y] if full else y
        # complex numbers, which NumPy's arctan2 does not take, go as numbers with derivatives
        at = self.function if y.dtype.kind == "f" else lambda x: self.derivatives(x).q
        q = np.array([np.asarray(at(x)) for x in y.reshape(-1, y.shape[-1])])
        q = q.reshape(*y.shape[:-1], self.NQ)
        if full and ((error := np.abs(given - q)) / self.lengths).max(initial=0) > ON:
            raise SpatialError(
                f"q: a configuration of the tree was given, which differs from gamma(y) by "
                f"{error.max():.3g}; want the variables {list(self.independent)}, or q = gamma(y)"
            )
        return given if full else q

    def jet(self, q: np.ndarray, yd: np.ndarray, ydd: np.ndarray) -> FormulaJet:
        """Return the motion of the tree at a configuration q that obeys the function."""
        return FormulaJet(self, q, yd, ydd)

    def describe(self) -> str:
        """Return how the joints are coupled, for `repr`."""
        return f"joints follow {getattr(self.function, '__name__', 'a function')}(y)"


class FormulaValues:
    """The function at one y: q, G, and derivatives of second to fourth order of the rows of joints
    with one variable.
    """

    def __init__(self, q: np.ndarray, G: np.ndarray, more: list[np.ndarray]) -> None:
        self.q, self.G, self.more = q, G, more


def _lines(model: Model, joints: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the entries in q and in qd of joints with one variable."""
    own = [i for i in joints if model.layout.joints[i].group is LINE]
    return (
        np.array([model.qinds[i].start for i in own], dtype=int),
        np.array([model.vinds[i].start for i in own], dtype=int),
    )


class FormulaJet(Dense):
    """The motion of a tree whose joints follow a function; see `pull_back.Jet`.

    With f2, f3, f4 the derivatives of the function, ``G_y = f2``, ``qd_yy = f3 yd``,
    ``qdd_yy = f3 ydd + f4 yd yd`` and so on, since joints with one variable commute.
    """

    def __init__(self, of: Formula, q: np.ndarray, yd: np.ndarray, ydd: np.ndarray) -> None:
        self.q, self.yd, self.ydd, lead = q, yd, ydd, q.shape[:-1]
        y = q[..., of.q_of_y]
        found = [of.derivatives(x) for x in y.reshape(-1, y.shape[-1])]

        def stacked(parts: list[np.ndarray], *shape: int) -> np.ndarray:
            return np.array(parts).reshape(*lead, *shape)

        NV, n = of.fixed.shape
        self.G = of.fixed + stacked([x.G for x in found], NV, n)
        self._f = []
        for k in range(3):
            parts = [x.more[k] for x in found]
            whole = np.zeros((*lead, NV, *[n] * (k + 2)), dtype=self.G.dtype)
            axes = [of.own_v] * (k + 2)
            core = stacked(parts, len(of.rows_v), *map(len, axes))
            place: Any = (..., *np.ix_(of.rows_v, *axes))
            whole[place] = core
            self._f.append(whole)

    def _along(self, f: np.ndarray, *motions: np.ndarray) -> np.ndarray:
        """Contract the last axes of f with motions."""
        for v in reversed(motions):
            n = f.ndim - v.ndim
            f = (f @ v.reshape(*v.shape[:-1], *[1] * (n - 1), v.shape[-1], 1))[..., 0]
        return np.asarray(f)

    @functools.cached_property
    def qd(self) -> np.ndarray:
        """Velocities of the tree."""
        return self._along(self.G, self.yd)

    @property
    def G_y(self) -> np.ndarray:
        """Derivatives of the columns of G along y."""
        return self._f[0]

    def bent(self, z: np.ndarray) -> np.ndarray:
        """Return ``sum_k z_k G_y[k]`` (..., n, n)."""
        return np.asarray(np.einsum("...k,...kij->...ij", z, self._f[0]))

    @functools.cached_property
    def g(self) -> np.ndarray:
        """Accelerations at ``ydd = 0``."""
        return self._along(self._f[0], self.yd, self.yd)

    @functools.cached_property
    def qdd(self) -> np.ndarray:
        """Accelerations of the tree."""
        return np.asarray(self._along(self.G, self.ydd) + self.g)

    @functools.cached_property
    def Gdot(self) -> np.ndarray:
        """Rate of G along the motion."""
        return self._along(self._f[0], self.yd)

    @property
    def qd_y(self) -> np.ndarray:
        """Derivatives of qd along y."""
        return self.Gdot

    @functools.cached_property
    def qdd_y(self) -> np.ndarray:
        """Derivatives of qdd along y."""
        return np.asarray(
            self._along(self._f[0], self.ydd) + self._along(self._f[1], self.yd, self.yd)
        )

    @property
    def qdd_v(self) -> np.ndarray:
        """Derivatives of qdd with respect to yd."""
        return 2 * self.Gdot

    @functools.cached_property
    def qd_yy(self) -> np.ndarray:
        """Second derivatives of qd along y."""
        return self._along(self._f[1], self.yd)

    @functools.cached_property
    def qdd_yy(self) -> np.ndarray:
        """Second derivatives of qdd along y."""
        return np.asarray(
            self._along(self._f[1], self.ydd) + self._along(self._f[2], self.yd, self.yd)
        )

    @property
    def qdd_yv(self) -> np.ndarray:
        """Derivatives of qdd along y and with respect to yd."""
        return 2 * self.qd_yy

    @property
    def qdd_vv(self) -> np.ndarray:
        """Second derivatives of qdd with respect to yd."""
        return 2 * self._f[0]
