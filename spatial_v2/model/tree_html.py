"""The HTML form of a model in notebooks: its tree and a table of its joints."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spatial_v2.model.model import Model

__all__ = ["tree_html"]

_CELL = "padding:2px 10px;text-align:left"
_ROWS = 200
"""Largest number of joints in the table."""


def tree_html(model: Model, lines: Sequence[str]) -> str:
    """Return HTML with the lines of the tree, and a table with a row for each joint.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> tree_html(autoTree(2), ["a <tree>"]).count("<tr>")
    3
    """
    layout, limits = model.layout, model.limits or {}
    heads = ["body", "joint", "type", "q", "v", "parent", *(["limits"] if limits else [])]
    rows = [_row("th", heads)]
    for i, joint in enumerate(layout.joints[:_ROWS]):
        cells = [
            f"{i} {model.body_names[i]}", model.joint_names[i],
            joint.code + (f" (pitch {joint.pitch:g})" if joint.pitch else ""),
            _range(layout.qinds[i]), _range(layout.vinds[i]),
            "base" if layout.parent[i] < 0 else str(layout.parent[i]),
        ]  # fmt: skip
        if limits:
            bounds = limits.get(model.joint_names[i])
            cells.append(f"{bounds.lower:g} .. {bounds.upper:g}" if bounds else "")
        rows.append(_row("td", cells))
    more = f"<p>and {model.NB - _ROWS} more</p>" if model.NB > _ROWS else ""
    tree = "\n".join(escape(line) for line in lines[1 : _ROWS + 2])
    return (
        f"<div><strong>{escape(lines[0])}</strong>"
        f'<pre style="line-height:1.3">{tree}</pre>'
        f"<table>{''.join(rows)}</table>{more}</div>"
    )


def _row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f'<{tag} style="{_CELL}">{escape(x)}</{tag}>' for x in cells) + "</tr>"


def _range(indices: slice) -> str:
    last = indices.stop - 1
    return str(last) if last == indices.start else f"{indices.start}-{last}"
