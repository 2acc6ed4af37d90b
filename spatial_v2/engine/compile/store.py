"""Cache of compiled functions on disk, stamped by their sources and verified by a digest.

A kernel includes the code of its parts, which are in other files. Numba stamps a cached function by
the kernel's own file; here the stamp covers the files that this file imports, in turn, so that a
change of a part, for instance by an upgrade, invalidates the kernels that have it, and no others.

A file ends with a digest of its contents, of the stamp and of the compilation target. A file with
another digest, truncated, damaged or of other origin, is not read: the function is compiled again
and the file replaced. Where no file can be written, functions are kept in memory only, and a
warning says so.
"""

import functools
import os
import pickle
import sys
import warnings
from hashlib import blake2b
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba

from spatial_v2.engine.compile.private import caching, runtime, serialize
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.shipped.sources import sources_of

_SIZE = 16


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=_SIZE).digest()


@functools.cache
def _date(sources: tuple[str, ...]) -> tuple[bytes, tuple[int, ...]]:
    """Return a digest of sources and of Numba's version, and the times of the sources."""
    data = (Path(x).read_bytes() for x in sources)
    return _digest(numba.__version__.encode(), *data), _times(sources)


def _times(sources: tuple[str, ...]) -> tuple[int, ...]:
    """Return the modification times of sources [ns]."""
    return tuple(os.stat(x).st_mtime_ns for x in sources)


def _sources(function: Any) -> tuple[str, ...]:
    """Return the sources of a function: those of its file, and of functions that it was given in
    place of global names, see `decorators.specialise`.
    """
    called = (function.__globals__.get(name) for name in function.__code__.co_names)
    functions = [function, *(x.py_func for x in called if hasattr(x, "py_func"))]
    files = {str(sys.modules[x.__module__].__file__) for x in functions}
    return tuple(sorted({source for file in files for source in sources_of(file)}))


def _named(key: Any) -> bytes:
    """Return the key of a compiled function: signature and SIMD width, which matters always."""
    return repr((SIMD_WIDTH, key)).encode()


class _Files:
    """Cache files of a function, one for each signature and SIMD width."""

    def __init__(self, base: str, sources: tuple[str, ...]) -> None:
        self.base, self.sources = base, sources
        self.stamp, self.times = _date(sources)

    def load(self, key: Any) -> Any:
        """Read a cached function, or return None."""
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        body, seal = data[:-_SIZE], data[-_SIZE:]
        return pickle.loads(body) if seal == self._seal(key, body) else None

    def save(self, key: Any, compiled: Any) -> None:
        """Write the file atomically; write nothing if a source has changed since the stamp."""
        if _times(self.sources) != self.times:
            return
        body, path = serialize.dumps(compiled), self._path(key)
        new = path.with_name(f"{path.name}.{uuid4().hex}")
        try:
            new.write_bytes(body + self._seal(key, body))
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return Path(f"{self.base}.{_digest(_named(key)).hex()[:8]}.nbc")

    def _seal(self, key: Any, body: bytes) -> bytes:
        return _digest(self.stamp, _digest(_named(key)), body)


class _Store:
    """Numba's cache of one function, with the files of this module."""

    def __init__(self, kept: Any, sources: tuple[str, ...]) -> None:
        self.kept = kept
        kept._cache_file = _Files(str(Path(kept.cache_path, kept._impl.filename_base)), sources)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kept, name)

    def load_overload(self, sig: Any, context: Any) -> Any:
        """Load the compiled function, or return None.

        Numba's own method initialises the compiler first, which takes a third of the time of a new
        process; it is initialised later if nothing is found. Cached code needs only the runtime.
        """
        runtime.rtsys.initialize(context)
        with self.kept._guard_against_spurious_io_errors():
            return self.kept._load_overload(sig, context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compiled function; if that fails, it is kept in memory only."""
        try:
            self.kept.save_overload(sig, data)
        except OSError as error:
            self.kept.disable()
            _say_unwritable(error.strerror or str(error))


def disk_cache(function: Any) -> Any:
    """Make the cache of a function: on disk, or none."""
    try:
        return _Store(caching.FunctionCache(function), _sources(function))
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
        if Path(function.__code__.co_filename).is_file():  # else it is generated, and never kept
            _say_unwritable("No folder for them can be written")
        return caching.NullCache()


@functools.cache
def _say_unwritable(why: str) -> None:
    warnings.warn(
        f"{why}: compiled kernels are not kept, so that each process compiles them anew. Set "
        "NUMBA_CACHE_DIR to a folder that can be written",
        RuntimeWarning,
        stacklevel=2,
    )
