"""The rows of several constraints in a state, as one set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from spatial_v2.arrays import Array, namespace
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.vectors import first, second

__all__ = ["Relation", "Rows", "RowsOfOne", "behind"]

_OF_PAIRS = {"G_q", "alpha_qq", "alpha_qv", "alpha_vv", "e_qq"}


def behind(name: str) -> int:
    """How many axes of velocity variables, or of one column, a quantity of rows has."""
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
        """Rows (m, 6), or (m, 3) of points, in these axes."""

    @property
    def frames(self) -> tuple[Array, Array]:
        """Transforms from the bodies to the frames, or points, at both ends."""

    def check_place(self) -> None:
        """Whether the position error is defined; an error if it is not."""

    def at(self, motions: Motions) -> RowsOfOne:
        """The rows in a state."""


class Rows:
    """The rows of constraints in a state, those of each behind those of the one before.

    Attributes (..., m, n) or (..., m, n, n) are columns ``w, alpha, e`` (n = 1), their derivatives
    ``w_q, alpha_q, alpha_qd, e_q``, the Jacobian ``G``, and of pairs ``G_q, alpha_qq, alpha_qv,
    alpha_vv, e_qq``; see `PointEnd` and `FrameRelation`.
    """

    def __init__(self, relations: Sequence[Relation], motions: Motions) -> None:
        self.parts = [relation.at(motions) for relation in relations]
        self.m, self.like = [relation.m for relation in relations], motions.S

    def __getattr__(self, name: str) -> Array:
        if name.startswith("__"):
            raise AttributeError(name)
        n, xp = behind(name), namespace(self.like)
        parts = [getattr(x, name) if name[0] == "e" else x.get(name) for x in self.parts]
        if not parts:
            one = slice(1) if name in ("w", "alpha", "e") else slice(None)
            none = self.like[..., :0, one]
            return none if n == 1 else first(none) * second(none)
        return parts[0] if len(parts) == 1 else xp.concat(parts, axis=-1 - n)

    def G_qq(self, weight: Array) -> Array:
        """Sum over the rows of weight (..., m) times the second derivative of G: (..., v, v, v)."""
        total, k = 0 * self.like[..., 0, :, None, None] * self.like[..., 0, None, :, None], 0
        for part, m in zip(self.parts, self.m, strict=True):
            total = total + part.G_qq(weight[..., k : k + m])
            k += m
        return total
