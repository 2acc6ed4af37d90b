"""Long lines of translations, split at the commas of their longest brackets."""

from __future__ import annotations

import re
import textwrap

__all__ = ["WIDTH", "laid_out"]

WIDTH = 100
SHORT = 20
"""Entries up to this length share lines."""
STRINGS = re.compile(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
CLOSING = {"(": ")", "[": "]", "{": "}"}


def laid_out(lines: list[str]) -> str:
    """Return the text of lines, the longest of which are split; docstrings and comments stay."""
    found: list[str] = []
    inside = False
    for line in lines:
        quotes = line.count('"""')
        if inside or quotes or len(line) <= WIDTH or line.lstrip()[:1] == "#":
            found.append(line)
        elif line.startswith("from "):
            head, names = line.split(" import ")
            shown = textwrap.wrap(names, WIDTH - 4, break_on_hyphens=False)
            found += [f"{head} import (", *(f"    {x}" for x in shown), ")"]
        else:
            found += _commented(line)
        inside ^= quotes % 2 == 1
    return "\n".join(found) + "\n"


def _commented(line: str) -> list[str]:
    """Split a line; a comment at its end goes before it."""
    at = _plain(line).find("  #")
    if at < 0:
        return _split(line)
    indent = line[: len(line) - len(line.lstrip())]
    return [indent + line[at:].strip(), *_split(line[:at])]


def _plain(line: str) -> str:
    """Return a line of the same length without the contents of its strings."""
    return STRINGS.sub(lambda found: "s" * len(found[0]), line)


def _spans(plain: str) -> list[tuple[int, int]]:
    """Return the places of the outermost brackets, the first and the last of each pair."""
    spans, open_ = [], list[int]()
    for at, sign in enumerate(plain):
        if sign in CLOSING:
            open_.append(at)
        elif sign in CLOSING.values() and open_:
            first = open_.pop()
            if not open_:
                spans.append((first, at))
    return spans


def _split(line: str) -> list[str]:
    """Return the lines of a statement, or of a part of one inside brackets."""
    if len(line) < WIDTH:  # a comma may follow
        return [line]
    spans = _spans(_plain(line))
    first, last = max(spans, key=lambda span: span[1] - span[0], default=(0, 0))
    if last - first < SHORT:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    head, body, tail = line[: first + 1], line[first + 1 : last], line[last:]
    while body[:1] == "[" and _spans(_plain(body))[0][1] == len(body) - 1:
        head, body, tail = head + "[", body[1:-1], "]" + tail
    items = _items(body)
    inner = indent + "    "
    if head[-2:] != "[[" and head[-2:] != "([" and len(inner + body) <= WIDTH:
        return [head, inner + body, indent + tail]
    if max(map(len, items)) <= SHORT:
        return [head, *_filled(items, inner), indent + tail]
    found = [head]
    for k, item in enumerate(items):
        *before, end = _split(inner + item)
        found += [*before, end + ("," if k < len(items) - 1 else "")]
    return [*found, indent + tail]


def _items(body: str) -> list[str]:
    """Return the parts of the contents of brackets between commas; a lambda is one part."""
    plain, spans = _plain(body), _spans(_plain(body))
    items, begin = [], 0
    for at, sign in enumerate(plain):
        inside = any(a < at < b for a, b in spans)
        if sign == "," and not inside and not re.search(r"\blambda\b[^:]*$", plain[begin:at]):
            items.append(body[begin:at].strip())
            begin = at + 1
    return [*items, body[begin:].strip()]


def _filled(items: list[str], indent: str) -> list[str]:
    lines, line = [], indent
    for k, item in enumerate(items):
        word = item + ("," if k < len(items) - 1 else "")
        if len(line) + 1 + len(word) > WIDTH and line.strip():
            lines.append(line)
            line = indent
        line += (" " if line.strip() else "") + word
    return [*lines, line]
