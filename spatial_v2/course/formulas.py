"""Formulas as MathML, which browsers set without a script."""

from __future__ import annotations

import html
import re

from spatial_v2.exceptions import SpatialError

__all__ = ["mathml"]

FORMULA = re.compile(
    r"(?P<code>```.*?```|`[^`\n]*`)|\$\$(?P<display>.+?)\$\$|(?<!\\)\$(?P<inline>(?!\s)[^$\n]+(?:\n[^$\n]+)*?(?<!\s))\$(?!\d)",
    re.S,
)
MARKDOWN = {ord(x): f"&#{ord(x)};" for x in "*_|[]`~\\"}
"""Characters that mean something in Markdown."""


def mathml(text: str) -> str:
    r"""Replace formulas between dollar signs in Markdown by MathML; code keeps its dollar signs.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    str
        Markdown with elements ``math``.

    Raises
    ------
    SpatialError
        If a formula cannot be converted.

    Examples
    --------
    >>> from spatial_v2.course.formulas import mathml
    >>> mathml("`$HOME`, and prices of $5 and $6")
    '`$HOME`, and prices of $5 and $6'
    """
    return FORMULA.sub(_set, text)


def _set(match: re.Match[str]) -> str:
    if match["code"]:
        return match[0]
    from latex2mathml.converter import convert

    display = match["display"]
    tex = (display or match["inline"]).replace("{aligned}", "{split}")
    try:
        markup = convert(tex.strip(), display="block" if display else "inline")
    except Exception as e:  # latex2mathml has no common class of errors
        raise SpatialError(f"mathml: {tex.strip()!r}: {type(e).__name__}") from e
    parts = re.split(r"(<[^>]*>)", markup)
    shown = [x if x.startswith("<") else html.unescape(x).translate(MARKDOWN) for x in parts]
    return "".join(shown).replace("\n", " ")
