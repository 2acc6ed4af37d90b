"""Compiled functions on disk: dated by the whole engine, sealed, and done without where that fails.

A kernel holds the code of its parts, which stand in other files. Numba dates what it keeps by the
kernel's own file; here it is dated by all files of the engine, so that no kernel
outlives a change, an upgrade for instance, of one of its parts.

A file ends with a digest of what it holds, of that date and of what it was compiled for. One whose
digest is another, being cut short, damaged or foreign, is not looked into: the function is compiled
again and the file replaced. Where nothing can be written, functions stay in memory.
"""

from __future__ import annotations

import pickle
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba

from spatial_v2.engine.compile.simd_width import SIMD_WIDTH

__all__ = ["disk_cache"]

_caching: Any = import_module("numba.core.caching")
_serialize: Any = import_module("numba.core.serialize")
_nrt: Any = import_module("numba.core.runtime.nrt")

_ENGINE = Path(__file__).parents[1]
_SOURCES = [*sorted(_ENGINE.rglob("*.py")), _ENGINE.parent / "joints" / "table.py"]
_DATE = b"".join([str(numba.__version__).encode(), *(path.read_bytes() for path in _SOURCES)])
_SIZE = 16


def _times() -> list[int]:
    """When the sources were last written."""
    return [path.stat().st_mtime_ns for path in _SOURCES]


_TIMES = _times()


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=_SIZE).digest()


_STAMP = _digest(_DATE)


def _named(key: Any) -> bytes:
    """The signature of a compiled function, and the SIMD width: kernels of one state use it."""
    return repr((SIMD_WIDTH, key)).encode()


class _Files:
    """A file for each signature of a function, and each SIMD width."""

    def __init__(self, base: str) -> None:
        self.base = base

    def load(self, key: Any) -> Any:
        """Read what was saved, or return None."""
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        body, seal = data[:-_SIZE], data[-_SIZE:]
        return pickle.loads(body) if seal == self._seal(key, body) else None

    def save(self, key: Any, compiled: Any) -> None:
        """Write the whole file, or nothing; nothing if a source was written since the date."""
        if _times() != _TIMES:
            return
        body, path = _serialize.dumps(compiled), self._path(key)
        new = path.with_name(f"{path.name}.{uuid4().hex}")
        try:
            new.write_bytes(body + self._seal(key, body))
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return Path(f"{self.base}.{_digest(_named(key)).hex()[:8]}.nbc")

    def _seal(self, key: Any, body: bytes) -> bytes:
        return _digest(_STAMP, _digest(_named(key)), body)


class _Store:
    """Numba's keeping of one function, in files of our own, as far as there is a place for them."""

    def __init__(self, kept: Any) -> None:
        self.kept = kept
        kept._cache_file = _Files(str(Path(kept.cache_path, kept._impl.filename_base)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kept, name)

    def load_overload(self, sig: Any, context: Any) -> Any:
        """Load the compiled function, or return None.

        Numba prepares to compile before it looks, which takes a third of the time of a
        new process; where nothing is found it does so anyway. Code that was kept needs its runtime.
        """
        _nrt.rtsys.initialize(context)
        with self.kept._guard_against_spurious_io_errors():
            return self.kept._load_overload(sig, context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function; where that fails it is in memory."""
        try:
            self.kept.save_overload(sig, data)
        except OSError:
            self.kept.disable()


def disk_cache(function: Any) -> Any:
    """The cache of the compiled forms of a function: on disk, or none."""
    try:
        return _Store(_caching.FunctionCache(function))
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
        return _caching.NullCache()
