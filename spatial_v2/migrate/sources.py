"""Text of MATLAB files, as the grammar reads it."""

from __future__ import annotations

import re
from contextlib import suppress

__all__ = ["POINTS", "decoded", "inserted", "with_plain_ends"]

OCTAVE_ENDS = re.compile(
    rb"((?:^|[;,\n])[ \t]*)(end(?:function|if|for|while|switch|_try_catch))(?![\w(])"
)
"""Words that end a block in Octave alone, at the beginning of a statement."""


POINTS = re.compile(rb"(?<![\w.%])(\d+)\.(\.?[*/\\^])")
"""Numbers whose point is followed by an operator, as in ``7.*s``."""


def with_plain_ends(source: bytes) -> bytes:
    """Return a source text of the same length with ``end`` in place of ``endif`` and its kin."""
    return OCTAVE_ENDS.sub(lambda found: found[1] + b"end".ljust(len(found[2])), source)


def decoded(source: bytes) -> str:
    """Return the text of a file: UTF-8; GB 18030 if other bytes than ASCII come in pairs; else
    Latin-1.
    """
    with suppress(UnicodeDecodeError):
        return source.decode()
    pairs = all(len(run) % 2 == 0 for run in re.findall(rb"[\x80-\xff]+", source))
    with suppress(UnicodeDecodeError):
        return source.decode("gb18030" if pairs else "latin-1")
    return source.decode("utf-8", errors="replace")


def inserted(source: bytes, what: list[tuple[int, str]]) -> bytes:
    """Insert strings into a source text at given positions."""
    parts, at = [], 0
    for place, sign in sorted(what, key=lambda x: x[0]):
        parts += [source[at:place], sign.encode()]
        at = place
    return b"".join([*parts, source[at:]])
