"""Words that the messages of all readers share."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["listed", "unused"]


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names with commas between; of a long list the first ones and how many more there are.

    Examples
    --------
    >>> listed(["arm", "hand"]), listed(["arm", "hand", "finger"], most=1)
    ('arm, hand', 'arm and 2 more')
    """
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def unused(name: str, taken: set[str]) -> str:
    """The name, or the first of ``name_``, ``name__``, ... that is not taken; it is taken then.

    Examples
    --------
    >>> unused("joint7", {"joint7", "joint7_"})
    'joint7__'
    """
    while name in taken:
        name += "_"
    taken.add(name)
    return name
