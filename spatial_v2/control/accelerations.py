"""Forward dynamics with its derivatives, free or under constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from derivatives import (
    FD_derivatives,
    KKT_FO_derivatives,
    modFD_second_derivatives,
    modKKT_second_derivatives,
)
from spatial_v2.arrays import Array, block, constant, namespace
from spatial_v2.calls.kernels import run_batch
from spatial_v2.calls.loading import has_kernels
from spatial_v2.calls.options import get_workers
from spatial_v2.calls.prepare import geared_tree
from spatial_v2.calls.records import fill_results, kept_record
from spatial_v2.constraints import KKT_FD
from spatial_v2.constraints.ConstraintSet import constraint_set
from spatial_v2.constraints.options import as_gains
from spatial_v2.constraints.residual import Gains
from spatial_v2.control.constrained_states import ConstrainedStates
from spatial_v2.control.displacements import flat
from spatial_v2.control.geared_states import GearedStates
from spatial_v2.control.options import Dynamics
from spatial_v2.couplings import CoupledModel
from spatial_v2.dynamics import FDab
from spatial_v2.engine.constrained import KERNELS as CONSTRAINED
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = ["Accelerations", "States"]


class Accelerations:
    """Joint accelerations a(q, qd, tau) of a model, free or under constraints.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    **dynamics : Dynamics
        Constraints, their gains, and external forces; see `time_step`.
    """

    def __init__(self, model: Model, **dynamics: Unpack[Dynamics]) -> None:
        for name in dynamics:
            if name not in Dynamics.__annotations__:
                valid = ", ".join(Dynamics.__annotations__)
                raise TypeError(f"got an unexpected keyword argument {name!r}; there are {valid}")
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
        """Compute the derivatives of the accelerations with respect to q, qd and tau, each (...,
        NV, NV).
        """
        if not self.held.m:
            d: Any = FD_derivatives(self.model, q, qd, tau, **self.options)
        else:
            d = KKT_FO_derivatives(self.model, q, qd, tau, self.held, **self.options)
        return d.dqdd_dq, d.dqdd_dqd, d.dqdd_dtau

    def at(self, q: Array, qd: Array, tau: Array) -> States:
        """Return an object that computes the accelerations in given states and their derivatives
        there.
        """
        return States(self, q, qd, tau)

    def jacobian(self, q: Array, qd: Array, tau: Array) -> Array:
        """Compute the derivatives with respect to q, qd and tau as one matrix (..., NV, 3 NV)."""
        return block(self.blocks(q, qd, tau))

    def second(
        self, q: Array, qd: Array, tau: Array, mu: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Compute four blocks of the Hessian of the scalar ``mu . a``, the accelerations weighted
        by mu: with respect to (q, q), (q, qd), (qd, qd) and (tau, q), each (..., NV, NV). The block
        (q, q) is ordered: entry [j, k] is the derivative along q_k of the derivative along q_j.
        """
        if not self.held.m:
            d: Any = modFD_second_derivatives(self.model, q, qd, tau, mu, **self.options)
        else:
            nu = constant(np.zeros(self.held.m), mu) + 0 * mu[..., :1]
            d = modKKT_second_derivatives(self.model, q, qd, tau, mu, nu, self.held, **self.options)
        by_qd = namespace(q, qd, tau, mu).matrix_transpose(d.H_qdq)
        return d.H_qq, by_qd, d.H_qdqd, d.H_tauq

    def hessian(self, q: Array, qd: Array, tau: Array, mu: Array) -> Array:
        """Compute the Hessian of the scalar ``mu . a``, the accelerations weighted by mu, with
        respect to [q, qd, tau], shape (..., 3 NV, 3 NV). It is not symmetric if displacements of a
        joint do not commute.
        """
        T = namespace(q, qd, tau, mu).matrix_transpose
        qq, by_qd, qdqd, tauq = self.second(q, qd, tau, mu)
        zero = 0 * qdqd
        return block((qq, by_qd, T(tauq)), (T(by_qd), qdqd, zero), (tauq, zero, zero))


