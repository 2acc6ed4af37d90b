"""Derivatives of constrained forward dynamics by kernels, for independent constraint rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from spatial_v2.calls.loading import load_kernel
from spatial_v2.calls.records import new_results
from spatial_v2.constraints.constrained_plan import ConstrainedPlan
from spatial_v2.constraints.one_state import Results, State, StateKernel
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = [
    "direction_of_batch",
    "direction_of_state",
    "first_of_batch",
    "first_of_state",
    "second_of_batch",
    "second_of_state",
]

Arrays = Sequence[np.ndarray]


def _first_shapes(plan: ConstrainedPlan) -> list[tuple[int, ...]]:
    """Return the shapes of the results of `KKT_FO_derivatives` for one state."""
    _, n, m = plan.sizes
    return [(n + m,), (3, n, n), (3, m, n), (1,)]


def _second_shapes(plan: ConstrainedPlan) -> list[tuple[int, ...]]:
    """Return the shapes of the results of `KKT_SO_derivatives` for one state."""
    _, n, m = plan.sizes
    return [(n + m,), (4, n, n, n), (4, m, n, n), (1,)]


def _is_solved(z: np.ndarray, doubt: np.ndarray) -> bool:
    """Test if the solution z (n + m) of a state is finite, and that of clearly independent rows.

    Numbers whose squares overflow are taken for infinite ones, which the complete checks judge.
    """
    return bool(doubt[0] == 0 and math.isfinite(z.dot(z)))


def _read_first(state: State, made: Results) -> Results | None:
    z, dqdd, dlambda, doubt = made
    return (*dqdd, *dlambda) if _is_solved(z, doubt) else None


first_of_state = StateKernel("KKT_FO_derivatives", _first_shapes, _read_first)
"""Computes the results of `KKT_FO_derivatives` for one state."""


def first_of_batch(model: Model, plan: ConstrainedPlan, arrays: Arrays, outs: Arrays) -> np.ndarray:
    """Compute the results of `KKT_FO_derivatives` for a batch; return in which states they are
    valid.
    """
    made = new_results("KKT_FO_derivatives", plan.record, arrays, _first_shapes(plan), True)
    _, dqdd, dlambda, doubt = made
    for x, y in zip(outs, (*dqdd.swapaxes(0, 1), *dlambda.swapaxes(0, 1)), strict=True):
        x[...] = y
    return np.asarray(doubt[:, 0] == 0)


def direction_of_state(state: State) -> Results | None:
    """Compute the results of `KKT_FD_directional_derivative` for one state."""
    _, n, m = state.plan.sizes
    z, dz, doubt = made = np.empty(n + m), np.empty(n + m), np.empty(1)
    others = np.array(state.directions)[None], *state.forces
    run = state.plan.one_state("KKT_FD_directional_derivative", z.shape, dz.shape, doubt.shape)
    run(state.arrays, others, made)
    done = _is_solved(z, doubt)
    return (z[:n], z[n:], dz[:n], dz[n:]) if done else None


def direction_of_batch(
    model: Model, plan: ConstrainedPlan, arrays: Arrays, outs: Arrays
) -> np.ndarray:
    """Compute the results of `KKT_FD_directional_derivative` for a batch; return in which states
    they are valid.
    """
    _, n, m = plan.sizes
    arguments = [*arrays[:3], np.stack(arrays[3:6], axis=1), *arrays[6:]]
    shapes = [(n + m,), (n + m,), (1,)]
    made = new_results("KKT_FD_directional_derivative", plan.record, arguments, shapes, True)
    z, dz, doubt = made
    for x, y in zip(outs, (z[:, :n], z[:, n:], dz[:, :n], dz[:, n:]), strict=True):
        x[...] = y
    return np.asarray(doubt[:, 0] == 0)


def _second(model: Model, plan: ConstrainedPlan, arrays: Arrays, made: Arrays) -> None:
    """Fill the results `made` of the kernel for one state."""
    load_kernel("KKT_SO_derivatives").run_states(plan.second(model), arrays, made)


def second_of_state(state: State) -> Results | None:
    """Compute the results of `KKT_SO_derivatives` for one state."""
    made = [allocate((1, *shape)) for shape in _second_shapes(state.plan)]
    arrays = [*(x[None] for x in state.arrays), *state.forces]
    _second(state.model, state.plan, arrays, made)
    done = _is_solved(made[0][0], made[3][0])
    return (*made[1][0], *made[2][0]) if done else None


def second_of_batch(
    model: Model, plan: ConstrainedPlan, arrays: Arrays, outs: Arrays
) -> np.ndarray:
    """Compute the results of `KKT_SO_derivatives` for a batch, state by state; return in which
    states they are valid.
    """
    made = [allocate((1, *shape), result=False) for shape in _second_shapes(plan)]
    valid = np.zeros(len(arrays[0]), dtype=bool)
    for b in range(len(valid)):
        _second(model, plan, [x[b : b + 1] if len(x) else x for x in arrays], made)
        valid[b] = made[3][0, 0] == 0
        for x, y in zip(outs, (*made[1][0], *made[2][0]), strict=True):
            x[b] = y
    return valid
