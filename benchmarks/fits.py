"""Exponents of growth, and sizes at which methods cross, from rows of results."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["crossing", "power"]

Row = dict[str, Any]


def power(rows: list[Row], y: str, *, n: str = "n", least: int = 10) -> float:
    """Fit ``log y = A log N + B`` over sizes from `least` on; return A (paper 000, Table III)."""
    points = [(row[n], row[y]) for row in rows if row[n] >= least]
    x, log_y = np.log(np.array(points, dtype=float).T)
    return float(np.polyfit(x, log_y, 1)[0])


def crossing(rows: list[Row], y: str, before: object, after: object, *, key: str = "method") -> str:
    """Return the size N from which method `after` stays below `before`, interpolated, as text."""
    old, new = ({row["n"]: row[y] for row in rows if row[key] == name} for name in (before, after))
    sizes = sorted(old)
    won = [n for n in sizes if all(new[m] < old[m] for m in sizes if m >= n)]
    if not won:
        return f"none up to {sizes[-1]:g}"
    if won[0] == sizes[0]:
        return f"below {sizes[0]:g}"
    a, b = sizes[sizes.index(won[0]) - 1], won[0]
    la, lb = (np.log(new[n] / old[n]) for n in (a, b))
    return f"{np.exp(np.log(a) + np.log(b / a) * la / (la - lb)):.0f}"
