"""Packed tensors: sparsity patterns, which follow from the tree, and values.

A second derivative of a joint force with respect to two variables is zero unless the joints of all
three are on one path from the root.
"""

from spatial_v2.packed.memory import keep_memory
from spatial_v2.packed.pattern import TensorPattern
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["PackedTensor", "TensorPattern", "keep_memory"]