class States:
    """Accelerations in given states (..., n) of float64 arrays.

    Derivatives reuse the intermediate results of the values.
    """

    def __init__(self, a: Accelerations, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> None:
        self.a, self.lead = a, q.shape[:-1]
        self.state = [flat(x) for x in (q, qd, tau)]
        self.shared: ConstrainedStates | None = None
        self.first: list[np.ndarray] = []
        """Accelerations, and their derivatives with respect to q, qd and tau."""

    def values(self, ahead: bool = False) -> np.ndarray:
        """Compute the accelerations, shape (..., NV); if `ahead`, derivatives will be needed."""
        a, how, (q, qd, tau) = self.a, dict(self.a.options), self.state
        compiled = a.held.m and has_kernels(*CONSTRAINED, "KKT_hessian")
        if not (compiled and how.pop("rank", "raise") == "nan"):
            self.first = [np.asarray(a(*self.state))]
            return self._own(self.first[0])
        damping, gains = how.pop("damping", 0.0), how.pop("baumgarte", None)
        if gains is not None and not isinstance(gains, Gains):
            gains = a.options["baumgarte"] = Gains(
                *map(np.ascontiguousarray, as_gains(gains, a.held.m))
            )
        known = gains is None or a.held.compiled_errors(gains.Kp, 2)
        if how or not (known and a.held.is_plain and a.model.checked().real):
            return self._own(np.asarray(a(*self.state)))
        kind = GearedStates if a.model.has_rotors else ConstrainedStates
        self.shared = kind(a.model, a.held, damping, gains, q, qd, tau, ahead)
        return self._own(self.shared.values)

    def blocks(self) -> Sequence[np.ndarray]:
        """Compute the derivatives of the accelerations with respect to q, qd and tau; call `values`
        before.
        """
        derivatives = None if self.shared is None else self.shared.first()
        if derivatives is not None:
            return [self._own(x) for x in derivatives]
        self.shared = None
        self.first[1:] = blocks = [np.asarray(x) for x in self.a.blocks(*self.state)]
        return [self._own(x) for x in blocks]

    def second(self, mu: np.ndarray) -> Sequence[np.ndarray]:
        """Compute four blocks of the Hessian of ``mu . a``, the accelerations weighted by mu: with
        respect to (q, q), (qd, qd), (qd, q) and (tau, q). Call `blocks` before.
        """
        mu, (q, qd, tau) = flat(mu), self.state
        plain = not (isinstance(self.a.model, CoupledModel) or self.a.held.m or self.a.options)
        if self.shared is not None:
            blocks = self.shared.second(mu)
        elif plain and has_kernels("acceleration_hessian"):
            blocks = self._hessian(mu)
        else:
            qq, by_qd, qdqd, tauq = map(np.asarray, self.a.second(q, qd, tau, mu))
            blocks = [qq, qdqd, np.matrix_transpose(by_qd), tauq]
        return [self._own(x) for x in blocks]

    def _own(self, x: np.ndarray) -> np.ndarray:
        """Restore the leading axes of the states in an array (N, ...)."""
        return x.reshape(*self.lead, *x.shape[1:])

    def _hessian(self, mu: np.ndarray) -> list[np.ndarray]:
        """Compute the Hessian of ``mu . a`` without constraints, given the derivatives of a."""
        (q, qd, _), (qdd, *first) = self.state, self.first
        arguments, n = [q, qd, qdd, mu, *first], self.a.model.NV
        record = kept_record(self.a.model, geared_tree)
        blocks = [allocate((len(arguments[0]), n, n)) for _ in range(4)]

        def fill(arrays: list[np.ndarray], results: list[np.ndarray], batched: bool) -> bool:
            fill_results("acceleration_hessian", record, results, arrays, True)
            return True

        run_batch(fill, get_workers(), [*arguments, NO_FORCE, NO_FORCE], blocks, single=False)
        return blocks
