"""Values by the names of joints, shown one below the other."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

__all__ = ["NamedValues"]

_MOST = 9
"""Largest number of values that are shown one by one."""
_CELL = "padding:1px 10px;text-align:left"


class NamedValues(dict[str, Any]):
    """A dict of the values of joints by their names, which is shown as a table.

    Examples
    --------
    >>> NamedValues(hip=0.25, knee=np.array([1.0, -0.5]))
    hip   0.25
    knee  1 -0.5
    """

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {_shown(x)}" for name, x in self.items())

    def _repr_html_(self) -> str:
        rows = (
            f'<tr><td style="{_CELL}">{escape(name)}</td>'
            f'<td style="{_CELL}">{escape(_shown(x))}</td></tr>'
            for name, x in self.items()
        )
        return f"<table>{''.join(rows)}</table>"


def _shown(x: Any) -> str:
    """Return a few numbers with six digits, and shape and range of many."""
    if not hasattr(x, "dtype") or not hasattr(x.dtype, "kind") or x.dtype.kind == "O":
        return str(x)
    numbers = np.atleast_1d(np.asarray(x))
    if numbers.ndim == 1 and len(numbers) <= _MOST:
        return " ".join(f"{v + 0:.6g}" for v in numbers)  # without the sign of zeros
    shape = f"array {numbers.shape}"
    if numbers.dtype.kind not in "iuf" or not numbers.size:
        return shape
    return f"{shape}, {numbers.min():.6g} .. {numbers.max():.6g}"
