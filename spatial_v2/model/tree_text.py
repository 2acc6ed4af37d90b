"""Drawing of a kinematic tree as text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["tree_text"]


def tree_text(parent: np.ndarray, codes: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the lines of the drawing: one for the base and one for each body, depth first.

    Examples
    --------
    >>> print("\\n".join(tree_text(np.array([-1, 0, 0]), ["Rz", "Rx", "P"], ["a", "b", "c"])))
    base
    `- 0  Rz  a
       |- 1  Rx  b
       `- 2  P  c
    """
    children: list[list[int]] = [[] for _ in range(len(parent) + 1)]
    for body, above in enumerate(parent.tolist()):
        children[above].append(body)
    lines = ["base"]
    open_ends = [(body, "", body == children[-1][-1]) for body in reversed(children[-1])]
    while open_ends:
        body, indent, last = open_ends.pop()
        lines.append(f"{indent}{'`-' if last else '|-'} {body}  {codes[body]}  {names[body]}")
        indent += "   " if last else "|  "
        below = children[body]
        open_ends += [(child, indent, child == below[-1]) for child in reversed(below)]
    return lines
