"""Derivatives of constrained forward dynamics by kernels, for independent constraint rows."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.loading import load_kernel
from spatial_v2.calls.records import new_results
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.prepared import (
    Options,
    choice,
    constrained_record,
    second_order_record,
)
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

Arrays = Sequence[np.ndarray]
Shapes = list[tuple[int, ...]]


def _first_shapes(n: int, m: int) -> Shapes:
    return [(n + m,), (3, n, n), (3, m, n), (1,)]


def _second_shapes(n: int, m: int) -> Shapes:
    return [(n + m,), (4, n, n, n), (4, m, n, n), (1,)]


def _direction_shapes(n: int, m: int) -> Shapes:
    return [(n + m,), (n + m,), (1,)]


def _is_solved(z: np.ndarray, doubt: np.ndarray) -> bool:
    """Test if the solution z (n + m) of a state is finite, and that of clearly independent rows.

    Numbers whose squares overflow are taken for infinite ones, which the complete checks judge.
    """
    return bool(doubt[0] == 0 and math.isfinite(z.dot(z)))


def _read(made: Arrays, *of: Any) -> tuple[np.ndarray, ...] | None:
    """Return derivatives of accelerations, then those of multipliers, of one state."""
    z, dqdd, dlambda, doubt = made
    return (*dqdd, *dlambda) if _is_solved(z, doubt) else None


def _read_direction(made: Arrays, model: Model, *of: Any) -> tuple[np.ndarray, ...] | None:
    z, dz, doubt = made
    n = model.NV
    return (z[:n], z[n:], dz[:n], dz[n:]) if _is_solved(z, doubt) else None


choose_first = choice("KKT_FO_derivatives", _first_shapes, _read)
choose_second = choice("KKT_SO_derivatives", _second_shapes, _read, 2, second_order_record)
_DIRECTION = "KKT_FD_directional_derivative"
choose_direction = choice(_DIRECTION, _direction_shapes, _read_direction)
"""Prepared calls of the three functions for one state; see `choice`."""


def first_of_batch(
    model: Model, constraints: ConstraintSet, options: Options, arrays: Arrays, outs: Arrays
) -> np.ndarray:
    """Compute the results of `KKT_FO_derivatives` for a batch; return in which states they are
    valid.
    """
    record = constrained_record(model, constraints, options)
    shapes = _first_shapes(model.NV, constraints.m)
    _, *made, doubt = new_results("KKT_FO_derivatives", record, arrays, shapes, True)
    return _stored(outs, [x[:, k] for x in made for k in range(3)], doubt)


def direction_of_batch(
    model: Model, constraints: ConstraintSet, options: Options, arrays: Arrays, outs: Arrays
) -> np.ndarray:
    """Do the same for `KKT_FD_directional_derivative`."""
    n, record = model.NV, constrained_record(model, constraints, options)
    shapes = _direction_shapes(n, constraints.m)
    *made, doubt = new_results(_DIRECTION, record, arrays, shapes, True)
    return _stored(outs, [x for z in made for x in (z[:, :n], z[:, n:])], doubt)


def _stored(outs: Arrays, made: Arrays, doubt: np.ndarray) -> np.ndarray:
    for x, y in zip(outs, made, strict=True):
        x[...] = y
    return np.asarray(doubt[:, 0] == 0)


def second_of_batch(
    model: Model, constraints: ConstraintSet, options: Options, arrays: Arrays, outs: Arrays
) -> np.ndarray:
    """Compute the results of `KKT_SO_derivatives` for a batch, state by state; return in which
    states they are valid.
    """
    kernel = load_kernel("KKT_SO_derivatives")
    record = second_order_record(model, constraints, options)
    shapes = _second_shapes(model.NV, constraints.m)
    made = [allocate((1, *shape), result=False) for shape in shapes]
    valid = np.zeros(len(arrays[0]), dtype=bool)
    for b in range(len(valid)):
        kernel.run_states(record, [x[b : b + 1] if len(x) else x for x in arrays], made)
        valid[b] = made[3][0, 0] == 0
        for x, y in zip(outs, (*made[1][0], *made[2][0]), strict=True):
            x[b] = y
    return valid
