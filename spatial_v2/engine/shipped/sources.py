"""Sources that the code of kernels depends on, and a digest of them."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path

__all__ = ["source_digest", "source_files"]

_ENGINE = Path(__file__).parents[1]


def source_files() -> list[str]:
    """Return the files of the engine, and the table of joint types."""
    found = []
    for folder, inside, names in os.walk(_ENGINE):
        if "__pycache__" in inside:
            inside.remove("__pycache__")
        found += [os.path.join(folder, x) for x in names if x.endswith(".py")]
    return [*sorted(found), str(_ENGINE.parent / "joints" / "table.py")]


def source_digest() -> str:
    """Return a digest of all sources, as text."""
    return blake2b(b"".join(map(_read, source_files())), digest_size=16).hexdigest()


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()
