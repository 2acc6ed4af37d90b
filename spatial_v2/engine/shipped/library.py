"""The shared library with kernels for this processor, from the wheel or another folder.

A wheel has a library for each level of processors, such as ``x86-64-v3.so`` for those with AVX2.
The first one whose instructions this processor has is used. It has a digest of the sources from
which it was compiled: after an edit of one of these, its kernels no longer run, and are compiled
when they are called, as if there were no library.
"""

import ctypes
import functools
import os
import struct
import warnings
from pathlib import Path
from typing import Any

from spatial_v2.engine.shipped.sources import source_digest

VARIABLE = "SPATIAL_V2_KERNELS"
"""The environment variable that names another folder of libraries; 0 stands for none."""
FOLDER = Path(__file__).with_name("kernels")
LEVELS = ("native", "x86-64-v4", "x86-64-v3", "x86-64-v2", "aarch64")
"""Levels of processors in the order in which their libraries are tried."""

_unfit: list[str] = []


class Library:
    """A shared library with kernels; `export.shipped.build_kernels` makes it.

    `level` of processors is the name of the file, `stamp` a digest of the sources from which it was
    compiled, and `runs_here` is True if this processor has all instructions.
    """

    def __init__(self, path: Path) -> None:
        if not is_whole(path):
            raise OSError("the file is not complete")
        self.level, self._library = path.stem, ctypes.CDLL(str(path))
        self.width = ctypes.c_int.in_dll(self._library, "sv2_lanes").value
        stamp = ctypes.c_char_p.in_dll(self._library, "sv2_stamp").value
        self.stamp = (stamp or b"").decode()
        self.runs_here = bool(self._library.sv2_runs_here())
        word, place = ctypes.c_int64, ctypes.c_void_p
        self.run_batch = self.function(
            "sv2_run_batch", *[word] * 2, place, word, place, *[word] * 3
        )
        self.run_words = self.function("sv2_run_words", word, place, place)

    def function(self, name: str, *takes: Any) -> Any:
        """Return a function of the library that returns a status."""
        function = self._library[name]
        function.argtypes, function.restype = takes, ctypes.c_int
        return function

    def entry(self, name: str) -> int:
        """Return the address of the entry of a kernel in one of its forms; 0 if it is not there."""
        try:
            return ctypes.c_void_p.in_dll(self._library, f"sv2_entry_{name}").value or 0
        except ValueError:
            return 0


def is_whole(path: Path) -> bool:
    """Test that a library has not been cut short, which would end the process that loads it.

    The table of sections of an ELF file is at its end; other files are loaded as they are.
    """
    with path.open("rb") as file:
        head = file.read(64)
    if head[:4] != b"\x7fELF":
        return True
    if len(head) < 64:
        return False
    begin, size, count = *struct.unpack_from("<q", head, 40), *struct.unpack_from("<2H", head, 58)
    return path.stat().st_size >= int(begin) + int(size) * int(count)


@functools.cache
def library() -> Library | None:
    """Return the library for this processor, or None.

    It is None as well if the sources have changed since it was compiled, if another SIMD width is
    asked for, or if Numba's compiler is turned off, for a debugger.
    """
    named = os.environ.get(VARIABLE, "")
    if named == "0" or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return None
    folder, lanes = Path(named) if named else FOLDER, os.environ.get("SPATIAL_V2_LANES")
    there = sorted(folder.iterdir()) if folder.is_dir() else []
    files = [x for level in LEVELS for x in there if x.stem == level]
    if named and not files:
        _warn(f"{VARIABLE}: no library of kernels in {folder}")
    for path in files:
        try:
            built = Library(path)
        except (OSError, AttributeError, ValueError) as error:
            _warn(f"{path.name} cannot be used, kernels are compiled instead: {error}")
            continue
        if not built.runs_here:
            _unfit.append(built.level)
            continue
        if lanes not in (None, "", str(built.width)):
            continue
        if built.stamp == source_digest():
            return built
        _warn(f"{path.name} is of other sources than {FOLDER.parents[1]}: kernels are compiled")
        return None
    return None


def unfit_levels() -> str:
    """Return the levels of the libraries in the folder if this processor fits none of them.

    It is an empty string if there is no library, or one whose instructions this processor has.
    """
    return ", ".join(_unfit) if library() is None else ""


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=2)
