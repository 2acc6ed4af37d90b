"""Constrained forward dynamics of batches by kernels, for constraint rows of any rank."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.arguments import forces_of
from spatial_v2.calls.records import fill_results
from spatial_v2.constraints.compiled_rows import CompiledSet
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import fill_all, solve
from spatial_v2.constraints.prepared import Options, constrained_record
from spatial_v2.constraints.rank import forget, speaks, tell
from spatial_v2.constraints.rank_texts import Named
from spatial_v2.constraints.row_kernels import rows
from spatial_v2.couplings import CoupledModel
from spatial_v2.dynamics import CRBA, HandC
from spatial_v2.engine.parts.outcomes import NOT_FINITE, report_length, report_of
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate


def read_forward(
    made: tuple[np.ndarray, ...], model: Model, constraints: ConstraintSet, options: Options
) -> tuple[np.ndarray, ...] | None:
    """Return accelerations and multipliers of one state; raise the error of one without solution.

    None stands for results that are not finite.
    """
    qdd, force, report = made
    if report[0]:
        if report[0] == NOT_FINITE:
            return None
        damping, _, rank = options
        of = Named([x.m for x in constraints.relations], model)
        tell(report_of(report), rank, damping, of)
        forget(report[None], rank, damping, (qdd[None], force[None]))
    return qdd, force


def fill_forward(
    model: Model, arrays: Sequence[np.ndarray], results: Sequence[np.ndarray], batched: bool,
    constraints: ConstraintSet, options: Options,
) -> bool:  # fmt: skip
    """Write accelerations and multipliers of a batch into `results`; return True if `review` has
    nothing to say.
    """
    damping, gains, rank = options
    if isinstance(model, CoupledModel) or model.has_rotors:
        q, qd, tau, *forces = arrays
        H, C = HandC(model, q, qd, workers=1, **forces_of(model, forces))
        rows_of = rows(model, (q, qd, 0 * qd), constraints, gains, batched)
        right = (tau - C)[..., None], -rows_of.alpha[..., None]
        *solution, report = solve(model, damping, H, rows_of, *right, batched)
        for out, z in zip(results, solution, strict=True):
            out[...] = z[..., 0]
    else:
        record = constrained_record(model, constraints, options)
        solution = [*results, allocate((len(arrays[0]), report_length(constraints.m)))]
        fill_results("KKT_FD", record, solution, arrays, batched)
        report = (fill_all("KKT_FD", record, arrays, solution) if batched else solution)[-1]
    forget(report, rank, damping, results)
    unclear = constraints.lines and (report[:, 0] == NOT_FINITE).any()
    return not (unclear or speaks(report_of(report), rank, damping))


def review(
    model: Model, arrays: Sequence[np.ndarray], constraints: ConstraintSet, **how: Any
) -> None:
    """Raise the error, or give the warnings, for states of a batch that are not simply solved."""
    damping, rank = how.get("damping", 0.0), how.get("rank", "raise")
    of = review_rows(model, arrays, constraints)
    if rank != "nan":
        kkt = of.kkt(CRBA(model, arrays[0]), damping, rank, quiet=True)
        tell(kkt.report, rank, damping, of.named)


def review_rows(
    model: Model, arrays: Sequence[np.ndarray], constraints: ConstraintSet, **how: Any
) -> Any:
    """Give the warnings for states of a batch whose rows are undefined; return the rows.

    Within a block of another function, the review of that function gives them.
    """
    evaluator = constraints
    if constraints.is_plain:
        evaluator = CompiledSet(
            constraints, arrays[0].ndim > 1, reviewed=isinstance(constraints, CompiledSet)
        )
    of = evaluator.rows_at_rest(model, arrays[0])
    if isinstance(constraints, CompiledSet):
        constraints.notable = True
    elif constraints.lines:
        _ = of.G  # its computation tells where points of a line meet
    return of
