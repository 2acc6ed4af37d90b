"""How kernels are compiled: once, kept on disk, without checks that the door has made already."""

from __future__ import annotations

from numba import njit

__all__ = ["jit"]

jit = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
"""Sums may be reordered and fused; NaN and infinity keep their meaning."""
