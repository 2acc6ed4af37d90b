"""An exported library that counts how often its own code asks for memory."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exported import Library

from spatial_v2.export import compiler

ASKED = "malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign"
COUNTS = """
#include <stddef.h>
size_t asked;
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
void *__real_aligned_alloc(size_t, size_t);
int __real_posix_memalign(void **, size_t, size_t);
void *__wrap_malloc(size_t n) { return asked++, __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t m) { return asked++, __real_calloc(n, m); }
void *__wrap_realloc(void *x, size_t n) { return asked++, __real_realloc(x, n); }
void __wrap_free(void *x) { asked++, __real_free(x); }
void *__wrap_aligned_alloc(size_t n, size_t m) { return asked++, __real_aligned_alloc(n, m); }
int __wrap_posix_memalign(void **x, size_t n, size_t m) {
    return asked++, __real_posix_memalign(x, n, m);
}
"""
FORMS = "", "_batch", "_packed", "_packed_batch"


class Watched:
    """Functions of a library, of which those that compute may not ask for memory."""

    def __init__(self, c: ctypes.CDLL, names: Sequence[str]) -> None:
        self.c, self.asked = c, ctypes.c_size_t.in_dll(c, "asked")
        self.computing = {f"sv2_{name}{form}" for name in names for form in FORMS}

    def __getattr__(self, name: str) -> Any:
        function = getattr(self.c, name)
        return self.watch(function) if name in self.computing else function

    def watch(self, function: Any) -> Any:
        def run(*given: Any) -> Any:
            before = self.asked.value
            status = function(*given)
            assert self.asked.value == before, f"{function.__name__} asks for memory"
            return status

        return run


def counted(folder: Path, place: Path, names: Sequence[str]) -> Library:
    """Link a static library with functions that count, and return it with these functions watched.

    The linker replaces calls in the objects of the library alone, not those of C's own library.
    """
    source, path = place / "counts.c", place / "counted.so"
    source.write_text(COUNTS)
    inside = (
        "-Wl,--whole-archive",
        str(folder / "lib" / "libspatial_v2.a"),
        "-Wl,--no-whole-archive",
    )
    flags = "-shared", "-fPIC", *(f"-Wl,--wrap={name}" for name in ASKED)
    subprocess.run(
        [*(compiler() or ()), *flags, str(source), *inside, "-lm", "-o", str(path)], check=True
    )
    library = Library(path)
    watched: Any = Watched(library.c, names)
    library.c = watched
    return library
