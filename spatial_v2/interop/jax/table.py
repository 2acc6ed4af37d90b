"""The table of a `Ticket`: where things are in it. Most of its numbers are addresses."""

from __future__ import annotations

__all__ = [
    "BODIES", "BYTES", "COPY", "GRAVITY", "HEAD", "INERTIA", "JOINT", "KIND", "KINDS", "LISTS",
    "MODEL", "MOST", "NDARRAY", "NDIM", "ORDER", "PAR", "PARENT", "PLACE", "PYTHON", "SHAPE",
    "SIZE", "SNAPSHOT", "WATCH", "WATCHED", "XTREE",
]  # fmt: skip

MOST = 16
"""The most arguments and results of a kernel together."""
PYTHON, MODEL, SNAPSHOT, LISTS, NDARRAY, BODIES = range(6)
"""The foreign function that asks Python; the model, its snapshot, or zero where Python is always to
be asked, and its lists; NumPy's type of arrays; the number of bodies."""
PARENT, JOINT, PAR, XTREE, INERTIA, GRAVITY = range(6, 12)
ORDER, KINDS, HEAD = 12, 12 + MOST, 12 + 2 * MOST
"""For each argument of the kernel the operand that it is, or -1; for each of them, and each result,
the axes that belong to one state; then a row for each array of the model that is watched."""
OBJECT, KIND, PLACE, COPY, BYTES, NDIM, SHAPE, WATCH = range(8)
"""Such a row: the array and its dtype, where its numbers are and where a copy of them, how many
bytes these have, and its axes."""
WATCHED = 5
SIZE = HEAD + WATCHED * WATCH
