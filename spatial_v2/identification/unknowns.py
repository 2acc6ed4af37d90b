"""Unknowns of identification: inertial parameters of links, friction, armature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.numbers import check_switch
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = ["Unknowns", "as_terms"]

FRICTION = ("viscous", "coulomb")


class Unknowns(NamedTuple):
    """Unknowns of an identification: inertial parameters of all links, then NV entries for each
    other term.
    """

    model: Model
    terms: tuple[str, ...]
    """Other terms: some of ``viscous``, ``coulomb``, ``armature``, in this order."""

    @property
    def links(self) -> int:
        """Number of inertial parameters."""
        return 10 * self.model.NB

    @property
    def n(self) -> int:
        """Number of all unknowns."""
        return self.links + len(self.terms) * self.model.NV

    def of_forces(self) -> list[np.ndarray]:
        """Return, for each joint force, the indices of the unknowns that affect it.

        They are the parameters of the bodies beyond the joint, and the terms of the joint itself.

        Examples
        --------
        >>> from spatial_v2.models import autoTree
        >>> Unknowns(autoTree(2), ("viscous",)).of_forces()[1]
        array([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21])
        """
        model, found = self.model, []
        for j, body in enumerate(model.body_of_v):
            beyond = np.zeros(model.NB, bool)
            for i, p in enumerate(model.parent.tolist()):
                beyond[i] = i == body or (p >= 0 and beyond[p])
            own = [self.links + t * model.NV + j for t in range(len(self.terms))]
            found.append(np.append(np.flatnonzero(np.repeat(beyond, 10)), own).astype(int))
        return found

    def regressors(self, qd: np.ndarray, qdd: np.ndarray) -> list[np.ndarray]:
        """Return the regressors of friction and armature: qd, sign(qd) and qdd."""
        made = {"viscous": qd, "coulomb": np.sign(qd), "armature": qdd}
        return [made[term] for term in self.terms]

    def names(self) -> list[str]:
        """Return the names of the unknown friction and armature coefficients."""
        return [f"{term}{j}" for term in self.terms for j in range(self.model.NV)]

    def part(self, x: np.ndarray, term: str) -> np.ndarray:
        """Return the entries (NV,) of the unknowns x that belong to a friction term or to armature;
        zeros if that term is not identified.
        """
        NV = self.model.NV
        if term not in self.terms:
            return np.zeros(NV)
        start = self.links + self.terms.index(term) * NV
        return x[start : start + NV]


def as_terms(friction: Any, armature: bool) -> tuple[str, ...]:
    """Convert the options `friction` and `armature` to the names of the terms to identify.

    Examples
    --------
    >>> as_terms("viscous", True)
    ('viscous', 'armature')
    """
    if isinstance(friction, (bool, np.bool, type(None))):
        friction = FRICTION if friction else ()
    several = np.iterable(friction) and not isinstance(friction, str)
    wanted: Sequence[Any] = list(friction) if several else [friction]
    for word in wanted:
        if not isinstance(word, str) or word not in FRICTION:
            raise SpatialError(
                f"friction: want True, False, 'viscous', 'coulomb' or several of them, got {word!r}"
            )
    check_switch("armature", armature)
    return (*[x for x in FRICTION if x in wanted], *["armature"] * bool(armature))
