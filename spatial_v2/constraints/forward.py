"""Constrained forward dynamics of batches by kernels, for constraint rows of any rank."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.arguments import forces_of
from spatial_v2.calls.blocks import fill_blocks
from spatial_v2.calls.loading import compiled_for
from spatial_v2.calls.record_plan import RecordPlan, plan_of
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import (
    RowsOfBatch,
    constraint_arrays,
    equations_of,
    is_plain,
    kept_for,
    rows,
    solve,
)
from spatial_v2.constraints.kkt import INERTIA, KKT
from spatial_v2.constraints.rank import NEAR, TOLERANCE, Rank
from spatial_v2.constraints.residual import Gains
from spatial_v2.dynamics import CRBA, HandC
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.model import Model
from spatial_v2.model.snapshot import Snapshot
from spatial_v2.packed.memory import allocate

__all__ = [
    "SHORT",
    "UNSURE",
    "fill_forward",
    "make_plan",
    "review",
    "settle_verdicts",
    "solve_short",
]


class Ready(NamedTuple):
    """Arguments and kernel of constrained forward dynamics for a model and its constraints."""

    of: Any
    """The kernel's argument `Constrained`, without Baumgarte gains and damping."""
    run: Any
    """The compiled kernel `KKT_FD_judged`."""

    def with_options(
        self, held: ConstraintSet, damping: float, gains: Gains | None, rank: Rank
    ) -> Any:
        """Return the kernel's argument `Constrained` for given options."""
        choice = _CHOICES.get(rank, 0)
        if not (damping or choice or gains is not None):
            return self.of
        one, equations, rule = self.of
        if gains is not None:
            Kp, Kd = map(np.ascontiguousarray, gains)
            if Kp.any():
                held.check_places()
            one = one._replace(Kp=Kp, Kd=Kd)
        equations, rule = equations._replace(damping=damping), rule._replace(choice=choice)
        return type(self.of)(one, equations, rule)


_CHOICES = {"minimum_norm": 1, "proximal": 2}
SHORT, UNSURE = 2, 3
"""Status codes of the kernel `KKT_dependent`: the rows are dependent; the rank is undecided."""


def make_plan(model: Model, held: ConstraintSet, seen: Snapshot | None = None) -> Ready:
    """Return the kernel and its arguments for a set of constraints, cached with the model."""
    return kept_for(held, seen or model.checked(), "KKT_FD", lambda: _ready(model, held.base))


def _ready(model: Model, held: ConstraintSet) -> Ready:
    from spatial_v2.engine.algorithms.KKT_FD import Constrained, KKT_FD_judged
    from spatial_v2.engine.parts.dependent_rows import Rule

    rule = Rule(0, TOLERANCE, NEAR * TOLERANCE, INERTIA)
    of = Constrained(constraint_arrays(model, held, None), equations_of(model, 0.0), rule)
    state, forces = [np.ones((1, n)) for n in (model.NQ, model.NV, model.NV)], [NO_FORCE] * 2
    out = np.zeros((1, model.NV, 1)), np.zeros((1, held.m, 1)), np.zeros(1, dtype=np.int64)
    return Ready(of, compiled_for(KKT_FD_judged, of, *state, *forces, *out))


def _batch_plan(
    model: Model, held: ConstraintSet, damping: float, gains: Gains | None, rank: Rank
) -> RecordPlan:
    """Return the plan of batches for given options, cached with the model."""
    seen = model.checked()

    def make() -> RecordPlan:
        of = make_plan(model, held, seen).with_options(held, damping, gains, rank)
        return plan_of("KKT_FD", of, True)

    key = damping, rank, gains and (gains.Kp.tobytes(), gains.Kd.tobytes())
    return kept_for(held, seen, key, make)


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
    made, verdict = make_plan(model, held), new_verdicts(len(arrays[0]))
    x, y = (z[..., None] for z in results)
    if not batched:
        made.run(made.with_options(held, damping, gains, rank), *arrays, x, y, verdict)
        return verdict
    left = allocate((len(x), 2 * held.m + model.NV))
    plan = _batch_plan(model, held, damping, gains, rank)
    plan.fill([x, y, left], arrays)
    m = held.m + model.NV
    return one_by_one(
        lambda *few: made.run(plan.record.of, *few), arrays, (x, y, verdict),
        ~is_plain(left[:, :m], left[:, m:], damping),
    )  # fmt: skip


def new_verdicts(states: int) -> np.ndarray:
    """Return an array of status codes, all zero: solved."""
    return np.zeros(states, dtype=np.int64)


def one_by_one(
    run: Callable[..., None], given: Sequence[np.ndarray], out: Sequence[np.ndarray],
    few: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Run a kernel, one state at a time, for the states that the mask `few` selects; return the
    status codes of all states.

    The last array of `out` has the status codes.
    """
    if few.any():
        parts = [z[few] for z in out]
        run(*(z[few] if len(z) else z for z in given), *parts)
        for z, part in zip(out, parts, strict=True):
            z[few] = part
    return out[-1]


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
        from spatial_v2.engine.parts.dependent_rows import Rule

        rule = Rule(_CHOICES.get(rank, 0), TOLERANCE, NEAR * TOLERANCE, INERTIA)
        run = functools.partial(_one_by_one(), equations_of(model, damping), rule)
        one_by_one(run, [H, G, sizes], (*out, verdict), short)
    return verdict


@functools.cache
def _one_by_one() -> Any:
    """Return the compiled kernel `KKT_dependent`."""
    from spatial_v2.engine.algorithms.KKT import Equations
    from spatial_v2.engine.algorithms.KKT_dependent import KKT_dependent
    from spatial_v2.engine.parts.dependent_rows import Rule

    one, none = np.ones((1, 1, 1)), np.zeros(1, dtype=np.int64)
    of = Equations(none - 1, 0.0), Rule(0, TOLERANCE, NEAR * TOLERANCE, INERTIA)
    return compiled_for(KKT_dependent, *of, one, one.copy(), one[0], one.copy(), one.copy(), none)


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
