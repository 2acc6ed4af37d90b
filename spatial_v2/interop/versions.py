"""Checks of the versions of other tools."""

from __future__ import annotations

import re

__all__ = ["check_version"]


def check_version(tool: str, version: str, least: tuple[int, ...]) -> None:
    """Raise an ImportError for `spatial_v2.interop.<tool>` if the tool is older than `least`.

    Examples
    --------
    >>> check_version("torch", "2.4.0+cpu", (2, 4))
    """
    installed = tuple(int(n) for n in re.findall(r"\d+", version)[: len(least)])
    if installed < least:
        want = ".".join(map(str, least))
        raise ImportError(f"spatial_v2.interop.{tool} needs {tool} >= {want}, found {version}")
