"""Call frame that XLA passes to a foreign function, laid out as in its C header.

A frame holds addresses of buffers, of which each says where its numbers are and what its lengths,
and of attributes, of which ours have one, a number. Offsets below are in bytes, from
``xla/ffi/api/c_api.h``, whose structures grow at their ends alone while `MAJOR` stays.
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
"""In the extension of a frame that only asks for the version; there `VERSION` is wanted here, too.
"""
_CREATE_ERROR, _INVALID, _ERROR_SIZE = 48, 3, 28
_WORD = ctypes.c_int64


@functools.cache
def is_there() -> bool:
    """Return whether this JAX has foreign functions as they are known here.

    Its header says so.
    """
    ffi: Any = getattr(jax, "ffi", None)
    if not hasattr(ffi, "ffi_lowering") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    header = Path(ffi.include_dir(), "xla", "ffi", "api", "c_api.h")
    if not header.exists():
        return False
    text = header.read_text(encoding="utf-8")
    found = [re.search(rf"XLA_FFI_API_{x} (\d+)", text) for x in ("MAJOR", "MINOR")]
    major, minor = (int(x[1]) if x else -1 for x in found)
    return major == MAJOR and minor >= MINOR


def _word(at: int) -> int:
    return _WORD.from_address(at).value


def attribute(frame: int) -> int:
    """The attribute: a pointer to a pointer to its kind and a pointer to the number."""
    return _word(_word(_word(_word(frame + ATTRIBUTES)) + 8))


def buffers(frame: int, which: int) -> list[np.ndarray]:
    """The arguments, or the results, as arrays."""
    count, listed = _word(frame + which - 16), _word(frame + which)
    found = []
    for k in range(count):
        buffer = _word(listed + 8 * k)
        at, rank, dims = (_word(buffer + x) for x in (BUFFER_DATA, BUFFER_RANK, BUFFER_DIMS))
        shape = tuple((_WORD * rank).from_address(dims)) if rank else ()
        size = math.prod(shape)
        memory = (ctypes.c_double * size).from_address(at) if size else b""
        found.append(np.ndarray(shape, np.float64, memory))
    return found


class _Wrong(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("message", ctypes.c_char_p),
        ("code", ctypes.c_int),
    )


_create = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


def error(frame: int, message: str) -> Any:
    """An error of XLA's with that message, which the call returns."""
    wrong = _Wrong(_ERROR_SIZE, None, message.encode(errors="replace"), _INVALID)
    return _create(_word(_word(frame + API) + _CREATE_ERROR))(ctypes.addressof(wrong))


def capsule(call: Callable[[int], Any]) -> tuple[int, Any]:
    """Address of a foreign function that calls one of Python, and what must be kept for it."""

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
