"""Arguments and results of a prepared call, and the steps that are not the usual ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from spatial_v2.engine.python_call import fits

__all__ = ["Arguments", "Results", "flattened"]


class Arguments(NamedTuple):
    """The arguments of a function for one state: lengths, shape of external forces, see
    `arguments.convert`, and places of quaternions in the first; no state is computed in which one
    is zero.
    """

    lengths: Sequence[int]
    force: tuple[int, ...] | None
    quaternions: Sequence[int] = ()


class Results(NamedTuple):
    """Results that are not simply the arrays that a kernel fills: steps in place of the usual ones.

    Attributes
    ----------
    shapes : sequence of tuple of int, optional
        Their shapes for one state, by default those of the kernel.
    new : callable, optional
        ``new(lead)`` allocates results with these leading axes; it returns them and their targets.
    targets : callable, optional
        ``targets(outs, lead)`` returns what the next two fill, for given results with leading axes,
        or None if they do not fit.
    one, batch : callable, optional
        Functions of targets and arguments that compute one state, and the states of a batch, and
        return a `Status`.
    returned : callable, optional
        Converts a tuple of given results to the return value, for a kernel whose own results are
        others; those of the function are copied into given arrays.
    """

    shapes: Sequence[tuple[int, ...]] | None = None
    new: Callable[[tuple[int, ...]], tuple[tuple[Any, ...], Any]] | None = None
    targets: Callable[[tuple[Any, ...], tuple[int, ...]], Any] | None = None
    one: Callable[[Any, tuple[Any, ...]], int] | None = None
    batch: Callable[[Any, tuple[Any, ...]], int] | None = None
    returned: Callable[[tuple[Any, ...]], Any] | None = None


def flattened(
    outs: Sequence[Any], shapes: Sequence[tuple[int, ...]], lead: tuple[int, ...]
) -> tuple[Any, ...] | None:
    """Return views of contiguous results (*lead, ...) with at most one leading axis; None if they
    have other shapes.
    """
    if len(outs) != len(shapes):
        return None
    pairs = list(zip(outs, shapes, strict=True))
    if not all(fits(x, (*lead, *shape)) for x, shape in pairs):
        return None
    if len(lead) < 2:
        return tuple(outs)
    return tuple([x.reshape(math.prod(lead), *shape) for x, shape in pairs])
