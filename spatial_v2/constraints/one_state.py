"""Fast paths of functions of constrained dynamics for one state, which call a kernel directly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spatial_v2.calls.arguments import is_state
from spatial_v2.constraints.constrained_plan import ConstrainedPlan, Options, constrained_plan
from spatial_v2.constraints.ConstraintSet import ConstraintSet, constraint_set
from spatial_v2.constraints.rank import Rank, forget, tell
from spatial_v2.constraints.rank_texts import Named
from spatial_v2.constraints.turned import warn_turned
from spatial_v2.engine.parts.outcomes import NOT_FINITE, report_length, report_of
from spatial_v2.engine.python_call import fits, may_overlap
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.model import Model

__all__ = ["OneState", "State", "StateKernel", "one_state", "plan_maker"]

_DEFAULT = Options(), (NO_FORCE, NO_FORCE)


class State(NamedTuple):
    """One state of a model, and the plan of its kernels."""

    model: Model
    plan: ConstrainedPlan
    arrays: tuple[np.ndarray, ...]
    """The arguments q, qd and tau."""
    forces: tuple[np.ndarray, np.ndarray]
    """External forces constant in the base and in the bodies, (1, NB, 6), or empty."""
    directions: tuple[np.ndarray, ...]
    """Further arguments."""
    constraints: ConstraintSet
    """The constraints."""
    rank: Rank
    """Treatment of dependent rows."""


Results: TypeAlias = tuple[np.ndarray, ...]
Compute: TypeAlias = Callable[[State], Results | None]
"""Computes the results for a state; None if its rows are dependent, or results are not finite."""


@dataclass(frozen=True)
class StateKernel:
    """A kernel that computes the results for one state from q, qd and tau; a `Compute`."""

    kernel: str
    """Its name."""
    shapes: Callable[[ConstrainedPlan], list[tuple[int, ...]]]
    """Shapes of its results."""
    read: Callable[[State, Results], Results | None]
    """Returns the results of the function for those of the kernel; or None, see `Compute`."""

    def __call__(self, state: State) -> Results | None:
        shapes = self.shapes(state.plan)
        made = tuple(map(np.empty, shapes))
        state.plan.one_state(self.kernel, *shapes)(state.arrays, state.forces, made)
        return self.read(state, made)

    def direct(self, state: State, finish: Callable[[Results], Any]) -> Any:
        """Return an object whose method `new` computes results of other states q, qd and tau, with
        the same constraints and no external forces.
        """

        def read(made: Results) -> Any:
            results = self.read(state, made)
            return None if results is None else finish(results)

        return state.plan.call(self.kernel, self.shapes(state.plan), read)


def plan_maker(compute: Compute, order: int = 0) -> Callable[[Any, Model], OneState | None]:
    """Return a function that makes the fast path of a function, or None for a model with rotors.

    `order` is the highest order of derivatives of position errors that the function needs.
    """

    def make(of: Any, model: Model) -> OneState | None:
        return None if model.has_rotors else OneState(of, model, compute, order)

    return make


def _read_forward(state: State, made: Results) -> Results | None:
    """Return accelerations and multipliers; raise the error of a state that has no solution."""
    qdd, force, report = made
    if report[0]:
        if report[0] == NOT_FINITE:
            return None
        of = Named([x.m for x in state.constraints.relations], state.model)
        tell(report_of(report), state.rank, state.plan.damping, of)
        forget(report[None], state.rank, state.plan.damping, (qdd[None], force[None]))
    return qdd, force


def _forward_shapes(plan: ConstrainedPlan) -> list[tuple[int, ...]]:
    _, nv, m = plan.sizes
    return [(nv,), (m,), (report_length(m),)]


one_state = plan_maker(StateKernel("KKT_FD", _forward_shapes, _read_forward))
"""Makes the fast path of `KKT_FD`."""


class OneState:
    """Fast path of a function for one state, with the methods of `calls.plan.Prepared`.

    Attributes
    ----------
    finish : callable
        Converts a tuple of results to the return value.
    """

    __slots__ = ("_compute", "_count", "_last", "_lengths", "_model", "_of", "_order", "finish")

    def __init__(self, of: Any, model: Model, compute: Compute, order: int) -> None:
        self._model, self._of, self._compute, self._order = model, of, compute, order
        self._last: tuple[ConstraintSet | None, Any] = None, None  # of the call before
        sizes = {"q": (model.NQ,), "v": (model.NV,)}
        self._count = len(of.results)
        self._lengths = [sizes[core] for core in of.cores]
        self.finish: Callable[[tuple[Any, ...]], Any] = of.finish

    @property
    def state(self) -> OneState:
        """This object: what computes new results of one state, as in `Prepared`."""
        return self

    def load(self) -> None:
        """Do nothing: the kernel is loaded when the constraints are known."""

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new results, or None if this fast path does not handle the arguments."""
        constraints, direct = self._last
        if args and args[-1] is constraints:
            made = direct.new(args[:-1])
            if made is not None:
                return made
        results = self._results(args, {})
        return results and self.finish(results)

    def _results(self, args: tuple[Any, ...], options: dict[str, Any]) -> Results | None:
        """Return results; None for arguments or options that are not handled."""
        model, n = self._model, len(self._lengths)
        if len(args) != n + 1 or not is_state(args[:n], self._lengths):
            return None
        seen = model.checked()
        constraints = constraint_set(model, args[n], seen)
        if not constraints.is_plain:
            return None
        chosen = self._choose(model, args[0], constraints, options) if options else _DEFAULT
        if chosen is None:
            return None
        plan = constrained_plan(model, constraints, chosen[0], seen)
        state = State(model, plan, args[:3], chosen[1], args[3:n], constraints, chosen[0].rank)
        again = args[n] is constraints and constraints is not self._last[0]
        if again and not options and isinstance(self._compute, StateKernel):
            self._last = constraints, self._compute.direct(state, self.finish)
        results: Results | None = self._compute(state)
        return results

    def _choose(
        self, model: Model, q: np.ndarray, constraints: ConstraintSet, options: dict[str, Any]
    ) -> tuple[Options, tuple[np.ndarray, np.ndarray]] | None:
        """Return valid options and external forces; None for options that are not handled."""
        chosen = {name: x for name, x in options.items() if name != "m"}
        force, frame = chosen.pop("f_ext", None), chosen.pop("frame", "base")
        if chosen.keys() - Options._fields or frame not in ("base", "body"):
            return None
        if force is not None and (model.is_planar or not is_state((force,), [(model.NB, 6)])):
            return None
        chosen["constraints"] = constraints
        self._of.validate_constraints(model, chosen)
        del chosen["constraints"]
        how = Options(**chosen)
        if how.baumgarte is not None:
            if not constraints.compiled_errors(how.baumgarte.Kp, self._order):
                return None
            warn_turned(model, q, constraints, how.baumgarte)
        if force is None:
            return how, (NO_FORCE, NO_FORCE)
        return how, (force[None], NO_FORCE) if frame == "base" else (NO_FORCE, force[None])

    def called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return the results of a call with options; None for arguments that are not handled."""
        options = dict(options)
        if "constraints" in options:
            args = (*args, options.pop("constraints"))
        out = options.pop("out", None)
        if out is None and not options:
            return self.new(args)
        if out is None:
            results = self._results(args, options)
            return results and self.finish(results)
        if not isinstance(out, tuple) or self._fill(out, args, options):
            return None
        return self.finish(out)

    def results(self, args: tuple[Any, ...], packed: bool = False) -> Any:
        """Return None: batches and other layouts are not handled here."""
        return None

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...], packed: bool = False) -> Status:
        """Write results into `outs`, which may overlap the arguments."""
        return self._fill(outs, args, {}) if not packed else Status.REFUSED

    def _fill(
        self, outs: tuple[Any, ...], args: tuple[Any, ...], options: dict[str, Any]
    ) -> Status:
        if len(outs) != self._count:
            return Status.REFUSED
        results = self._results(args, options) if options else self.new(args)
        if results is None or not all(fits(x, y.shape) for x, y in zip(outs, results, strict=True)):
            return Status.REFUSED
        if may_overlap(outs, ()):
            return Status.OVERLAP
        for x, y in zip(outs, results, strict=True):
            x[...] = y
        return Status.DONE
