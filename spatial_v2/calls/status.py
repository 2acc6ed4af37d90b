"""Outcomes of a call of a plan."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Status"]


class Status(IntEnum):
    """Outcome of filling results; the values are those of the compiled fast path.

    After any but the first the call takes the complete path, which explains the error or succeeds
    in another way.
    """

    DONE = 0
    """The results are computed."""
    REFUSED = 1
    """The model was edited, or an array does not fit."""
    NOT_FINITE = 2
    """An argument or a result is not finite."""
    OVERLAP = 3
    """A result overlaps an argument, another result or an array of the model."""
