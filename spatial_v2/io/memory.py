"""Usable memory of the machine, for checks before large allocations."""

from __future__ import annotations

import os

__all__ = ["gigabytes", "usable_memory"]

_SHARE = 0.8


def usable_memory() -> float:
    """Return the memory that one task may use, part of the machine's [bytes]; inf if unknown."""
    try:
        return _SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):
        return float("inf")


def gigabytes(size: float) -> str:
    """Format a number of bytes in a readable unit.

    Examples
    --------
    >>> gigabytes(2.5e9), gigabytes(3e6), gigabytes(1.2e13)
    ('2.5 GB', '0.003 GB', '12000 GB')
    """
    number = size / 1e9
    return f"{number:.0f} GB" if number >= 10 else f"{number:.2g} GB"
