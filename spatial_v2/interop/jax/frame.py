"""Call frame that XLA passes to a foreign function, laid out as in its C header.

A frame holds the addresses of buffers, each with its data pointer and dimensions, and of
attributes; the calls of this library have one attribute, an integer. Offsets below are in bytes,
from ``xla/ffi/api/c_api.h``; its structures only gain fields at their ends while `MAJOR` stays.
"""

from __future__ import annotations

import ctypes
import functools
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np

__all__ = [
    "ARGUMENTS", "ATTRIBUTES", "BUFFER_DATA", "BUFFER_DIMS", "BUFFER_RANK", "EXTENSION",
    "METADATA", "RESULTS", "VERSION", "attribute", "buffers", "capsule", "error", "is_there",
]  # fmt: skip

MAJOR, MINOR = 0, 1
VERSION = MINOR << 32 | MAJOR
EXTENSION, API, ARGUMENTS, RESULTS, ATTRIBUTES = 8, 16, 72, 112, 160
BUFFER_DATA, BUFFER_RANK, BUFFER_DIMS = 24, 32, 40
METADATA = 24
"""Offset in the frame's extension, which XLA passes to ask for the version: write `VERSION`."""
_CREATE_ERROR, _INVALID, _ERROR_SIZE = 48, 3, 28
_WORD = ctypes.c_int64


@functools.cache
def is_there() -> bool:
    """Return whether this JAX supports the version of foreign functions assumed here.

    The version is read from the C header that JAX installs.
    """
    ffi: Any = getattr(jax, "ffi", None)
    if not hasattr(ffi, "ffi_lowering") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    header = Path(ffi.include_dir(), "xla", "ffi", "api", "c_api.h")
    if not header.exists():
        return False
    text = header.read_text(encoding="utf-8")
    versions = [re.search(rf"XLA_FFI_API_{x} (\d+)", text) for x in ("MAJOR", "MINOR")]
    major, minor = (int(x[1]) if x else -1 for x in versions)
    return major == MAJOR and minor >= MINOR


def _word(address: int) -> int:
    return _WORD.from_address(address).value


def attribute(frame: int) -> int:
    """Read the integer attribute of a call, the key of its `Ticket`."""
    return _word(_word(_word(_word(frame + ATTRIBUTES)) + 8))


def buffers(frame: int, which: int) -> list[np.ndarray]:
    """View the buffers of a call as arrays; `which` is ARGUMENTS or RESULTS."""
    count, listed = _word(frame + which - 16), _word(frame + which)
    arrays = []
    for k in range(count):
        buffer = _word(listed + 8 * k)
        data, rank, dims = (_word(buffer + x) for x in (BUFFER_DATA, BUFFER_RANK, BUFFER_DIMS))
        shape = tuple((_WORD * rank).from_address(dims)) if rank else ()
        size = math.prod(shape)
        memory = (ctypes.c_double * size).from_address(data) if size else bytearray()
        arrays.append(np.ndarray(shape, np.float64, memory))
    return arrays


class _Wrong(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("message", ctypes.c_char_p),
        ("code", ctypes.c_int),
    )


_create = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


def error(frame: int, message: str) -> Any:
    """Create an XLA error with a message, for the call to return."""
    wrong = _Wrong(_ERROR_SIZE, None, message.encode(errors="replace"), _INVALID)
    return _create(_word(_word(frame + API) + _CREATE_ERROR))(ctypes.addressof(wrong))


def capsule(call: Callable[[int], Any]) -> tuple[int, Any]:
    """Return the address of a foreign function that calls `call`, and an object to keep alive."""

    def answer(frame: int) -> Any:
        try:
            extension = _word(frame + EXTENSION)
            if extension:
                _WORD.from_address(_word(extension + METADATA) + METADATA).value = VERSION
                return None
            return call(frame)
        except BaseException as wrong:
            return error(frame, f"{type(wrong).__name__}: {wrong}")

    function = _create(answer)
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address, function
