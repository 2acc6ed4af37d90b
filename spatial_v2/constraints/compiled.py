"""Evaluation of constrained dynamics with constraint rows and KKT equations from kernels."""

import functools
import inspect
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple, TypeVar

import numpy as np

from spatial_v2.accelerated import Accelerated, accelerated
from spatial_v2.calls.arguments import forces_of
from spatial_v2.calls.blocks import ROOM, batch_slices, fill_blocks
from spatial_v2.constraints.compiled_rows import CompiledSet
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.forward import review, review_rows
from spatial_v2.constraints.options import validate_constraints
from spatial_v2.constraints.prepared import Options
from spatial_v2.couplings import CoupledModel
from spatial_v2.exceptions import RankWarning
from spatial_v2.model import Model

F = TypeVar("F", bound=Callable[..., Any])


def constrained(
    signature: str,
    size: Callable[[int, int], int],
    *,
    order: int = 0,
    kernel: Callable[..., np.ndarray] | None = None,
    **declared: Any,
) -> Callable[[F], Accelerated[F]]:
    """Decorate the reference implementation of a function of constraints; see `accelerated`.

    The reference implementation computes float64 arrays, too, with constraint rows from kernels.

    Parameters
    ----------
    signature : str
        Core dimensions of arguments and results.
    size : callable
        Number of floats that one state needs, as a function of NV and the number of rows m.
    order : int, optional
        Highest order of the derivatives of the position errors that the function needs.
    kernel : callable, optional
        ``kernel(model, constraints, options, arrays, results)`` fills the results of a batch by one
        kernel, and returns for each state whether its constraint rows are clearly independent. The
        reference implementation computes the other states.
    **declared : Any
        Parameters of `calls.declaration.Declaration`.
    """

    def decorate(implementation: F) -> Accelerated[F]:
        has_rank = "rank" in inspect.signature(implementation).parameters
        defaults = {
            "rotors": "ignore",
            "joint_terms": True,
            "validate_constraints": validate_constraints,
            "composed": functools.partial(evaluate, Evaluated(implementation, size, order, kernel)),
            "review": review if has_rank else review_rows,
        }
        return accelerated(None, signature, **{**defaults, **declared})(implementation)

    return decorate


class Evaluated(NamedTuple):
    """A reference implementation, and what `constrained` is told about it."""

    implementation: Callable[..., Any]
    size: Callable[[int, int], int]
    order: int
    kernel: Callable[..., np.ndarray] | None


@np.errstate(all="ignore")
def evaluate(
    of: Evaluated,
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    batched: bool,
    constraints: ConstraintSet,
    **how: Any,
) -> bool:
    """Fill the results of a batch; return True if there is nothing to say about its states."""
    how = {name: x for name, x in how.items() if x is not None}
    options = Options(how.get("damping", 0.0), how.get("baumgarte"), how.get("rank", "raise"))
    gains, kernel = options.baumgarte, of.kernel
    if how.get("rank") == "raise":
        how["rank"] = "nan"
    evaluator: ConstraintSet = constraints
    if gains is None or constraints.compiled_errors(gains.Kp, of.order):
        evaluator = CompiledSet(constraints, batched, reviewed=True)
    forced = "f_ext" in inspect.signature(of.implementation).parameters
    n = len(arrays) - 2 * forced
    of_tree = not isinstance(model, CoupledModel)
    if evaluator is constraints or not of_tree or model.has_rotors:
        kernel = None

    def block(*states: np.ndarray) -> Sequence[np.ndarray]:
        rest = forces_of(model, states[n:]) if forced else {}
        unreviewed = batched and evaluator is constraints
        with warnings.catch_warnings() if unreviewed else nullcontext():
            if unreviewed:  # a block does not know how many states there are; `review` tells
                warnings.filterwarnings("ignore", ".*points meet", RankWarning)
            computed = of.implementation(model, *states[:n], evaluator, **how, **rest)
        return computed if isinstance(computed, tuple) else (computed,)

    size = of.size(model.NV, constraints.m)
    if batched:
        for part in batch_slices(len(arrays[0]), size, ROOM):
            some, outs = [x[part] if len(x) else x for x in arrays], [x[part] for x in results]
            if not kernel:
                fill_blocks(block, some, outs, batched, size)
            elif not (valid := kernel(model, constraints, options, some, outs)).all():
                which = np.flatnonzero(~valid)
                chosen = [x[which] if len(x) else x for x in some]
                rest = [np.empty_like(x[which]) for x in outs]
                fill_blocks(block, chosen, rest, batched, size)
                for x, y in zip(outs, rest, strict=True):
                    x[which] = y
    elif len(arrays[0]):
        one = block(*(x[0] if len(x) else x for x in arrays))
        for out, x in zip(results, one, strict=True):
            out[0] = x
    return isinstance(evaluator, CompiledSet) and not evaluator.notable
