"""The constraint rows of several constraints in a state, stacked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from spatial_v2.arrays import Array, namespace, objects, real_part
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.rank_texts import Named
from spatial_v2.constraints.residual import Gains, Residual, Wanted
from spatial_v2.constraints.vectors import first, second
from spatial_v2.dynamics.smallest_pivots import smallest_pivots
from spatial_v2.model.scale import distances

__all__ = ["Relation", "Rows", "RowsOfOne", "behind"]

_OF_PAIRS = {"G_q", "alpha_qq", "alpha_qv", "alpha_vv", "e_qq"}
_ERRORS = {"e", "e_q", "e_qq"}


def behind(name: str) -> int:
    """Return the number of last axes of a quantity that belong to variables: 2 for second
    derivatives and derivatives of the Jacobian, else 1.
    """
    return 2 if name in _OF_PAIRS else 1


class RowsOfOne(Protocol):
    """The rows of one constraint in a state; quantities have the names of `PointEnd`."""

    @property
    def e(self) -> Array:
        """Position error, one column."""

    @property
    def e_q(self) -> Array:
        """Derivatives of the position error with respect to q."""

    @property
    def e_qq(self) -> Array:
        """Second derivatives of the position error with respect to q."""

    def get(self, name: str) -> Array:
        """Return a quantity by name: velocity ``w``, acceleration ``alpha``, Jacobian ``G`` or a
        derivative of them.
        """

    def G_qq(self, weight: Array) -> Array:
        """Return the second derivative of the Jacobian G with respect to q, summed over the rows
        with weights (..., m).
        """

    @property
    def reach(self) -> np.ndarray:
        """Upper bounds (..., m) of the squared lengths of the rows of the Jacobian G; see
        `Rows.sizes`.
        """


class Relation(Protocol):
    """A constraint resolved for a model: bodies by number, frames or points relative to them."""

    @property
    def body1(self) -> int:
        """The first body, or -1."""

    @property
    def body2(self) -> int:
        """The second body, or -1."""

    @property
    def own(self) -> int:
        """Code of the axes of the rows: 0 for those of frame 1, 1 for frame 2, -1 for the base."""

    @property
    def m(self) -> int:
        """Number of constraint rows."""

    @property
    def directions(self) -> Array:
        """Directions of the rows (m, 6), or (m, 3) for points, in the axes that `own` names.

        In axes of the base, the linear entries come first.
        """

    @property
    def frames(self) -> tuple[Array, Array]:
        """Transforms from the bodies to the frames, or points, at both ends."""

    @property
    def compiled(self) -> bool:
        """True if kernels can compute the rows."""

    @property
    def compiled_error(self) -> int:
        """Highest order of derivatives of the position error that kernels compute; -1 for none."""

    def check_place(self) -> None:
        """Raise an error unless the position error is defined."""

    def at(self, motions: Motions) -> RowsOfOne:
        """Return the constraint rows in a state."""


class Rows(Residual):
    """The constraint rows of several constraints in a state, in the order of the constraints.

    Attributes are the columns ``w, alpha, e`` (velocity, acceleration, position error) of shape
    (..., m, 1), the Jacobian ``G`` and first derivatives ``w_q, alpha_q, alpha_qd, e_q`` (..., m,
    NV), and second derivatives ``G_q, alpha_qq, alpha_qv, alpha_vv, e_qq`` (..., m, NV, NV). See
    `PointEnd` and `FrameRelation`.
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
        parts = [getattr(x, name) if name in _ERRORS else x.get(name) for x in self.parts]
        if not parts:
            one = slice(1) if name in ("w", "alpha", "e") else slice(None)
            none = self.like[..., :0, one]
            return none if n == 1 else first(none) * second(none)
        return parts[0] if len(parts) == 1 else xp.concat(parts, axis=-1 - n)

    def at_rest(self, qdd: Array) -> Rows:
        """Return the rows in the same configuration, at zero velocity, with other accelerations."""
        of = self.motions
        return Rows(self.relations, Motions(of.model, of.q, 0 * of.qd, qdd))

    @property
    def has_no_sizes(self) -> bool:
        """True where numbers cannot be compared: symbols, and arrays that a library traces."""
        return is_foreign(self.G) or namespace(self.G) is objects

    @property
    def distances(self) -> np.ndarray | None:
        """The distance that a unit of each velocity variable stands for; None for symbols."""
        if self.has_no_sizes:
            return None
        return distances(self.motions.model)

    @property
    def named(self) -> Named:
        """Names of constraints and joints, for messages."""
        return Named(self.m, self.motions.model)

    @property
    def motion(self) -> Array:
        """The joint velocities qd of the state."""
        return self.motions.qd

    @property
    def sizes(self) -> np.ndarray | None:
        """Squared lengths of the rows of the Jacobian G relative to upper bounds for them, real
        numbers (..., m).

        A row that is zero in theory has about 1e-32 here, because of rounding errors. For symbolic
        arrays the value is None.
        """
        if self.has_no_sizes:
            return None
        G = np.asarray(real_part(self.G))
        square = (G * G).sum(axis=-1)
        parts = zip(self.parts, self.m, strict=True)
        reach = [np.broadcast_to(x.reach, (*square.shape[:-1], m)) for x, m in parts]
        most = np.concatenate([square[..., :0], *reach], axis=-1)
        return np.asarray(square / np.where(most > 0, most * self.stretch, 1.0))

    @property
    def stretch(self) -> float:
        """The factor by which squared lengths of rows may exceed the bounds `reach`."""
        return 1.0

    @property
    def least_pivots(self) -> np.ndarray | None:
        """Sizes (..., NV) up to which pivots of the inertia matrix are rounding errors; None for
        symbols.
        """
        if self.has_no_sizes:
            return None
        return np.asarray(smallest_pivots(self.motions.model, np.real(self.motions.q)))

    def G_qq(self, weight: Array) -> Array:
        """Return the second derivative (..., NV, NV, NV) of the Jacobian G with respect to q,
        summed over the rows with weights (..., m).
        """
        one, k = self.like[..., 0, :], 0
        total = 0 * one[..., :, None, None] * one[..., None, :, None] * one[..., None, None, :]
        for part, m in zip(self.parts, self.m, strict=True):
            total = total + part.G_qq(weight[..., k : k + m])
            k += m
        return total
