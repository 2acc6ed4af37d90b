"""Layout of the table of a `Ticket`. Most of its numbers are addresses."""

from __future__ import annotations

__all__ = [
    "ARMATURE", "BODIES", "BYTES", "COPY", "DAMPING", "FRICTION", "GRAVITY", "HEAD", "INERTIA",
    "JOINT", "KIND", "KINDS", "LISTS", "MODEL", "MOST", "NDARRAY", "NDIM", "ORDER", "PAR", "PARENT",
    "PLACE", "PYTHON", "REGISTRY", "SHAPE", "SIZE", "SNAPSHOT", "TERMS", "WATCH", "WATCHED",
    "XTREE",
]  # fmt: skip

REGISTRY = "_spatial_v2_jax"
"""Attribute of `sys` that holds the addresses of tables by their keys."""
MOST = 16
"""Largest number of arguments and results of a kernel together."""
PYTHON, MODEL, SNAPSHOT, LISTS, NDARRAY, BODIES, TERMS, WATCHED = range(8)
"""The foreign function that asks Python; the model, its snapshot, or zero where Python is always to
be asked, and its lists; NumPy's type of arrays; how many bodies there are, numbers of armature, and
arrays that are watched."""
PARENT, JOINT, PAR, XTREE, INERTIA, GRAVITY, ARMATURE, DAMPING, FRICTION = range(8, 17)
ORDER, KINDS, HEAD = 17, 17 + MOST, 17 + 2 * MOST
"""For each argument of the kernel the operand that it is, or -1; for each of them, and each result,
the axes that belong to one state; then a row for each array of the model that is watched."""
OBJECT, KIND, PLACE, COPY, BYTES, NDIM, SHAPE, WATCH = range(8)
"""Such a row: the array and its dtype, where its numbers are and where a copy of them, how many
bytes these have, and its axes."""
SIZE = HEAD + 8 * WATCH
