"""Constrained dynamics of models with rotors in many states, composed of several kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from derivatives import ID_derivatives, modID_second_derivatives
from derivatives.constrained import at_solution
from derivatives.modKKT_second_derivatives import hessian_blocks
from spatial_v2.constraints.compiled_rows import CompiledSet
from spatial_v2.control.constrained_states import ConstrainedStates

__all__ = ["GearedStates"]


class GearedStates(ConstrainedStates):
    """As `ConstrainedStates`, for models with rotors, which its kernels do not see."""

    @np.errstate(all="ignore")
    def first(self) -> list[np.ndarray] | None:
        """Return the derivatives of the accelerations; see `ConstrainedStates.first`."""
        q, qd, _ = self.state
        evaluator, how = CompiledSet(self.held, True), (*self.options[:2], "nan")
        at = at_solution(self.model, q, qd, self.values, self.lambda_, evaluator, *how)
        self.constrained, self.kkt, G_q = at
        dynamics = ID_derivatives(self.model, q, qd, self.values)
        self.derivatives = self.constrained.first(self.kkt, G_q, *dynamics)
        return self.derivatives[:3] if evaluator.regular else None

    @np.errstate(all="ignore")
    def second(self, mu: np.ndarray) -> Sequence[np.ndarray]:
        """Compute blocks of the Hessian of ``mu . qdd``; see `ConstrainedStates.second`."""
        q, qd, _ = self.state
        x, y = self.kkt.solve(mu[..., None], np.zeros((*self.lambda_.shape, 1)))
        w, z = x[..., 0], -y[..., 0]
        ID2 = modID_second_derivatives(self.model, q, qd, self.values, w)
        rows, first = self.constrained, self.derivatives
        return hessian_blocks(self.model, q, self.lambda_, rows, first, ID2, w, z)
