"""Kernels, one algorithm per file, with the name of the public function.

A kernel takes a `Tree`, flat batches (B, n), then its results, which are zero on entry. Code that
several kernels share is in `parts`.
"""
