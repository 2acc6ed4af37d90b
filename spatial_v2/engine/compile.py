"""How kernels are compiled: once, kept on disk, without checks that the door has made already."""

from __future__ import annotations

from numba import njit

__all__ = ["inline", "jit"]

_OPTIONS = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "reassoc"},
}

jit = njit(**_OPTIONS)
"""Sums may be reordered and fused; NaN and infinity keep their meaning."""

inline = njit(**_OPTIONS, forceinline=True)
"""The same for small parts: no call is left in the kernel."""
