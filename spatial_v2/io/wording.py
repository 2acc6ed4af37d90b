"""Words that the messages of all readers share."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["listed"]


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names with commas between; of a long list the first ones and how many more there are.

    Examples
    --------
    >>> listed(["arm", "hand"]), listed(["arm", "hand", "finger"], most=1)
    ('arm, hand', 'arm and 2 more')
    """
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
