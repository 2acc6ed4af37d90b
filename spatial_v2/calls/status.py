"""Outcomes of a call of a plan."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Status"]


class Status(IntEnum):
    """The outcome of filling results; the numbers are those of the compiled fast path.

    After any but the first the call takes the complete path, which explains what is wrong or does
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
