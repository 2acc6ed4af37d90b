"""Lists of names for error messages, and names that are not yet used."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["listed", "unused"]


def listed(names: Sequence[str], most: int = 20) -> str:
    """Join names by commas; a list longer than `most` ends in the number of names left out.

    Examples
    --------
    >>> listed(["arm", "hand"]), listed(["arm", "hand", "finger"], most=1)
    ('arm, hand', 'arm and 2 more')
    >>> listed(["arm", "hand"], most=2)
    'arm, hand'
    """
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def unused(name: str, taken: set[str]) -> str:
    """Return the first of ``name``, ``name_``, ... that is not in `taken`, and add it to `taken`.

    Examples
    --------
    >>> unused("joint7", {"joint7", "joint7_"})
    'joint7__'
    """
    while name in taken:
        name += "_"
    taken.add(name)
    return name
