"""Sources that the code of kernels depends on, and a digest of them."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

__all__ = ["SOURCES", "source_digest"]

_ENGINE = Path(__file__).parents[1]
SOURCES = [*sorted(_ENGINE.rglob("*.py")), _ENGINE.parent / "joints" / "table.py"]
"""Files of the engine, and the table of joint types."""


def source_digest() -> str:
    """Return a digest of all sources, as text."""
    return blake2b(b"".join([x.read_bytes() for x in SOURCES]), digest_size=16).hexdigest()
