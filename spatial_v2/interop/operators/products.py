"""Products with the derivatives of an operator, for automatic differentiation.

J is the first derivatives of an operator f, T its second derivatives, H(w) the second derivatives
of the weighted sum ``w . f``, u a direction in the variables::

    push            J u              linear in u; transposed: pull
    pull            J^T w            linear in w; transposed: push
    hessian_times   H(w) u           the derivative of pull along u; transposed in u: times_hessian
    times_hessian   u^T H(w)         the derivative of w . push(u)
    second          T u1 u2          the derivative of push(u1) along u2

The transpose of each product in u or w is again one of the five, and so is the derivative of push
and pull along the state; derivatives of the other three, third derivatives of f, are not available.
H is not symmetric for joints whose degrees of freedom do not commute. All arrays have the same
number of leading axes, of equal length or length one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.blocks import flattened
from spatial_v2.interop.operators.operator import Operator
from spatial_v2.model import Model

__all__ = ["hessian_times", "pull", "push", "second", "times_hessian", "value"]

Arrays = Sequence[Array]
ENTRIES = 2**24


def value(op: Operator, model: Model, x: Arrays, **options: Any) -> tuple[Array, ...]:
    """Evaluate the function at its arguments x; return the results as a tuple, even if one."""
    out = op.function(model, *x, **options)
    return tuple(out) if isinstance(out, tuple) else (out,)


def push(op: Operator, model: Model, x: Arrays, u: Arrays, **options: Any) -> tuple[Array, ...]:
    """Compute the derivatives of the results in a direction u.

    The direction has an array (..., NV) for each variable.
    """
    rows = op.jacobian(model, x, **options)
    return tuple(_sum([_last(J, v) for J, v in zip(row, u, strict=True)]) for row in rows)


def pull(op: Operator, model: Model, x: Arrays, w: Arrays, **options: Any) -> tuple[Array, ...]:
    """Compute the gradient of the sum of results with weights w.

    The gradient has an array (..., NV) for each variable.
    """
    return tuple(op.gradient(model, x, w, **options))


def hessian_times(
    op: Operator, model: Model, x: Arrays, w: Arrays, u: Arrays, **options: Any
) -> tuple[Array, ...]:
    """Compute the derivative, in a direction u, of the gradient that `pull` computes."""
    rows = op.hessian(model, x, w, **options)
    return tuple(_sum([_last(H, v) for H, v in zip(row, u, strict=True)]) for row in rows)


def times_hessian(
    op: Operator, model: Model, x: Arrays, w: Arrays, u: Arrays, **options: Any
) -> tuple[Array, ...]:
    """Compute the gradient of ``w . push(u)``, the weighted derivatives in a direction u."""
    columns = zip(*op.hessian(model, x, w, **options), strict=True)
    swapped = [[None if H is None else np.swapaxes(H, -1, -2) for H in row] for row in columns]
    return tuple(_sum([_last(H, v) for H, v in zip(row, u, strict=True)]) for row in swapped)


def second(
    op: Operator, model: Model, x: Arrays, u1: Arrays, u2: Arrays, **options: Any
) -> tuple[Array, ...]:
    """Compute the derivative, in a direction u2, of the derivative in a direction u1.

    Tensors of second derivatives are computed for a limited number of states at a time.
    """
    n, vectors = model.NV, [*x, *u1, *u2]
    force = options.pop("f_ext", None)
    leads = [y.shape[:-1] for y in vectors] + ([] if force is None else [force.shape[:-2]])
    lead = np.broadcast_shapes(*leads)
    flat = [flattened(y, lead, 1) for y in vectors]
    if force is not None:
        force = flattened(force, lead, 2)
    count, parts = len(flat[0]), []
    step = max(1, ENTRIES // n ** (2 + max(map(len, op.results))))
    for start in range(0, max(count, 1), step):
        part = slice(start, start + step)
        a, k = [y[part] for y in flat], len(x)
        if force is not None:
            options["f_ext"] = force[part]
        tensors = op.tensors(model, a[:k], **options)
        parts.append([_twice(rows, a[k : 2 * k], a[2 * k :]) for rows in tensors])
    whole = [np.concatenate(y) for y in zip(*parts, strict=True)]
    return tuple(y.reshape(*lead, *y.shape[1:]) for y in whole)


def _twice(rows: Any, u1: Arrays, u2: Arrays) -> Array:
    """Multiply the second derivatives of one result by both directions."""
    columns = [_sum([_last(T, v) for T, v in zip(row, u2, strict=True)]) for row in rows]
    return _sum([_last(T, v) for T, v in zip(columns, u1, strict=True)])


def _last(A: Any, x: Array) -> Any:
    """Multiply blocks (..., *core, n) by vectors (..., n); None stands for a zero block."""
    if A is None:
        return None
    lead = x.ndim - 1
    core = A.shape[lead:-1]
    flat = A.reshape(*A.shape[:lead], math.prod(core), A.shape[-1]) @ x[..., None]
    return flat.reshape(*flat.shape[:-2], *core)


def _sum(parts: Sequence[Any]) -> Any:
    there = [x for x in parts if x is not None]
    return sum(there[1:], there[0]) if there else None
