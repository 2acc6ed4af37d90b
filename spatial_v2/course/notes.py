"""Division of prose into what a slide shows and what is left to the notes of the lecturer."""

from __future__ import annotations

import re

__all__ = ["divided"]

SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z*`$\"(])")
WHOLE = re.compile(r"#|- |\d+\. |\||<|\$\$|!\[|```|\*\*\d+\.\d+\*\*|> \*\*Note\*\*\n>\n> \*\*After")
"""Beginnings of what a slide shows whole: headings, lists, tables, formulas, questions, aims."""
ASIDE = re.compile(r"> |In Featherstone, ")
LEADS_TO = re.compile(r"\$\$|- |\||```")
"""Beginnings of what the last sentence above it introduces."""


def divided(text: str) -> tuple[str, str]:
    r"""Divide prose into what a slide shows and what it leaves to notes.

    Of a paragraph, a slide shows one sentence: the one that introduces a formula, a list or code,
    else the first one with bold words, else the first one. Tips and references are notes.

    Parameters
    ----------
    text : str
        Markdown: paragraphs, with their formulas and lists.

    Returns
    -------
    shown, left : str
        Both parts, each in the order of the text.

    Examples
    --------
    >>> divided("One wheel turns. The other one has\nthe **same** speed.")
    ('The other one has\nthe **same** speed.', 'One wheel turns.')
    """
    paragraphs = text.split("\n\n")
    shown, notes = [], []
    for part, below in zip(paragraphs, [*paragraphs[1:], ""], strict=True):
        if WHOLE.match(part):
            shown.append(part)
            continue
        said = sentences(part)
        leads = part.endswith(":") or bool(LEADS_TO.match(below))
        bold = [k for k, x in enumerate(said) if "**" in x]
        keep = [len(said) - 1] if leads else bold[:1] or [0]
        keep = [] if ASIDE.match(part) else keep
        shown.append(" ".join(x for k, x in enumerate(said) if k in keep))
        notes.append(" ".join(x for k, x in enumerate(said) if k not in keep))
    return "\n\n".join(filter(None, shown)), "\n\n".join(filter(None, notes))


def sentences(paragraph: str) -> list[str]:
    """Divide a paragraph into sentences, which do not end within formulas, code or bold words."""
    parts: list[str] = []
    for part in SENTENCES.split(paragraph):
        if parts and any(parts[-1].count(mark) % 2 for mark in ("$", "`", "**")):
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    return parts
