"""Arguments of constraint kernels, and the KKT equations of a batch by kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import load_kernel
from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kkt import INERTIA
from spatial_v2.constraints.rank import NEAR, TOLERANCE
from spatial_v2.constraints.residual import Gains
from spatial_v2.engine.tree import lower
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = [
    "RowDerivatives",
    "RowsOfBatch",
    "by_address",
    "equations_of",
    "forces_of",
    "held_of",
    "is_plain",
    "row_derivatives",
    "rows",
    "run_kernel",
    "size_of",
    "solve",
    "solve_first",
    "weighted_second_derivatives",
]


def run_kernel(kernel: str, of: Any, given: Sequence[np.ndarray], out: Any, batched: bool) -> None:
    given = [np.ascontiguousarray(x) for x in given]
    if not len(given[0]):
        return
    if batched:
        from spatial_v2.engine.numbers.batches import run

        run(load_kernel(kernel), of, given, out, batched)
        return
    key = kernel, *(x.flags.num for x in getattr(of, "tree", ()))
    if key not in _ENTRIES:
        _ENTRIES[key] = by_address(load_kernel(kernel), of, *map(np.ones_like, given), *out)
    _ENTRIES[key](of, *given, *out)


_ENTRIES: dict[Any, Any] = {}
"""Kernels for single states, by their names and the kinds of the tree's arrays."""


def held_of(model: Model, constraints: ConstraintSet, gains: Gains | None) -> Any:
    from spatial_v2.engine.parts.constraint_arrays import ConstraintArrays

    zero = np.zeros(constraints.m)
    Kp, Kd = (zero, zero) if gains is None else map(np.ascontiguousarray, gains)
    if Kp.any():
        constraints.check_places()
    return ConstraintArrays._make((kernel_tree(model), *constraints.table, Kp, Kd))


def equations_of(model: Model, damping: float) -> Any:
    from spatial_v2.engine.algorithms.KKT import Equations

    return Equations(model.checked().keep("above", lambda: _above(model)), damping)


def _above(model: Model) -> np.ndarray:
    """The velocity variable before each one on its way to the base, or -1."""
    above = np.arange(-1, model.NV - 1)
    for i, p in enumerate(model.layout.parent.tolist()):
        above[model.vinds[i].start] = model.vinds[p].stop - 1 if p >= 0 else -1
    return above


def size_of(n: int, m: int, columns: int) -> int:
    """Count of numbers in the arrays of a state with the given number of right-hand sides."""
    return 2 * n * n + 2 * m * n + 2 * (n + m) * columns


def forces_of(model: Model, forces: Sequence[np.ndarray]) -> dict[str, Any]:
    """External forces, in the base and in the bodies, as options of functions."""
    for frame, f in zip(("base", "body"), forces, strict=True):
        if f.size:
            f = lower(f, ("b", "6")) if model.is_planar else f
            return {"f_ext": f, "frame": frame}
    return {}


def by_address(function: Any, *args: Any) -> Any:
    """Compiled function for arguments of given types, called without checks of its arguments."""
    if not hasattr(function, "compile"):
        return function
    from numba import typeof

    return function.compile(tuple(map(typeof, args)))


def solve(
    model: Model, damping: float, H: np.ndarray, G: np.ndarray, top: np.ndarray,
    bottom: np.ndarray, batched: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """x (B, NV, n) and y (B, m, n) of the KKT equations, and left (B, m + NV) as of `KKT`."""
    x, y, left = allocate(top.shape), allocate(bottom.shape), _left(G)
    run_kernel("KKT", equations_of(model, damping), [H, G, top, bottom], [x, y, left], batched)
    return x, y, left


def _left(G: np.ndarray) -> np.ndarray:
    """Memory for the relative pivots of all rows, and of the diagonal entries of H."""
    return allocate((len(G), sum(G.shape[1:])))


def is_plain(left: np.ndarray, sizes: np.ndarray, damping: float) -> np.ndarray:
    """Return for each state whether H is regular and all rows are clearly independent."""
    m, least = sizes.shape[1], NEAR * TOLERANCE
    if left.min(initial=1.0) > least and sizes.min(initial=1.0) > least**2:
        return np.ones(len(left), dtype=bool)
    plain = (left[:, m:] > INERTIA).all(axis=1)
    if not damping:
        plain &= (left[:, :m] > least).all(axis=1) & (sizes > least**2).all(axis=1)
    return np.asarray(plain)


def solve_first(
    model: Model, damping: float, H: np.ndarray, given: Sequence[np.ndarray], batched: bool
) -> tuple[list[np.ndarray], np.ndarray]:
    """`Residual.first` of a batch, and left as of `KKT`.

    Given are G, the derivatives of `ID`, of ``G^T lambda_`` and of the residual.
    """
    (states, m, n), left = given[0].shape, _left(given[0])
    out = [allocate((states, k, n)) for k in (n, n, n, m, m, m)]
    run_kernel(
        "KKT_FO_derivatives", equations_of(model, damping), [H, *given], [*out, left], batched
    )
    return out, left


class RowsOfBatch(NamedTuple):
    """Rows of a batch: G (B, m, NV), their acceleration less the wanted one at ``qdd = 0`` (B, m).

    And their `Rows.sizes`.
    """

    G: np.ndarray
    alpha: np.ndarray
    sizes: np.ndarray


def rows(
    model: Model, state: Sequence[np.ndarray], constraints: ConstraintSet,
    baumgarte: Gains | None, batched: bool,
) -> RowsOfBatch:  # fmt: skip
    """The rows of a batch of q, qd and qdd."""
    shape = len(state[0]), constraints.m
    found = RowsOfBatch(allocate((*shape, model.NV)), allocate(shape), allocate(shape))
    held = held_of(model, constraints, baumgarte)
    run_kernel("constraint_rows", held, state, found, batched)
    return found


class RowDerivatives(NamedTuple):
    """Rows of a batch, and their derivatives: G, those of alpha - a*, and of ``G^T lambda_``."""

    G: np.ndarray
    alpha_q: np.ndarray
    alpha_qd: np.ndarray
    G_q_lambda: np.ndarray


def row_derivatives(
    model: Model, given: Sequence[np.ndarray], constraints: ConstraintSet,
    baumgarte: Gains | None, batched: bool,
) -> RowDerivatives:  # fmt: skip
    """Derivatives of the rows of a batch of q, qd, qdd and lambda, and of lambda's joint forces."""
    states, m, n = len(given[0]), constraints.m, model.NV
    out = [allocate((states, k, n)) for k in (m, m, m, n)]
    held = held_of(model, constraints, baumgarte)
    run_kernel("constraint_derivatives", held, given, out, batched)
    return RowDerivatives(*out)


def weighted_second_derivatives(
    model: Model, given: Sequence[np.ndarray], constraints: ConstraintSet,
    baumgarte: Gains | None, batched: bool,
) -> list[np.ndarray]:  # fmt: skip
    """Second derivatives of ``weight . (alpha - a*)`` of a batch of q, qd, qdd and weight.

    Along q, along q and by qd, by qd.
    """
    out = [allocate((len(given[0]), model.NV, model.NV)) for _ in range(3)]
    held = held_of(model, constraints, baumgarte)
    run_kernel("constraint_second_derivatives", held, given, out, batched)
    return out
