"""Signatures and docstrings of accelerated functions, as `help` and the documentation show them."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

from spatial_v2.calls.options import Options

OPTIONS = [
    inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=getattr(hint, "__forward_arg__", hint),
    )
    for name, hint in Options.__annotations__.items()
]
"""The fields of `Options` as parameters of a signature."""
DESCRIBED = """
out : array or tuple of array, optional
    Preallocated arrays for the results, which are returned.
workers : int, optional
    Number of threads that share a batch; -1 stands for all processors.
"""
"""Their description, which every docstring gets as its last parameters."""
PARAMETERS = re.compile(r"^( *)Parameters\n\1-+\n(?:.+\n)+", re.M)


def show_options(implementation: Callable[..., Any], *functions: Any) -> None:
    """Replace ``**options`` of a reference implementation by ``out`` and ``workers`` in the
    signatures and docstrings of its decorated forms.
    """
    whole = inspect.signature(implementation)
    own = [p for p in whole.parameters.values() if p.kind is not p.VAR_KEYWORD]
    signature = whole.replace(parameters=[*own, *OPTIONS])
    for function in functions:
        function.__signature__ = signature
        function.__doc__ = with_options(function.__doc__)


def with_options(docstring: str | None) -> str | None:
    """Return a docstring with the description of ``out`` and ``workers`` as its last parameters;
    the same, if it has no parameters or has these already.
    """
    section = PARAMETERS.search(docstring or "")
    if docstring is None or section is None or "out : " in section.group():
        return docstring
    described = textwrap.indent(DESCRIBED.lstrip(), section.group(1))
    return docstring[: section.end()] + described + docstring[section.end() :]
