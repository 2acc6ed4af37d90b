"""Layout of the integer table of a `Ticket`; most entries are addresses."""

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
"""Indices of: the address of the foreign function that calls Python; the model; its snapshot, or
zero if Python must always be called; its lists; NumPy's array type; the number of arrays of the
model that are compared at each call; the addresses of the tree as kernels read it, and of the
kernel's entries for states one by one and for SIMD batches; the numbers of arguments and of results
of the kernel.
"""
ORDER, KINDS, HEAD = 11, 11 + MOST, 11 + 2 * MOST
"""First indices of: for each argument of the kernel, the number of its operand, or -1 if absent;
for each argument and result, the number of axes of one state; the rows of the compared arrays.
"""
OBJECT, KIND, PLACE, COPY, BYTES, NDIM, SHAPE, WATCH = range(8)
"""Columns of a row: addresses of the array, of its dtype, of its data and of their copy; number of
bytes; number of axes; address of its shape; then the length of a row.
"""
SIZE = HEAD + 8 * WATCH
