"""Layout of the integer table of a `Ticket`; most entries are addresses."""

from __future__ import annotations

__all__ = [
    "BATCH", "ENTRY", "KINDS", "MADE", "MODEL", "MOST", "ORDER", "PYTHON", "REGISTRY", "SIZE",
    "STATE", "TAKEN", "TREE",
]  # fmt: skip

REGISTRY = "_spatial_v2_jax"
"""Attribute of `sys` that has the tables by their keys, where compiled code finds them."""
MOST = 16
"""Largest number of arguments and results of a kernel together."""
PYTHON, MODEL, STATE, TREE, ENTRY, BATCH, TAKEN, MADE = range(8)
"""Indices of: the address of the foreign function that calls Python; the model; its state, or zero
if Python must always be called; the addresses of the tree as kernels read it, and of the kernel's
entries for states one by one and for SIMD batches; the numbers of arguments and of results of the
kernel.
"""
ORDER, KINDS, SIZE = 8, 8 + MOST, 8 + 2 * MOST
"""First indices of: for each argument of the kernel, the number of its operand, or -1 if absent;
for each argument and result, the number of axes of one state. Then the size of the table.
"""
