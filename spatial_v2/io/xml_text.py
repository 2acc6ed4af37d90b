"""Text in XML files that we write."""

from __future__ import annotations

from html import escape

__all__ = ["quoted"]


def quoted(text: str) -> str:
    """A text as the value of an attribute, in its quotes.

    `xml.sax.saxutils` has the same, but imports a library for the network.

    Examples
    --------
    >>> print(quoted('left "arm" & hand'))
    "left &quot;arm&quot; &amp; hand"
    """
    kept = escape(text).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    return f'"{kept}"'
