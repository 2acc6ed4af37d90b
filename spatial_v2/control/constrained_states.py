"""Constrained dynamics in many states: values and derivatives that share their common parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives import ID_derivatives, modID_second_derivatives
from derivatives.constrained import at_solution
from derivatives.modKKT_second_derivatives import hessian_blocks
from spatial_v2.calls.blocks import batch_slices
from spatial_v2.constraints import KKT_FD
from spatial_v2.constraints.compiled_rows import CompiledSet
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.residual import Gains
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.model import Model

__all__ = ["ConstrainedStates"]

ROOM = 1 << 20
"""Maximum number of entries in the arrays of a block of states, so that they stay in the cache."""
MOST = 16
"""Largest number of blocks whose intermediate results are kept; together they take 128 megabytes.
"""


class Block:
    """Some of the states, with their accelerations and the forces of the constraints."""

    def __init__(
        self, model: Model, held: CompiledSet, damping: float, gains: Gains | None,
        state: list[np.ndarray],
    ) -> None:  # fmt: skip
        self.model, self.state = model, state
        q, qd, _, qdd, lambda_ = state
        at = at_solution(model, q, qd, qdd, lambda_, held, damping, gains, "nan")
        self.rows, self.kkt, G_q = at
        self.first = self.rows.first(self.kkt, G_q, *ID_derivatives(model, q, qd, qdd))

    def second(self, mu: np.ndarray) -> tuple[np.ndarray, ...]:
        """Compute four blocks of the Hessian of ``mu . qdd``, the accelerations weighted by mu:
        with respect to (q, q), (qd, qd), (qd, q) and (tau, q).
        """
        q, qd, _, qdd, lambda_ = self.state
        x, y = self.kkt.solve(mu[..., None], np.zeros((*lambda_.shape, 1)))
        w, z = x[..., 0], -y[..., 0]
        ID2 = modID_second_derivatives(self.model, q, qd, qdd, w)
        return hessian_blocks(self.model, q, lambda_, self.rows, self.first, ID2, w, z)


class ConstrainedStates:
    """Accelerations under constraints in N states, contiguous arrays (N, n); derivatives exist only
    where the constraint rows are independent.

    The results are those of `KKT_FD`, `KKT_FO_derivatives` and `modKKT_second_derivatives`. Here
    each order of derivatives reuses the intermediate results of the order below.
    """

    def __init__(
        self, model: Model, held: ConstraintSet, damping: float, gains: Gains | None,
        q: np.ndarray, qd: np.ndarray, tau: np.ndarray,
    ) -> None:  # fmt: skip
        self.model, self.held, self.how = model, CompiledSet(held, True), (damping, gains)
        self.state = [q, qd, tau]
        B = len(self.state[0])
        found, fill = [np.empty((B, model.NV)), np.empty((B, held.m))], KKT_FD.work.composed
        assert fill is not None
        fill(model, [*self.state, NO_FORCE, NO_FORCE], found, True, held, *self.how, "nan")
        self.state += found
        self.blocks: list[tuple[slice, Block]] = []

    @property
    def values(self) -> np.ndarray:
        """The accelerations, shape (N, NV)."""
        return self.state[3]

    @np.errstate(all="ignore")
    def first(self) -> list[np.ndarray] | None:
        """Compute the derivatives (N, NV, NV) of the accelerations with respect to q, qd and tau;
        None if constraint rows are dependent or there are too many states to keep.
        """
        self.blocks, size = [], size_of(self.model.NV, self.held.m, 3 * self.model.NV)
        parts = list(batch_slices(len(self.state[0]), size, ROOM))
        if len(parts) > MOST:
            return None
        for part in parts:
            state = [x[part] for x in self.state]
            self.blocks.append((part, Block(self.model, self.held, *self.how, state)))
        if not self.held.regular:
            self.blocks = []
            return None
        return self._joined([x.first[:3] for _, x in self.blocks])

    @np.errstate(all="ignore")
    def second(self, mu: np.ndarray) -> list[np.ndarray]:
        """Compute four blocks of the Hessian of ``mu . qdd``, the accelerations weighted by mu:
        with respect to (q, q), (qd, qd), (qd, q) and (tau, q). Call `first` before.
        """
        return self._joined([x.second(mu[part]) for part, x in self.blocks])

    def _joined(self, blocks: Any) -> list[np.ndarray]:
        return list(
            blocks[0] if len(blocks) == 1 else map(np.concatenate, zip(*blocks, strict=True))
        )
