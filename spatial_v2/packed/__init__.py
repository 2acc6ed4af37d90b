"""Packed tensors: sparsity patterns, which follow from the tree, and values.

The second derivatives of the joint force with respect to two variables are zero if the joints are
not on one path from the root.
"""

from spatial_v2.packed.memory import keep_memory
from spatial_v2.packed.pattern import TensorPattern
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["PackedTensor", "TensorPattern", "keep_memory"]
