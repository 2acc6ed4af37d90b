"""MATLAB's constraint function ``gamma_q`` as a function of independent joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_v2.configuration import neutral
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model

__all__ = ["ConstraintFunction", "independent_joints"]


@dataclass(frozen=True, eq=False)
class ConstraintFunction:
    """The positions q of ``[q, qd, G, g] = gamma_q(model, q0, qd0)``, by the independent ones.

    Its stabilisation g is not used: q obeys the constraint exactly.
    """

    model: Model
    """The model with the function."""
    own: tuple[int, ...]
    """Entries of q of the independent joints."""

    @classmethod
    def of(cls, model: Model, joints: list[int]) -> ConstraintFunction:
        """Return the function of the positions of some joints."""
        own = [k for i in sorted(joints) for k in range(model.qinds[i].start, model.qinds[i].stop)]
        return cls(model, tuple(own))

    def __call__(self, y: Any) -> Any:
        """Return the tree's q at y, an array of any kind of numbers."""
        q = neutral(self.model).astype(y.dtype)
        q[list(self.own)] = y
        return self.model.gamma_q(self.model, q, np.zeros(self.model.NV))[0]


def independent_joints(model: Model) -> list[int]:
    """Return the joints whose variables are y, by the rows of the function's matrix G.

    Raises
    ------
    ModelError
        The rows of G contain no identity of whole joints.
    """
    G = np.asarray(model.gamma_q(model, neutral(model), np.zeros(model.NV))[2], dtype=float)
    joints: list[int] = []
    column = 0
    for i in range(model.NB):
        rows, n = G[model.vinds[i]], model.nv[i]
        if column + n <= G.shape[1] and np.array_equal(rows, np.eye(n, G.shape[1], column)):
            joints.append(i)
            column += n
    if column < G.shape[1]:
        raise ModelError(
            "gamma_q: the rows of its matrix G contain no identity, so that y are not the "
            "positions of joints; want independent=[...], the names of joints that determine q"
        )
    return joints
