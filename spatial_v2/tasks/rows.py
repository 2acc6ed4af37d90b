"""The rows of Jacobians of frames that a task is about."""

from __future__ import annotations

from typing import Any, Literal

from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = ["Rows", "rows_of"]

Rows = Literal["pose", "position", "orientation"]


def rows_of(model: Model, rows: Any) -> slice:
    """Return the rows of rotations, of displacements, or both.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> rows_of(autoTree(2), "position")
    slice(3, 6, None)
    """
    turns, all_rows = (1, 3) if model.is_planar else (3, 6)
    known = {
        "pose": slice(0, all_rows),
        "position": slice(turns, all_rows),
        "orientation": slice(0, turns),
    }
    if not (isinstance(rows, str) and rows in known):
        raise SpatialError(f"rows: want 'pose', 'position' or 'orientation', got {rows!r}")
    return known[rows]
