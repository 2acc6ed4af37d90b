"""Constrained forward dynamics of batches by kernels, for constraint rows of any rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.arguments import forces_of
from spatial_v2.calls.blocks import fill_blocks
from spatial_v2.calls.loading import load_kernel
from spatial_v2.constraints.constrained_plan import Options, constrained_plan, rule_of
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import (
    RowsOfBatch,
    equations_of,
    is_plain,
    rows,
    solve,
)
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.residual import Gains
from spatial_v2.dynamics import CRBA, HandC
from spatial_v2.engine.kernel import Record
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = [
    "SHORT",
    "UNSURE",
    "fill_forward",
    "review",
    "settle_verdicts",
    "solve_short",
]


SHORT, UNSURE = 2, 3
"""Status codes of the kernel `KKT_dependent`: the rows are dependent; the rank is undecided."""


def fill_forward(
    model: Model, arrays: Sequence[np.ndarray], results: Sequence[np.ndarray], batched: bool,
    held: ConstraintSet, damping: float, gains: Gains | None, rank: Rank,
) -> np.ndarray:  # fmt: skip
    """Write accelerations and multipliers of a batch into `results`; return status codes (B,).

    The codes are those of `KKT_dependent`. If the gains need position errors that no kernel
    computes, nothing is written, and all codes are `UNSURE`.
    """
    if gains is not None and not held.compiled_errors(gains.Kp, 0):
        return np.full(len(arrays[0]), UNSURE)
    if model.has_rotors:
        q, qd, tau, *forces = arrays
        H, C = HandC(model, q, qd, workers=1, **forces_of(model, forces))
        rows_of = rows(model, (q, qd, 0 * qd), held, gains, batched)
        right = (tau - C)[..., None], -rows_of.alpha[..., None]
        *found, verdict = solve_any(model, damping, rank, H, rows_of, *right, batched)
        for out, z in zip(results, found, strict=True):
            out[...] = z[..., 0]
        return verdict
    plan = constrained_plan(model, held, Options(damping, gains, rank))
    verdict = new_verdicts(len(arrays[0]))
    if not batched:
        plan.run_states(arrays, [*results, verdict])
        return verdict[:, 0]
    x, y = (z[..., None] for z in results)
    left = allocate((len(x), 2 * held.m + model.NV))
    plan.plan("KKT_FD").fill([x, y, left], arrays)
    m = held.m + model.NV
    few = ~is_plain(left[:, :m], left[:, m:], damping)
    return one_by_one(
        lambda *given: plan.run_states(given[:-3], given[-3:]), arrays, (*results, verdict), few
    )


def new_verdicts(states: int) -> np.ndarray:
    """Return an array (B, 1) of status codes, all zero: solved."""
    return np.zeros((states, 1))


def one_by_one(
    run: Callable[..., None], given: Sequence[np.ndarray], out: Sequence[np.ndarray],
    few: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Run a kernel, one state at a time, for the states that the mask `few` selects; return the
    status codes (B,) of all states.

    The last array of `out` has the status codes (B, 1).
    """
    if few.any():
        parts = [z[few] for z in out]
        run(*(z[few] if len(z) else z for z in given), *parts)
        for z, part in zip(out, parts, strict=True):
            z[few] = part
    return out[-1][:, 0]


def solve_any(
    model: Model, damping: float, rank: Rank, H: np.ndarray, rows: RowsOfBatch, top: np.ndarray,
    bottom: np.ndarray, batched: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Solve the KKT equations for rows of any rank; return the accelerations x, the multipliers y
    and status codes of `KKT_dependent`.
    """
    given = H, rows.G, top, bottom
    x, y, left = solve(model, damping, *given, batched)
    short = ~is_plain(left, rows.sizes, damping)
    return x, y, solve_short(model, damping, rank, given, rows.sizes, (x, y), short)


def solve_short(
    model: Model, damping: float, rank: Rank, given: Sequence[np.ndarray], sizes: np.ndarray,
    out: Sequence[np.ndarray], short: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Solve the states that the mask `short` selects; return the status codes of `KKT_dependent`.

    `given` has the inertia matrix H, the Jacobian G and the right-hand sides; the solutions x and y
    go to `out`.
    """
    H, G, top, bottom = given
    verdict = new_verdicts(len(H))
    if short.any():
        for x, b in zip(out, (top, bottom), strict=True):
            x[short] = b[short]
        from spatial_v2.engine.algorithms.KKT_dependent import DependentRows

        of = Record(DependentRows(equations_of(model, damping), rule_of(rank)))
        kernel = load_kernel("KKT_dependent")
        one_by_one(
            lambda *given: kernel.run_states(of, given[:-3], given[-3:]),
            [H, G, sizes], (*out, verdict), short,
        )  # fmt: skip
    return verdict[:, 0]


def settle_verdicts(
    verdict: np.ndarray, page: Callable[..., Sequence[np.ndarray]],
    arrays: Sequence[np.ndarray], results: Sequence[np.ndarray], size: int,
) -> bool:  # fmt: skip
    """Compute states of status `UNSURE` by the reference implementation `page`.

    Return True if all states have been solved.
    """
    if not verdict.any():
        return True
    few = verdict == UNSURE
    if few.any():
        given, parts = [x[few] if len(x) else x for x in arrays], [x[few] for x in results]
        fill_blocks(page, given, parts, False, size)
        for x, part in zip(results, parts, strict=True):
            x[few] = part
    return not (verdict >= SHORT).any()


def review(
    model: Model, arrays: Sequence[np.ndarray], constraints: ConstraintSet, **how: Any
) -> None:
    """Raise the error, or give the warning, for states with dependent rows if rank is "raise"."""
    damping, rank = how.get("damping", 0.0), how.get("rank", "raise")
    if rank == "raise" and not damping:
        rest = np.zeros((*arrays[0].shape[:-1], model.NV))
        rows = constraints.rows(model, arrays[0], rest, rest)
        KKT(CRBA(model, arrays[0]), rows.G, damping, rank, rows.m, rows.sizes)
