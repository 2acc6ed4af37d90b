"""Signatures of accelerated functions, as `help`, editors and the documentation show them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from spatial_v2.calls.options import Options

__all__ = ["OPTIONS", "show_options"]

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


def show_options(implementation: Callable[..., Any], *functions: Any) -> None:
    """Replace ``**options`` by ``out`` and ``workers`` in the signatures that users see.

    Parameters
    ----------
    implementation : callable
        The reference implementation, whose signature ends with ``**options``.
    *functions : callable
        Its decorated forms, whose signatures are set.
    """
    whole = inspect.signature(implementation)
    own = [p for p in whole.parameters.values() if p.kind is not p.VAR_KEYWORD]
    signature = whole.replace(parameters=[*own, *OPTIONS])
    for function in functions:
        function.__signature__ = signature
