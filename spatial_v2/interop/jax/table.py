"""Layout of the table of a `Ticket`. Most of its numbers are addresses."""

from __future__ import annotations

__all__ = [
    "BATCH", "BYTES", "COPY", "HEAD", "KIND", "KINDS", "LISTS", "MADE", "MODEL", "MOST", "NDARRAY",
    "NDIM", "ORDER", "PLACE", "PYTHON", "REGISTRY", "SHAPE", "SIZE", "SNAPSHOT", "STATE", "TAKEN",
    "TREE", "WATCH", "WATCHED",
]  # fmt: skip

REGISTRY = "_spatial_v2_jax"
"""Attribute of `sys` that holds the addresses of tables by their keys."""
MOST = 16
"""Largest number of arguments and results of a kernel together."""
PYTHON, MODEL, SNAPSHOT, LISTS, NDARRAY, WATCHED, TREE, STATE, BATCH, TAKEN, MADE = range(11)
"""The foreign function that asks Python; the model, its snapshot, or zero where Python is always to
be asked, and its lists; NumPy's type of arrays; number of arrays that are watched; the words of the
tree, and the kernel's entries for states one by one and for SIMD batches; numbers of arguments of
the kernel, and of its results."""
ORDER, KINDS, HEAD = 11, 11 + MOST, 11 + 2 * MOST
"""For each argument of the kernel the operand that it is, or -1; for each of them, and each result,
the axes that belong to one state; then a row for each array of the model that is watched."""
OBJECT, KIND, PLACE, COPY, BYTES, NDIM, SHAPE, WATCH = range(8)
"""Such a row: the array and its dtype, where its numbers are and where a copy of them, how many
bytes these have, and its axes."""
SIZE = HEAD + 8 * WATCH
