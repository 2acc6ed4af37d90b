"""Kernels of constrained dynamics, prepared for a model, its constraints and options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import load_kernel
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import constraint_arrays, equations_of, kept_for
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.residual import Gains
from spatial_v2.engine.kernel import Kernel, KernelCall, Record
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.tensors.runs import ID_SO
from spatial_v2.model import Model
from spatial_v2.model.model_state import State
from spatial_v2.packed.gears import patterns_of
from spatial_v2.packed.sums import pairs_of

__all__ = ["ConstrainedPlan", "Options", "constrained_plan"]

_DIRECTION = "KKT_FD_directional_derivative"
"""The kernel that takes a direction, three vectors, after q, qd and tau."""


class Options(NamedTuple):
    """Valid options of the equations of motion under constraints."""

    damping: float = 0.0
    baumgarte: Gains | None = None
    rank: Rank = "raise"

    @property
    def key(self) -> Any:
        """The options that kernels read, in a form that compares by value."""
        damping, gains, _ = self
        return damping, gains and (gains.Kp.tobytes(), gains.Kd.tobytes())


class ConstrainedPlan:
    """The kernels of constrained dynamics, for a model without rotors, its constraints and options.

    Parameters
    ----------
    model : Model
        The model.
    constraints : ConstraintSet
        The constraints.
    options : Options
        The options.

    Attributes
    ----------
    of : Constrained
        The first argument of `KKT_FD` and its first derivatives, and `record`, which kernels read.
    """

    def __init__(self, model: Model, constraints: ConstraintSet, options: Options) -> None:
        from spatial_v2.engine.constrained import Constrained

        damping, gains, _ = options
        arrays = constraint_arrays(model, constraints, gains)
        self.of = Constrained(arrays, equations_of(model, damping))
        self.damping, self.sizes = damping, (model.NQ, model.NV, constraints.m)
        self.record, self._calls = Record(self.of), dict[str, Any]()
        self._second: Record | None = None

    def second(self, model: Model) -> Record:
        """Return the first argument of `KKT_SO_derivatives`."""
        if self._second is None:
            from spatial_v2.engine.tensors.second_order import SecondOrder

            patterns, joint = patterns_of(model, ID_SO), model.layout.body_of_v
            pairs = model.checked().keep("fd_so_pairs", lambda: pairs_of(patterns, joint))
            many = np.array([pattern.nnz for pattern in patterns])
            self._second = Record(SecondOrder(self.of, pairs, many))
        return self._second

    def call(
        self, kernel: str, made: Sequence[tuple[int, ...]], finish: Callable[[Any], Any]
    ) -> Any:
        """Return a call of a kernel for one state q, qd and tau, without external forces.

        Its method `new` returns what `finish` makes of the results, whose shapes are `made`.
        """
        return Runner(load_kernel(kernel), self.of, self._takes(kernel, made, finish)).load()

    def _takes(
        self, kernel: str, made: Sequence[tuple[int, ...]], finish: Callable[[Any], Any] | None
    ) -> KernelCall:
        """Describe a call of a kernel with q, qd and tau."""
        nq, nv, _ = self.sizes
        results = [(("",) * len(shape), shape) for shape in made]
        forces = [-1] * (3 if kernel == _DIRECTION else 2)
        arguments = [("q", nq), ("v", nv), ("v", nv)]
        return KernelCall(arguments, forces, results, look=False, finish=finish)

    def one_state(self, kernel: str, *made: tuple[int, ...]) -> Callable[..., int]:
        """Return a function that runs a kernel for one state.

        Its arguments are a tuple of arrays q, qd and tau, one of external forces (1, NB, 6) after
        directions (1, 3, NV), if the kernel has one, and one of results, whose shapes are `made`.
        """
        if kernel not in self._calls:
            loaded, takes = load_kernel(kernel), self._takes(kernel, made, None)
            by_entry = (
                loaded.one_state(self.record, takes, (), False, True) if loaded.has_entry else None
            )
            self._calls[kernel] = by_entry or self._in_python(loaded)
        call: Callable[..., int] = self._calls[kernel]
        return call

    def _in_python(self, kernel: Kernel) -> Callable[..., int]:
        def call(arrays: Sequence[Any], others: Sequence[Any], outs: Sequence[Any]) -> int:
            states = [x[None] for x in arrays]
            kernel.run_states(self.record, [*states, *others], [x[None] for x in outs])
            return 0

        return call


def constrained_plan(
    model: Model, constraints: ConstraintSet, options: Options, seen: State | None = None
) -> ConstrainedPlan:
    """Return the plan for a set of constraints and options, cached with the model."""

    def make() -> ConstrainedPlan:
        return ConstrainedPlan(model, constraints.base, options)

    return kept_for(constraints, seen or model.checked(), options.key, make)
