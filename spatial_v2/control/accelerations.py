"""Forward dynamics with its derivatives, free or under constraints."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from derivatives import (
    FD_derivatives,
    KKT_FO_derivatives,
    modFD_second_derivatives,
    modKKT_second_derivatives,
)
from spatial_v2.arrays import Array, block, constant, namespace
from spatial_v2.constraints import KKT_FD
from spatial_v2.constraints.ConstraintSet import constraint_set
from spatial_v2.control.options import Dynamics
from spatial_v2.dynamics import FDab
from spatial_v2.model import Model

__all__ = ["Accelerations"]


class Accelerations:
    """Joint accelerations a(q, qd, tau) of a model.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    **dynamics : Dynamics
        Constraints, their gains, and external forces; see `time_step`.
    """

    def __init__(self, model: Model, **dynamics: Unpack[Dynamics]) -> None:
        self.model = model
        self.held = constraint_set(model, dynamics.get("constraints", ()))
        kept = ("f_ext", "frame", "baumgarte", "damping") if self.held.m else ("f_ext", "frame")
        self.options: dict[str, Any] = {x: dynamics[x] for x in kept if x in dynamics}  # type: ignore[literal-required]

    def __call__(self, q: Array, qd: Array, tau: Array) -> Array:
        """Compute the joint accelerations, shape (..., NV)."""
        if not self.held.m:
            return FDab(self.model, q, qd, tau, **self.options)
        return KKT_FD(self.model, q, qd, tau, self.held, **self.options)[0]

    def blocks(self, q: Array, qd: Array, tau: Array) -> tuple[Array, Array, Array]:
        """Compute the derivatives of a with respect to q, qd and tau, each (..., NV, NV)."""
        if not self.held.m:
            d: Any = FD_derivatives(self.model, q, qd, tau, **self.options)
        else:
            d = KKT_FO_derivatives(self.model, q, qd, tau, self.held, **self.options)
        return d.dqdd_dq, d.dqdd_dqd, d.dqdd_dtau

    def jacobian(self, q: Array, qd: Array, tau: Array) -> Array:
        """Compute the derivatives with respect to q, qd and tau as one matrix (..., NV, 3 NV)."""
        return block(self.blocks(q, qd, tau))

    def second(
        self, q: Array, qd: Array, tau: Array, mu: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Compute blocks of the ordered Hessian of ``mu . a``: q q, q qd, qd qd and tau q."""
        if not self.held.m:
            d: Any = modFD_second_derivatives(self.model, q, qd, tau, mu, **self.options)
        else:
            nu = constant(np.zeros(self.held.m), mu) + 0 * mu[..., :1]
            d = modKKT_second_derivatives(self.model, q, qd, tau, mu, nu, self.held, **self.options)
        by_qd = namespace(q, qd, tau, mu).matrix_transpose(d.H_qdq)
        return d.H_qq, by_qd, d.H_qdqd, d.H_tauq

    def hessian(self, q: Array, qd: Array, tau: Array, mu: Array) -> Array:
        """Compute the ordered Hessian of ``mu . a`` in [q, qd, tau], shape (..., 3 NV, 3 NV)."""
        T = namespace(q, qd, tau, mu).matrix_transpose
        qq, by_qd, qdqd, tauq = self.second(q, qd, tau, mu)
        zero = 0 * qdqd
        return block((qq, by_qd, T(tauq)), (T(by_qd), qdqd, zero), (tauq, zero, zero))
