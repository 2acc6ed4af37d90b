"""Constraint rows of coupled models: those of the tree, along the independent variables.

The tree moves by ``q = G y + c`` with a constant matrix G. The rows are functions of its motion, so
each axis of velocity variables of a Jacobian or derivative is multiplied by G.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.rank_texts import Named
from spatial_v2.constraints.residual import Wanted
from spatial_v2.constraints.rows import Relation, Rows, behind
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.linear import entries_of
from spatial_v2.dynamics.smallest_pivots import smallest_pivots
from spatial_v2.model import Model
from spatial_v2.model.scale import distances

__all__ = ["CoupledRows", "distances_of"]

_COLUMNS = {"w", "alpha", "e"}


class CoupledRows(Rows):
    """The rows of `Rows`, for a coupled model with linear couplings.

    Parameters
    ----------
    model : CoupledModel
        The coupled model.
    relations : sequence of Relation
        Constraints, resolved for its tree.
    y, yd, ydd : array, shapes (..., NQ), (..., NV), (..., NV)
        Independent positions, velocities and accelerations.
    gains : tuple, optional
        Baumgarte gains.
    """

    def __init__(
        self, model: CoupledModel, relations: Sequence[Relation], y: Array, yd: Array, ydd: Array,
        gains: Wanted = None,
    ) -> None:  # fmt: skip
        G = model.coupling
        of_tree = Motions(model.tree, G.configuration(y), G.motion(yd), G.motion(ydd))
        super().__init__(relations, of_tree, gains)
        self.model, self.y, self.yd = model, y, yd
        self.like = self._pulled(self.motions.S, 1)

    def _pulled(self, x: Array, axes: int) -> Array:
        return self.model.coupling.pull_back(x, ("v",) * axes)

    def __getattr__(self, name: str) -> Array:
        x = super().__getattr__(name)
        return x if name in _COLUMNS or not self.parts else self._pulled(x, behind(name))

    def at_rest(self, qdd: Array) -> Rows:
        return CoupledRows(self.model, self.relations, self.y, 0 * self.yd, qdd)

    @property
    def distances(self) -> np.ndarray | None:
        return None if super().distances is None else distances_of(self.model)

    @property
    def named(self) -> Named:
        return Named(self.m, self.model)

    @property
    def motion(self) -> Array:
        return self.yd

    @property
    def stretch(self) -> float:
        return float(np.linalg.norm(self.model.coupling.matrix, 2) ** 2)

    @property
    def least_pivots(self) -> np.ndarray | None:
        of_tree = super().least_pivots
        return of_tree if of_tree is None else smallest_pivots(self.model, np.real(self.y))

    def G_qq(self, weight: Array) -> Array:
        return self._pulled(Rows(self.relations, self.motions).G_qq(weight), 3)


def distances_of(model: Model) -> np.ndarray:
    """Return `model.scale.distances`; for a variable of a coupled model, that of its own joint, or
    the largest distance that a unit of it moves a joint.

    Examples
    --------
    >>> from spatial_v2 import autoTree, couple
    >>> distances_of(couple(autoTree(2), matrix=[[2.0], [-3.0]]))
    array([3.])
    """
    if not isinstance(model, CoupledModel):
        return distances(model)
    of_tree = distances(model.tree)
    if not model.is_linear:
        joints = map(model.tree.joint, model.joint_names)
        return np.concatenate([of_tree[model.tree.vinds[i]] for i in joints])
    own = entries_of(model.coupling.matrix).rows
    moved = np.abs(model.coupling.matrix) * of_tree[:, None]
    return np.asarray(np.where(own >= 0, of_tree[own], moved.max(axis=0)))
