"""How kernels are compiled: once, kept on disk, without checks that the door has made already."""

from __future__ import annotations

from typing import Any

from numba import njit

__all__ = ["inline", "jit"]

_OPTIONS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "reassoc"},
    "no_cfunc_wrapper": True,
}

jit = njit(**_OPTIONS)
"""Sums may be reordered and fused; NaN and infinity keep their meaning."""

inline = njit(**_OPTIONS | {"forceinline": True, "no_cpython_wrapper": True})
"""The same for small parts: no call is left in the kernel."""
