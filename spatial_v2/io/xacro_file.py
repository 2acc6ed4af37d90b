"""Expansion of files in xacro, the macro language of URDF."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

from spatial_v2.exceptions import ModelFileError

__all__ = ["expand_xacro"]


def expand_xacro(
    path: str | os.PathLike[str], arguments: Mapping[str, object] | None = None
) -> bytes | None:
    """Expand the macros of a file; return None if the package xacro is not installed.

    `arguments` are values for its ``xacro:arg``, by name.

    Raises
    ------
    ModelFileError
        If the file is invalid, or xacro reports an error.
    """
    from spatial_v2.io.xml_file import read_xml

    file = os.fspath(path)
    given: Any = arguments or {}
    if not isinstance(given, Mapping):
        want = "want values by their names, {'arm': 'left'}"
        raise ModelFileError(f"{file}: xacro_args: {want}, got {given!r}")
    try:
        xacro: Any = importlib.import_module("xacro")
    except ModuleNotFoundError:
        return None
    read_xml(file)
    try:
        words = {name: str(value) for name, value in given.items()}
        text: str = xacro.process_file(file, mappings=words).toxml()
    except Exception as e:
        raise ModelFileError(f"{file}: xacro cannot expand it: {e}") from e
    return text.encode()
