"""How a call of a plan ended."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Status"]


class Status(IntEnum):
    """How results were filled, or why not; the numbers are those of the compiled fast path.

    But for the first, the call goes the way of the function, which says what is wrong or does
    without what hindered it.
    """

    DONE = 0
    """Results are there."""
    REFUSED = 1
    """The model or an array is not as it was or as it must be."""
    NOT_FINITE = 2
    """Something would be or is not finite."""
    OVERLAP = 3
    """A result overlaps an argument, another result or an array of the model."""
