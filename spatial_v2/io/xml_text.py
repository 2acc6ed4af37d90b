"""Quoting of text for XML files."""

from __future__ import annotations

from html import escape

__all__ = ["quoted"]


def quoted(text: str) -> str:
    """Quote a string as the value of an attribute.

    The function of `xml.sax.saxutils` is not used because that module imports a network library.

    Examples
    --------
    >>> print(quoted('left "arm" & hand'))
    "left &quot;arm&quot; &amp; hand"
    """
    kept = escape(text).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    return f'"{kept}"'
