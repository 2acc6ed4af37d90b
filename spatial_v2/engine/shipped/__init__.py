"""Kernels that were compiled ahead, in shared libraries called by `ctypes`, without Numba."""
