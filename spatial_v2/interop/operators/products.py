"""Products with the derivatives of an operator, as automatic differentiation needs them.

With J the first derivatives of an operator f, T its second ones and H(w) those of ``w . f``::

    push            J u              linear in u; transposed: pull
    pull            J^T w            linear in w; transposed: push
    hessian_times   H(w) u           the derivative of pull along u; transposed in u: times_hessian
    times_hessian   u^T H(w)         the derivative of w . push(u)
    second          T u1 u2          the derivative of push(u1) along u2

These five are closed: each one's derivatives but those of second derivatives along the state, and
each one's transpose, is one of them. H is not symmetric where degrees of freedom do not commute.
Arrays have the same number of leading axes, of equal length or length one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.interop.operators.operator import Operator
from spatial_v2.model import Model

__all__ = ["hessian_times", "pull", "push", "second", "times_hessian", "value"]

Arrays = Sequence[Array]
ENTRIES = 2**24


def value(op: Operator, model: Model, x: Arrays, **options: Any) -> tuple[Array, ...]:
    """The results of the function, always a tuple."""
    out = op.function(model, *x, **options)
    return tuple(out) if isinstance(out, tuple) else (out,)


def push(op: Operator, model: Model, x: Arrays, u: Arrays, **options: Any) -> tuple[Array, ...]:
    """Derivatives of the results in a direction u, an array (..., NV) for each variable."""
    rows = op.jacobian(model, x, **options)
    return tuple(_sum([_last(J, v) for J, v in zip(row, u, strict=True)]) for row in rows)


def pull(op: Operator, model: Model, x: Arrays, w: Arrays, **options: Any) -> tuple[Array, ...]:
    """The gradient of results with weights w, an array (..., NV) for each variable."""
    return tuple(op.gradient(model, x, w, **options))


def hessian_times(
    op: Operator, model: Model, x: Arrays, w: Arrays, u: Arrays, **options: Any
) -> tuple[Array, ...]:
    """The derivative in a direction u of the gradient of results with weights w."""
    rows = op.hessian(model, x, w, **options)
    return tuple(_sum([_last(H, v) for H, v in zip(row, u, strict=True)]) for row in rows)


def times_hessian(
    op: Operator, model: Model, x: Arrays, w: Arrays, u: Arrays, **options: Any
) -> tuple[Array, ...]:
    """The gradient of the derivative in a direction u of results with weights w."""
    columns = zip(*op.hessian(model, x, w, **options), strict=True)
    swapped = [[None if H is None else np.swapaxes(H, -1, -2) for H in row] for row in columns]
    return tuple(_sum([_last(H, v) for H, v in zip(row, u, strict=True)]) for row in swapped)


def second(
    op: Operator, model: Model, x: Arrays, u1: Arrays, u2: Arrays, **options: Any
) -> tuple[Array, ...]:
    """The derivative in a direction u2 of that in a direction u1; from tensors, in blocks."""
    n, given = model.NV, [*x, *u1, *u2]
    force = options.pop("f_ext", None)
    leads = [y.shape[:-1] for y in given] + ([] if force is None else [force.shape[:-2]])
    lead = np.broadcast_shapes(*leads)
    flat = [np.broadcast_to(y, (*lead, y.shape[-1])).reshape(-1, y.shape[-1]) for y in given]
    if force is not None:
        core = force.shape[-2:]
        force = np.broadcast_to(force, (*lead, *core)).reshape(-1, *core)
    count, parts = len(flat[0]), []
    step = max(1, ENTRIES // n ** (2 + max(map(len, op.results))))
    for at in range(0, max(count, 1), step):
        part = slice(at, at + step)
        a, k = [y[part] for y in flat], len(x)
        if force is not None:
            options["f_ext"] = force[part]
        tensors = op.tensors(model, a[:k], **options)
        parts.append([_twice(rows, a[k : 2 * k], a[2 * k :]) for rows in tensors])
    whole = [np.concatenate(y) for y in zip(*parts, strict=True)]
    return tuple(y.reshape(*lead, *y.shape[1:]) for y in whole)


def _twice(rows: Any, u1: Arrays, u2: Arrays) -> Array:
    """One result: sums over both directions."""
    columns = [_sum([_last(T, v) for T, v in zip(row, u2, strict=True)]) for row in rows]
    return _sum([_last(T, v) for T, v in zip(columns, u1, strict=True)])


def _last(A: Any, x: Array) -> Any:
    """Blocks (..., *core, n) times vectors (..., n); nothing for nothing."""
    if A is None:
        return None
    lead = x.ndim - 1
    core = A.shape[lead:-1]
    flat = A.reshape(*A.shape[:lead], math.prod(core), A.shape[-1]) @ x[..., None]
    return flat.reshape(*flat.shape[:-2], *core)


def _sum(parts: Sequence[Any]) -> Any:
    there = [x for x in parts if x is not None]
    return sum(there[1:], there[0]) if there else None
