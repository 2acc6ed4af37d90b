"""Exponents of growth, and sizes at which methods cross, from rows of results."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["crossing", "crossing_size", "power"]

Row = dict[str, Any]


def power(rows: list[Row], y: str, *, n: str = "n", least: int = 10) -> float:
    """Fit ``log y = A log N + B`` over sizes from `least` on; return A (paper 000, Table III)."""
    points = [(row[n], row[y]) for row in rows if row[n] >= least]
    x, log_y = np.log(np.array(points, dtype=float).T)
    return float(np.polyfit(x, log_y, 1)[0])


def crossing_size(
    rows: list[Row], y: str, before: object, after: object, *, key: str = "method"
) -> float:
    """Return the size N, interpolated, from which method `after` stays below `before`.

    It is 0 if the method is below at all sizes, and infinite if it is not below at the largest.
    """
    old, new = ({row["n"]: row[y] for row in rows if row[key] == name} for name in (before, after))
    sizes = sorted(old)
    won = [n for n in sizes if all(new[m] < old[m] for m in sizes if m >= n)]
    if not won or won[0] == sizes[0]:
        return 0.0 if won else float("inf")
    a, b = sizes[sizes.index(won[0]) - 1], won[0]
    la, lb = (np.log(new[n] / old[n]) for n in (a, b))
    return float(np.exp(np.log(a) + np.log(b / a) * la / (la - lb)))


def crossing(rows: list[Row], y: str, before: object, after: object, *, key: str = "method") -> str:
    """Return the result of `crossing_size` as text, such as "23", "below 4" or "none up to 100"."""
    size = crossing_size(rows, y, before, after, key=key)
    sizes = [row["n"] for row in rows]
    if size == float("inf"):
        return f"none up to {max(sizes):g}"
    return f"{size:.0f}" if size else f"below {min(sizes):g}"
