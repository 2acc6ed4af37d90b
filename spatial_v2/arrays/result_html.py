"""Named results as they are shown: in one line, in notebooks as a table, and fields in `help`."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from html import escape
from itertools import pairwise
from operator import itemgetter
from textwrap import dedent
from typing import Any, TypeVar

import numpy as np

__all__ = ["array_html", "result_html", "result_text", "shown_in_notebooks"]

C = TypeVar("C", bound=type)
MOST = (8, 12)
"""Largest numbers of rows and columns of an array that is shown entry by entry."""
MOST_PRINTED = 100
"""Largest number of entries of an array, a list or a tuple that a prompt prints in full."""
CELL = "padding:3px 10px;text-align:left;vertical-align:top"
NUMBER = "padding:1px 6px;text-align:right;font-variant-numeric:tabular-nums"


class Field(property):
    """A field of a named tuple, whose text `help` reads from the source when it is asked for.

    Parameters
    ----------
    cls : type
        The class of named tuples.
    name : str
        Name of the field.

    Attributes
    ----------
    __doc__ : str
        The text on the field, or that of the class, where it describes all fields together.
    """

    def __init__(self, cls: type, name: str) -> None:
        super().__init__(itemgetter(cls._fields.index(name)))  # type: ignore[attr-defined]
        self._cls, self._name = cls, name

    @property
    def __doc__(self) -> str:
        return _notes(self._cls).get(self._name) or inspect.getdoc(self._cls) or ""

    @__doc__.setter
    def __doc__(self, text: str) -> None:
        """Take no text: `property` offers that of its getter."""


def shown_in_notebooks(cls: C) -> C:
    """Decorate a class of named tuples, so that notebooks show them as a table of fields, a prompt
    prints large arrays by their shapes, and `help` has the texts of the fields.

    Examples
    --------
    >>> from spatial_v2 import EnerMo, planar
    >>> "Kinetic energy" in EnerMo(planar(2), [0, 1], [1, 0])._repr_html_()
    True
    """
    setattr(cls, "_repr_html_", result_html)  # noqa: B010
    setattr(cls, "__repr__", result_text)  # noqa: B010
    for name in getattr(cls, "_fields", ()):
        setattr(cls, name, Field(cls, name))
    return cls


def result_text(result: Any) -> str:
    """Return the text of a named tuple, in which large arrays and lists are told by their sizes.

    Examples
    --------
    >>> from spatial_v2.spatial import InertiaParts
    >>> result_text(InertiaParts(np.zeros(1000), np.zeros(3), [0] * 1000))
    'InertiaParts(m=<array (1000,)>, c=array([0., 0., 0.]), I=<list of 1000>)'
    """
    fields = zip(result._fields, result, strict=True)
    each = ", ".join(f"{name}={_value_text(value)}" for name, value in fields)
    return f"{type(result).__name__}({each})"


def result_html(result: Any) -> str:
    """Return an HTML table of a named tuple: name, value and description of each field.

    Examples
    --------
    >>> from spatial_v2.spatial import InertiaParts
    >>> result_html(InertiaParts(2.0, np.zeros(3), np.eye(3))).count("<code>")
    3
    """
    cls: Any = type(result)
    notes = _notes(cls)
    rows = [
        f'<tr><td style="{CELL}"><code>{name}</code></td>'
        f'<td style="{CELL}">{_value_html(value)}</td>'
        f'<td style="{CELL};max-width:30em">{escape(notes.get(name, ""))}</td></tr>'
        for name, value in zip(result._fields, result, strict=True)
    ]
    return (
        f"<div><strong>{escape(cls.__name__)}</strong> {escape(_summary(cls))}"
        f"<table>{''.join(rows)}</table></div>"
    )


def array_html(x: Any) -> str:
    """Return HTML of a small array entry by entry, or of the shape and range of a large one.

    Examples
    --------
    >>> array_html(2.5), array_html(np.zeros((3, 40)))
    ('2.5', 'array (3, 40), all 0')
    """
    a = np.asarray(x)
    if a.ndim == 0:
        return escape(_number(a[()]))
    shape = f"array {a.shape}"
    if a.size == 0 or a.dtype.kind not in "iufcb":
        return escape(shape if a.dtype.kind in "iufcb" else f"{shape} of {a.dtype}")
    rows = a[None] if a.ndim == 1 else a
    if a.ndim <= 2 and rows.shape[0] <= MOST[0] and rows.shape[1] <= MOST[1]:
        lines = (
            "".join(f'<td style="{NUMBER}">{escape(_number(v))}</td>' for v in row) for row in rows
        )
        return f"<table><tr>{'</tr><tr>'.join(lines)}</tr></table>"
    if not a.any():
        return escape(f"{shape}, all 0")
    if a.dtype.kind in "cb":
        return escape(f"{shape}, {np.count_nonzero(a)} of {a.size} not zero")
    ends = f"{_number(a.min())} .. {_number(a.max())}"
    return escape(f"{shape}, {ends}, {np.count_nonzero(a)} of {a.size} not zero")


def _value_text(x: Any) -> str:
    if isinstance(x, np.ndarray) and x.size > MOST_PRINTED:
        return f"<array {x.shape}>"
    if type(x) in (list, tuple) and len(repr(x)) > 10 * MOST_PRINTED:
        return f"<{type(x).__name__} of {len(x)}>"
    return repr(x)


def _value_html(x: Any) -> str:
    if hasattr(x, "_repr_html_"):
        return str(x._repr_html_())
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return result_html(x)
    if isinstance(x, (int, float, complex, np.generic)) or hasattr(x, "__array__"):
        try:
            return array_html(x)
        except (TypeError, ValueError, RuntimeError):
            pass
    text = repr(x)
    return f"<code>{escape(text if len(text) <= 120 else text[:117] + '...')}</code>"


def _number(x: Any) -> str:
    return f"{x:.5g}" if isinstance(x, (float, complex, np.inexact)) else str(x)


@cache
def _notes(cls: type) -> dict[str, str]:
    """Return field -> description for a class of named tuples, from the docstring below the field
    in the source, or from the docstring of the class.
    """
    lines = inspect.cleandoc(cls.__doc__ or "").split("\n")
    notes: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        if head := re.fullmatch(r"(\w+(?:, \w+)*) : .*", line):
            names = [x for x in head[1].split(", ") if x in getattr(cls, "_fields", ())]
        elif names and line.startswith("    "):
            notes |= {x: f"{notes.get(x, '')} {line.strip()}".strip() for x in names}
        else:
            names = []
    try:
        tree = ast.parse(dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return notes
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    return notes | {
        a.target.id: " ".join(str(b.value.value).split())
        for a, b in pairwise(body)
        if isinstance(a, ast.AnnAssign) and isinstance(a.target, ast.Name)
        and isinstance(b, ast.Expr) and isinstance(b.value, ast.Constant)
    }  # fmt: skip


def _summary(cls: type) -> str:
    return inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")
