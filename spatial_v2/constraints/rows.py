"""The rows of several constraints in a state, as one set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from spatial_v2.arrays import Array, namespace, objects, real_part
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.residual import Gains, Residual, Wanted
from spatial_v2.constraints.vectors import first, second

__all__ = ["Relation", "Rows", "RowsOfOne", "behind"]

_OF_PAIRS = {"G_q", "alpha_qq", "alpha_qv", "alpha_vv", "e_qq"}


def behind(name: str) -> int:
    """Number of axes after the rows of a quantity: velocity variables, or one column."""
    return 2 if name in _OF_PAIRS else 1


class RowsOfOne(Protocol):
    """The rows of one constraint in a state; quantities are named as in `PointEnd`."""

    @property
    def e(self) -> Array:
        """Position error, one column."""

    @property
    def e_q(self) -> Array:
        """Its derivatives along q."""

    @property
    def e_qq(self) -> Array:
        """Its second derivatives along q."""

    def get(self, name: str) -> Array:
        """``w``, ``alpha``, ``G`` or a derivative of theirs."""

    def G_qq(self, weight: Array) -> Array:
        """Sum over the rows of weight (..., m) times the second derivative of G."""

    @property
    def reach(self) -> np.ndarray:
        """Squared lengths (..., m) that the rows could have at most: those of their factors."""


class Relation(Protocol):
    """A constraint of a model."""

    @property
    def body1(self) -> int:
        """The first body, or -1."""

    @property
    def body2(self) -> int:
        """The second body, or -1."""

    @property
    def own(self) -> int:
        """The end, 0 or 1, whose axes the rows have, or -1 for those of the base."""

    @property
    def m(self) -> int:
        """Number of rows."""

    @property
    def directions(self) -> Array:
        """Rows (m, 6), or (m, 3) of points, in these axes; of the base's linear entries first."""

    @property
    def frames(self) -> tuple[Array, Array]:
        """Transforms from the bodies to the frames, or points, at both ends."""

    @property
    def compiled(self) -> bool:
        """True if kernels know its rows."""

    @property
    def compiled_error(self) -> int:
        """The order of the derivatives of the position error that kernels have, -1 for none."""

    def check_place(self) -> None:
        """Raise an error unless the position error is defined."""

    def at(self, motions: Motions) -> RowsOfOne:
        """The rows in a state."""


class Rows(Residual):
    """The rows of constraints in a state, those of each behind those of the one before.

    Attributes (..., m, n) or (..., m, n, n) are columns ``w, alpha, e`` (n = 1), their derivatives
    ``w_q, alpha_q, alpha_qd, e_q``, the Jacobian ``G``, and of pairs ``G_q, alpha_qq, alpha_qv,
    alpha_vv, e_qq``; see `PointEnd` and `FrameRelation`.
    """

    def __init__(
        self, relations: Sequence[Relation], motions: Motions, gains: Wanted = None
    ) -> None:
        self.gains = None if gains is None else Gains(*gains)
        self.parts = [relation.at(motions) for relation in relations]
        self.relations, self.motions, self.like = relations, motions, motions.S
        self.m = [relation.m for relation in relations]

    def __getattr__(self, name: str) -> Array:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "e":
            for relation in self.relations:
                relation.check_place()
        n, xp = behind(name), namespace(self.like)
        parts = [getattr(x, name) if name[0] == "e" else x.get(name) for x in self.parts]
        if not parts:
            one = slice(1) if name in ("w", "alpha", "e") else slice(None)
            none = self.like[..., :0, one]
            return none if n == 1 else first(none) * second(none)
        return parts[0] if len(parts) == 1 else xp.concat(parts, axis=-1 - n)

    def at_rest(self, qdd: Array) -> Rows:
        """The rows in the same configuration at rest, with other accelerations and no gains."""
        of = self.motions
        return Rows(self.relations, Motions(of.model, of.q, 0 * of.qd, qdd))

    @property
    def motion(self) -> Array:
        """The velocities qd of the state."""
        return self.motions.qd

    @property
    def sizes(self) -> np.ndarray | None:
        """Squared lengths of the rows of G over those that they could have, real numbers (..., m).

        Rounding makes some 1e-32 of a row whose products cancel. Of symbols None.
        """
        if is_foreign(self.like) or namespace(self.like) is objects:
            return None
        G = np.asarray(real_part(self.G))
        square = (G * G).sum(axis=-1)
        parts = zip(self.parts, self.m, strict=True)
        reach = [np.broadcast_to(x.reach, (*square.shape[:-1], m)) for x, m in parts]
        most = np.concatenate([square[..., :0], *reach], axis=-1)
        return np.asarray(square / np.where(most > 0, most, 1.0))

    def G_qq(self, weight: Array) -> Array:
        """Sum over the rows of weight (..., m) times the second derivative of G: (..., v, v, v)."""
        total, k = 0 * self.like[..., 0, :, None, None] * self.like[..., 0, None, :, None], 0
        for part, m in zip(self.parts, self.m, strict=True):
            total = total + part.G_qq(weight[..., k : k + m])
            k += m
        return total
