"""Arguments and results of a prepared call, and the steps that are not the usual ones."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from spatial_v2.engine.python_call import fits


class Results(NamedTuple):
    """Results that are not simply the arrays that a kernel fills: steps beside the usual ones."""

    shapes: Sequence[tuple[int, ...]] | None = None
    """Their shapes for one state, by default those of the kernel."""
    new: Callable[[tuple[int, ...]], tuple[tuple[Any, ...], Any]] | None = None
    """``new(lead)`` allocates results with leading axes; it returns them and their targets."""
    targets: Callable[[tuple[Any, ...], tuple[int, ...]], Any] | None = None
    """``targets(outs, lead)`` returns what the next two fill, for given results, or None."""
    fill_one: Callable[[Any, tuple[Any, ...]], int] | None = None
    fill_batch: Callable[[Any, tuple[Any, ...]], int] | None = None
    """Compute one state, and a batch, from targets and arguments; return a `Status`."""
    returned: Callable[[tuple[Any, ...]], Any] | None = None
    """Converts a tuple of given results to the return value, for a kernel whose own results are
    others; those of the function are copied into given arrays."""


def flattened(
    outs: Sequence[Any], shapes: Sequence[tuple[int, ...]], lead: tuple[int, ...]
) -> tuple[Any, ...] | None:
    """Return views of results with at most one leading axis; None if they do not fit."""
    if len(outs) != len(shapes):
        return None
    pairs = list(zip(outs, shapes, strict=True))
    if not all(fits(x, (*lead, *shape)) for x, shape in pairs):
        return None
    if len(lead) < 2:
        return tuple(outs)
    return tuple([x.reshape(math.prod(lead), *shape) for x, shape in pairs])
