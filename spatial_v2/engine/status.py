"""Outcome of a call of a kernel."""

from enum import IntEnum


class Status(IntEnum):
    """Outcome of writing results into arrays; the extension and libraries of kernels number it so.

    After any outcome but the first, the call goes through all checks, and either raises an error
    that explains the reason or succeeds in another way.
    """

    DONE = 0
    """The results are computed."""
    REFUSED = 1
    """The model was edited, or an array does not fit."""
    NOT_FINITE = 2
    """An argument or a result is not finite."""
    OVERLAP = 3
    """A result overlaps an argument or another result."""
    FAILED = 4
    """There was no memory for the workspace of the kernel."""
