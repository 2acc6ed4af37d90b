"""Compiled kernels, one file an algorithm; nothing here is public.

Kernels know arrays and nothing of `Model`: they take a `Tree` and flat batches (B, n), work in the
ground frame, and treat one velocity variable at a time (rows of S), so that joints with several
freedoms need no special case beyond their transform.
"""
