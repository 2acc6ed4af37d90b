"""`source`: source code of an algorithm."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spatial_v2

__all__ = ["Source", "source"]


@dataclass(frozen=True)
class Source:
    """Lines of a source file, which notebooks display in colours.

    Examples
    --------
    >>> from spatial_v2 import Vpt
    >>> from spatial_v2.course import source
    >>> source(Vpt).path
    'spatial_v2/spatial/Vpt.py'
    """

    path: str
    """Path of the file, relative to the root of the sources."""
    text: str
    """The lines."""

    def _repr_markdown_(self) -> str:
        return f"`{self.path}`\n\n```python\n{self.text}\n```\n"

    def __repr__(self) -> str:
        return f"# {self.path}\n{self.text}"


def source(function: Callable[..., Any]) -> Source:
    """Return the source code of a function, without its docstring.

    Parameters
    ----------
    function : callable
        Any function; for a function with a kernel the reference implementation is shown.

    Returns
    -------
    Source
        The source code, which a notebook displays in colours.

    Examples
    --------
    >>> from spatial_v2 import crf
    >>> from spatial_v2.course import source
    >>> print(source(crf).text.splitlines()[0])
    def crf(v: Any) -> Array:
    """
    page = inspect.unwrap(getattr(function, "reference", function))
    lines, _ = inspect.getsourcelines(page)
    text = textwrap.dedent("".join(lines))
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    kept = text.splitlines()
    if ast.get_docstring(definition) is not None:
        last = definition.body[0].end_lineno or 0
        del kept[definition.body[0].lineno - 1 : last]
    first = definition.lineno - 1
    root = Path(spatial_v2.__file__).parents[1]
    path = Path(inspect.getsourcefile(page) or "").relative_to(root)
    return Source(path.as_posix(), "\n".join(kept[first:]).strip())
