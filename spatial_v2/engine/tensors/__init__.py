"""Packed tensors: order of their values, and kernels that compute and write them."""
