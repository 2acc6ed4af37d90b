"""Names of files as functions are given them."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["path_name"]


def path_name(path: Any, name: str = "path") -> str:
    """Return the path that a function was given as text.

    Parameters
    ----------
    path : str or path
        The path.
    name : str, optional
        Name of the argument, for the error message.

    Raises
    ------
    TypeError
        If it is neither a string nor a path.

    Examples
    --------
    >>> path_name(3)
    Traceback (most recent call last):
    TypeError: path: want a string or a pathlib.Path, got int
    """
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(text, str):
        raise TypeError(f"{name}: want a string or a pathlib.Path, got {type(path).__name__}")
    return text
