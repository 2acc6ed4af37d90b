"""Constrained dynamics in many states: values and derivatives that share their common parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_v2.calls.kernels import run_batch
from spatial_v2.calls.options import get_workers
from spatial_v2.calls.records import fill_results
from spatial_v2.constraints import KKT_FD
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import constraint_record
from spatial_v2.constraints.prepared import Options, constrained_record
from spatial_v2.constraints.residual import Gains
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = ["ConstrainedStates"]


class ConstrainedStates:
    """Accelerations under constraints in N states, contiguous arrays (N, n); derivatives exist only
    where the constraint rows are independent.

    The results are those of `KKT_FD`, `KKT_FO_derivatives` and `modKKT_second_derivatives`, by one
    kernel for each order; that of the second order needs the results of the first. The model has no
    rotors. If `ahead`, the kernel of the first order computes the values, too.
    """

    def __init__(
        self, model: Model, held: ConstraintSet, damping: float, gains: Gains | None,
        q: np.ndarray, qd: np.ndarray, tau: np.ndarray, ahead: bool = False,
    ) -> None:  # fmt: skip
        self.model, self.held, self.options = model, held, Options(damping, gains, "nan")
        self.state, self.derivatives = [q, qd, tau], list[np.ndarray]()
        self.values, self.lambda_ = np.empty((len(q), model.NV)), np.empty((len(q), held.m))
        """The accelerations, shape (N, NV), and the multipliers."""
        if ahead and self.first() is not None:
            return
        self.derivatives = []
        results, fill = [self.values, self.lambda_], KKT_FD.work.composed
        assert fill is not None
        fill(model, [*self.state, NO_FORCE, NO_FORCE], results, True, held, *self.options)

    def first(self) -> list[np.ndarray] | None:
        """Return the derivatives (N, NV, NV) of the accelerations with respect to q, qd and tau,
        computed once; None if constraint rows are nearly dependent somewhere.
        """
        if self.derivatives:
            return list(self.derivatives[0].swapaxes(0, 1))
        n, m, arguments = self.model.NV, self.held.m, [*self.state, NO_FORCE, NO_FORCE]
        record = constrained_record(self.model, self.held, self.options)
        shapes = (n + m,), (3, n, n), (3, m, n), (1,)
        z, *derivatives, doubt = self._run("KKT_FO_derivatives", record, arguments, shapes)
        if doubt.any():
            return None
        self.derivatives = derivatives
        self.values, self.lambda_ = z[:, :n], z[:, n:]
        return self.first()

    def second(self, mu: np.ndarray) -> Sequence[np.ndarray]:
        """Compute four blocks of the Hessian of ``mu . qdd``, the accelerations weighted by mu:
        with respect to (q, q), (qd, qd), (qd, q) and (tau, q). Call `first` before.
        """
        (q, qd, _), n = self.state, self.model.NV
        record = constraint_record(self.model, self.held, self.options.baumgarte)
        arguments = [q, qd, self.values, self.lambda_, mu, *self.derivatives]
        return self._run("KKT_hessian", record, arguments, [(n, n)] * 4)

    @staticmethod
    def _run(
        kernel: str, record: Record, given: list[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        """Compute the results of a kernel, whose shapes for one state are given."""
        results = [allocate((len(given[0]), *shape)) for shape in shapes]

        def fill(arrays: list[np.ndarray], outs: list[np.ndarray], batched: bool) -> bool:
            fill_results(kernel, record, outs, arrays, batched)
            return True

        run_batch(fill, get_workers(), given, results, single=False)
        return results
