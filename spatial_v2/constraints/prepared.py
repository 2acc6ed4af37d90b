"""Prepared calls of constrained dynamics: one kernel from a state to accelerations and forces.

What a kernel reads beside the state, the constraints, damping and gains, is its record. There is
one for each combination of these that occurs in calls, cached with the state of the model.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spatial_v2.calls.declaration import Chosen
from spatial_v2.calls.loading import load_kernel
from spatial_v2.calls.prepared import Prepared
from spatial_v2.calls.signature import Function
from spatial_v2.calls.steps import Results
from spatial_v2.constraints.ConstraintSet import ConstraintSet, constraint_set
from spatial_v2.constraints.kernels import constraint_arrays, equations_of, kept_for
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.residual import Gains
from spatial_v2.constraints.turned import warn_turned
from spatial_v2.engine.kernel import KernelCall, Record
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.tensors.runs import ID_SO
from spatial_v2.model import Model
from spatial_v2.model.model_state import keep_in
from spatial_v2.packed.gears import patterns_of
from spatial_v2.packed.sums import pairs_of

Arrays: TypeAlias = tuple[np.ndarray, ...]


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


def constrained_record(model: Model, constraints: ConstraintSet, options: Options) -> Record:
    """Return the first argument of `KKT_FD` and its first derivatives, cached with the model."""

    def make() -> Record:
        from spatial_v2.engine.constrained import Constrained

        arrays = constraint_arrays(model, constraints, options.baumgarte)
        return Record(Constrained(arrays, equations_of(model, options.damping)))

    return kept_for(constraints, model.checked(), options.key, make)


def second_order_record(model: Model, constraints: ConstraintSet, options: Options) -> Record:
    """Return the first argument of `KKT_SO_derivatives`, cached with the model."""

    def make() -> Record:
        from spatial_v2.engine.tensors.sums import SecondOrder

        patterns, joint = patterns_of(model, ID_SO), model.layout.body_of_v
        pairs = model.checked().keep("fd_so_pairs", lambda: pairs_of(patterns, joint))
        many = np.array([pattern.nnz for pattern in patterns])
        first = constrained_record(model, constraints, options).of
        return Record(SecondOrder(first, pairs, many))

    return kept_for(constraints, model.checked(), ("second", options.key), make)


def choice(
    kernel: str,
    shapes: Callable[[int, int], Sequence[tuple[int, ...]]],
    read: Callable[[Arrays, Model, ConstraintSet, Options], Arrays | None],
    order: int = 0,
    record: Callable[[Model, ConstraintSet, Options], Record] = constrained_record,
) -> Callable[..., Chosen]:
    """Return `Function.choose` for a function of constrained dynamics.

    Parameters
    ----------
    kernel : str
        The kernel, which computes one state of a model without rotors.
    shapes : callable
        Shapes of the kernel's results for NV velocity variables and m rows.
    read : callable
        Returns the results of the function for those of the kernel; None if rows are dependent or
        results are not finite, which the complete checks tell.
    order : int
        Highest order of derivatives of position errors that the function needs.
    record : callable
        Makes the kernel's first argument.
    """

    def make(
        of: Function, model: Model, constraints: ConstraintSet, options: Options
    ) -> Prepared | None:
        if not (loaded := load_kernel(kernel)).has_entry:
            return None

        def finish(made: Arrays) -> Any:
            results = read(made, model, constraints, options)
            return None if results is None else of.finish(results)

        sizes = {"q": model.NQ, "v": model.NV}
        arguments = [(core, sizes[core]) for core in of.cores]
        results = [(("",) * len(shape), shape) for shape in shapes(model.NV, constraints.m)]
        bodies = -1 if model.is_planar else model.NB
        call = KernelCall(arguments, (bodies, bodies), results, look=False, finish=finish)
        runner = Runner(loaded, record(model, constraints, options).of, call)
        return Prepared(runner, finish, False, Results(returned=of.finish))

    return functools.partial(_choose, make, order)


def _choose(
    make: Callable[..., Prepared | None],
    order: int,
    of: Function,
    model: Model,
    kept: dict[Any, Prepared | None],
    args: tuple[Any, ...],
    options: dict[str, Any],
) -> Chosen:
    """Choose a prepared call by constraints, damping and gains; see `choice`."""
    n = len(of.cores)
    if len(args) == n + 1 and (not options or options.keys() == {"out"}):
        prepared = kept.get(args[n]) if type(args[n]) is ConstraintSet else None
        if prepared is not None:
            return prepared, args[:n], options
    refused = None, args, options
    if model.has_rotors or (args and getattr(args[0], "ndim", 1) != 1):
        return refused
    unset = [name for name in ("out", "f_ext") if options.get(name) is None]
    own = {name: x for name, x in options.items() if name not in ("m", *unset)}
    if len(args) == n + 1 and "constraints" not in own:
        own["constraints"], args = args[n], args[:n]
    rest: dict[str, Any] = {x: own.pop(x) for x in ("out", "f_ext") if x in own}
    frame = own.pop("frame", "base")
    # calls give the first of a kernel's forces, those in base coordinates
    if frame not in (["base"] if "f_ext" in rest else ["base", "body"]):
        return refused
    if len(args) > n or "constraints" not in own:
        return refused
    constraints = constraint_set(model, own.pop("constraints"))
    if not constraints.is_plain:
        return refused
    how = Options()
    if own:
        checked = {**own, "constraints": constraints}
        of.validate_constraints(model, checked)  # type: ignore[misc]
        del checked["constraints"]
        if checked.keys() - set(Options._fields):
            return refused
        how = Options(**checked)
    if how.baumgarte is not None:
        if not args or not constraints.compiled_errors(how.baumgarte.Kp, order):
            return refused
        warn_turned(model, args[0], constraints, how.baumgarte)
    key = constraints if how == Options() else (constraints, *how.key, how.rank)
    return keep_in(kept, key, lambda: make(of, model, constraints, how)), args, rest
