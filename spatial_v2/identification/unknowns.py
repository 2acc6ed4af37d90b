"""Unknowns of identification: inertial parameters of links, friction, offsets, armature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.numbers import check_switch
from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.couplings.free import free_tree, moved, pulled_back
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.identification.natural_units import force_units
from spatial_v2.model import Model
from spatial_v2.model.frame import find_frame
from spatial_v2.model.joint_terms import spring_forces

__all__ = ["TERMS", "Unknowns", "as_bodies", "as_terms"]

FRICTION = ("viscous", "coulomb")
TERMS = {"viscous": "damping", "coulomb": "friction", "offset": None, "armature": "armature"}
"""Terms of a joint force, and the fields of a model that have their values."""


class Unknowns(NamedTuple):
    """Unknowns of an identification: inertial parameters of some links, then for each other term an
    entry for every velocity variable of the tree.
    """

    model: Model
    terms: tuple[str, ...]
    """Other terms: some of `TERMS`, in this order."""
    bodies: np.ndarray
    """Numbers of the links with unknown parameters."""

    @property
    def NV(self) -> int:
        """Number of velocity variables of the tree."""
        return free_tree(self.model).NV

    @property
    def links(self) -> int:
        """Number of unknown inertial parameters."""
        return 10 * len(self.bodies)

    @property
    def n(self) -> int:
        """Number of all unknowns."""
        return self.links + len(self.terms) * self.NV

    def columns(self) -> np.ndarray:
        """Return the columns of the regressor that belong to unknown parameters of links."""
        return np.ravel(10 * self.bodies[:, None] + np.arange(10)).astype(int)

    def of_forces(self) -> list[np.ndarray]:
        """Return, for each joint force, the indices of the unknowns that affect it.

        They are the parameters of the bodies beyond the joint, and the terms of the joint itself,
        for each joint that moves with the variable.

        Examples
        --------
        >>> from spatial_v2.models import autoTree
        >>> Unknowns(autoTree(2), ("viscous",), np.arange(2)).of_forces()[1]
        array([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21])
        """
        tree, columns = free_tree(self.model), []
        for moving in _moving(self.model).T:
            beyond = np.isin(np.arange(tree.NB), tree.body_of_v[moving])
            for i, p in enumerate(tree.parent.tolist()):
                beyond[i] |= p >= 0 and beyond[p]
            own = np.flatnonzero(np.tile(moving, len(self.terms)))
            links = np.flatnonzero(np.repeat(beyond[self.bodies], 10))
            columns.append(np.append(links, self.links + own).astype(int))
        return columns

    def regressors(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return the regressor (m, NV, n - links) of the other terms, of which each joint has its
        own: qd, sign(qd), 1 and qdd, pulled back.
        """
        _, qd, qdd, G = moved(self.model, q, qd, qdd)
        made = {"viscous": qd, "coulomb": np.sign(qd), "offset": np.ones_like(qd), "armature": qdd}
        parts = [np.matrix_transpose(G) * made[term][..., None, :] for term in self.terms]
        return np.concatenate([np.zeros((*np.shape(qd)[:-1], G.shape[-1], 0)), *parts], axis=-1)

    def known_forces(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return the joint forces of the model's springs, and of its friction and armature that are
        not identified.
        """
        tree, (p, v, a, _) = free_tree(self.model), moved(self.model, q, qd, qdd)
        made = {"viscous": v, "coulomb": np.sign(v), "armature": a}
        known = [made[x] * self.of_model(x) for x in made if x not in self.terms]
        of_tree = sum(known, np.zeros_like(v) + spring_forces(tree, p))
        return np.asarray(pulled_back(self.model, q, of_tree))

    def of_model(self, term: str) -> np.ndarray:
        """Return the values (NV,) of a term in the model, zeros if it has none."""
        field = TERMS[term]
        values = None if field is None else getattr(free_tree(self.model), field)
        return np.zeros(self.NV) if values is None else np.asarray(values, dtype=np.float64)

    def units(self, length: float) -> np.ndarray:
        """Return units (n,) of the unknowns without those of mass and time, so that the regressors
        of unknowns of one kind can be compared, for a unit of length.
        """
        force = force_units(free_tree(self.model), length)
        links = np.tile(np.repeat([1.0, length, length**2], [1, 3, 6]), len(self.bodies))
        of = {"viscous": force**2, "coulomb": force, "offset": force, "armature": force**2}
        return np.concatenate([links, *(of[term] for term in self.terms)])

    def kinds(self) -> np.ndarray:
        """Return a number (n,) for each unknown: 0 for links, then one for each other term."""
        return np.repeat(np.arange(len(self.terms) + 1), [self.links, *[self.NV] * len(self.terms)])

    def positive(self) -> np.ndarray:
        """Return a mask of the unknown terms that are not negative for a real robot."""
        return np.repeat([term != "offset" for term in self.terms], self.NV).astype(bool)

    def names(self) -> list[str]:
        """Return the names of the unknowns that are no parameters of links."""
        return [f"{term}{j}" for term in self.terms for j in range(self.NV)]

    def part(self, x: np.ndarray, term: str) -> np.ndarray:
        """Return the entries (NV,) of the unknowns x that belong to a term; those of the model if
        the term is not identified.
        """
        NV = self.NV
        if term not in self.terms:
            return self.of_model(term)
        start = self.links + self.terms.index(term) * NV
        return x[start : start + NV]


def _moving(model: Model) -> np.ndarray:
    """Return a mask (NV of the tree, NV): velocity variables of joints that move with each one."""
    if not isinstance(model, CoupledModel):
        return np.eye(model.NV, dtype=bool)
    if model.is_linear:
        return np.asarray(model.coupling.matrix != 0)
    return np.ones((model.tree.NV, model.NV), bool)


def as_bodies(model: Model, unknown: Any) -> np.ndarray:
    """Convert the option `unknown` to sorted numbers of bodies: names of bodies, or of frames on
    them, or numbers; None stands for all.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> as_bodies(autoTree(3), ["body2", 0])
    array([0, 2])
    """
    model = free_tree(model)
    if unknown is None:
        return np.arange(model.NB)
    single = isinstance(unknown, (str, int, np.integer))
    names = [unknown] if single or not np.iterable(unknown) else list(unknown)
    bodies = {find_frame(model, x, "unknown").body for x in names}
    if -1 in bodies:
        raise ModelError("unknown: the base has no parameters that joint forces depend on")
    return np.array(sorted(bodies), dtype=int)


def as_terms(friction: Any, armature: bool, offset: bool) -> tuple[str, ...]:
    """Convert the options `friction`, `armature` and `offset` to the names of terms to identify.

    Examples
    --------
    >>> as_terms("viscous", True, False)
    ('viscous', 'armature')
    """
    if isinstance(friction, (bool, np.bool, type(None))):
        friction = FRICTION if friction else ()
    several = np.iterable(friction) and not isinstance(friction, str)
    wanted: Sequence[Any] = list(friction) if several else [friction]
    for word in wanted:
        if not isinstance(word, str) or word not in FRICTION:
            hint = "; offset=True for constant forces" if word == "offset" else ""
            raise SpatialError(
                f"friction: want True, False, 'viscous', 'coulomb' or several of them, got "
                f"{word!r}{hint}"
            )
    check_switch("armature", armature)
    check_switch("offset", offset)
    chosen = {*wanted, *["armature"] * bool(armature), *["offset"] * bool(offset)}
    return tuple(x for x in TERMS if x in chosen)
