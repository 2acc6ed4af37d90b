"""Arguments of constraint kernels, and the KKT equations of a batch by kernels."""

import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from spatial_v2.calls.loading import load_kernel
from spatial_v2.calls.prepare import kernel_tree
from spatial_v2.calls.records import kept_record, new_results
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.coupled_rows import distances_of
from spatial_v2.constraints.residual import Gains
from spatial_v2.couplings import CoupledModel
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.parts.outcomes import report_length
from spatial_v2.model import Model
from spatial_v2.model.model_state import State, keep_in
from spatial_v2.model.scale import distances, own_length

RECORDS = 32
"""Largest number of records that are cached for a set of constraints: one per options."""

T = TypeVar("T")
_Kept = weakref.WeakKeyDictionary[ConstraintSet, dict[Any, Any]]


def kept_for(constraints: ConstraintSet, seen: State, key: Any, make: Callable[[], T]) -> T:
    """Return the result of `make` for a set of constraints and a key, cached with the state of the
    model.
    """
    kept = seen.keep("constraints", _Kept).setdefault(constraints.base, {})
    value: T = keep_in(kept, key, make, RECORDS)
    return value


def constraint_record(model: Model, constraints: ConstraintSet, gains: Gains | None) -> Record:
    """Return the record of kernels that take `ConstraintArrays`, cached with the model."""

    def make() -> Record:
        return Record(constraint_arrays(model, constraints, gains))

    key = gains and (gains[0].tobytes(), gains[1].tobytes())
    return kept_for(constraints, model.checked(), ("rows", key), make)


def equations_record(model: Model, damping: float) -> Record:
    """Return the record of kernels that take `Equations`, without damping cached with the model."""
    if damping:
        return Record(equations_of(model, damping))
    if isinstance(model, CoupledModel):
        kept: dict[Any, Record] = model._state.kept
        return keep_in(kept, equations_of, lambda: Record(equations_of(model)))
    return kept_record(model, equations_of)


def constraint_arrays(model: Model, constraints: ConstraintSet, gains: Gains | None) -> Any:
    """Return the constraints as the kernels' argument `ConstraintArrays`."""
    from spatial_v2.engine.constrained import ConstraintArrays

    zero = np.zeros(constraints.m)
    Kp, Kd = (zero, zero) if gains is None else map(np.array, gains)
    if Kp.any():
        constraints.check_places()
    return ConstraintArrays._make(
        (kernel_tree(model), *constraints.table, Kp, Kd, own_length(model))
    )


def equations_of(model: Model, damping: float = 0.0) -> Any:
    """Return the kernels' argument `Equations`: sparsity pattern of H, distances, and damping."""
    from spatial_v2.engine.constrained import Equations

    if isinstance(model, CoupledModel):
        return Equations(_above(model), distances_of(model), damping)
    kept = model.checked().keep("equations", lambda: (_above(model), distances(model)))
    return Equations(*kept, damping)


def _above(model: Model) -> np.ndarray:
    """Return the parent of each velocity variable, as `expandLambda` does: the previous variable of
    the joint, or the last variable of the parent joint; -1 for none.
    """
    above = np.arange(-1, model.NV - 1)
    for i, p in enumerate(model.layout.parent.tolist()):
        above[model.vinds[i].start] = model.vinds[p].stop - 1 if p >= 0 else -1
    return above


def size_of(n: int, m: int, columns: int) -> int:
    """Return the number of floats that one state needs: NV = n, m rows, `columns` right-hand
    sides.
    """
    return 2 * n * n + 2 * m * n + 2 * (n + m) * columns


def solve(
    model: Model, damping: float, H: np.ndarray, rows: Any, top: np.ndarray,
    bottom: np.ndarray, batched: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Solve the KKT equations for n right-hand sides and rows of any rank.

    Return the accelerations x (B, NV, n), the multipliers y (B, m, n), and the reports on the
    states, see `engine.parts.outcomes.report_of`.
    """
    arguments = [H, rows.G, rows.sizes, rows.least_pivots, top, bottom]
    shapes = top.shape[1:], bottom.shape[1:], (report_length(rows.G.shape[1]),)
    record = equations_record(model, damping)
    solution = new_results("KKT", record, arguments, shapes, batched)
    x, y, reports = fill_all("KKT", record, arguments, solution) if batched else solution
    return x, y, reports


def fill_all(
    kernel: str, record: Record, arguments: Sequence[np.ndarray], solution: list[np.ndarray]
) -> list[np.ndarray]:
    """Solve the states, one by one, that SIMD batches leave; the last array of `solution`, the
    results of a kernel, has the reports. Return the results.
    """
    unsolved = solution[-1][:, 0] != 0
    if unsolved.any():
        parts = [x[unsolved] for x in solution]
        some = [x[unsolved] if len(x) else x for x in arguments]
        load_kernel(kernel).run_states(record, some, parts)
        for x, part in zip(solution, parts, strict=True):
            x[unsolved] = part
    return solution


def solve_first(
    model: Model, damping: float, H: np.ndarray, arguments: Sequence[np.ndarray], batched: bool
) -> tuple[list[np.ndarray], np.ndarray]:
    """Compute `Residual.first` for a batch, and for each state if the results are valid.

    `arguments` has G, the derivatives of `ID`, of ``G^T lambda_``, and of the residual, the sizes
    of the rows, and the least pivots of H.
    """
    _, m, n = arguments[0].shape
    record, shapes = equations_record(model, damping), [(3, n, n), (3, m, n), (1,)]
    dqdd, dlambda, doubt = new_results("KKT_equations", record, [H, *arguments], shapes, batched)
    return [x[:, k] for x in (dqdd, dlambda) for k in range(3)], doubt[:, 0] == 0
