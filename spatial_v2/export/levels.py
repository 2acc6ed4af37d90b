"""Levels of processors for which kernels are compiled ahead, and how a program tells them apart."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from spatial_v2.engine.shipped.library import LEVELS
from spatial_v2.exceptions import SpatialError

__all__ = ["ANY", "features", "levels_of", "runs_here", "tag"]

ANY = "any"
"""Stands for the three levels of x86-64, side by side; on other processors for `native`."""
_X86 = "x86-64-v4", "x86-64-v3", "x86-64-v2"
_V2 = "ssse3", "sse4.2", "popcnt"
_V3 = "avx", "avx2", "fma", "bmi", "bmi2"
_V4 = "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"
_NEEDS = {"x86-64-v2": _V2, "x86-64-v3": _V3, "x86-64-v4": (*_V3, *_V4)}
"""Features by which compilers tell a level of processors from the one below."""


def levels_of(level: str) -> tuple[str, ...]:
    """Return the levels that a name stands for, the best one first.

    Parameters
    ----------
    level : str
        ``any``, the name of a level, or names of several of x86-64, separated by commas.

    Returns
    -------
    tuple of str
        Names of levels.

    Raises
    ------
    SpatialError
        An unknown level, or several that no one library can have.

    Examples
    --------
    >>> levels_of("x86-64-v2,x86-64-v4")
    ('x86-64-v4', 'x86-64-v2')
    """
    if level == ANY:
        return _X86 if platform.machine().lower() in ("x86_64", "amd64") else ("native",)
    names = level.split(",")
    if not {*names} <= {*LEVELS}:
        raise SpatialError(f"level: want any, {', '.join(LEVELS)}, got {level!r}")
    if len(names) > 1 and not {*names} <= {*_X86}:
        raise SpatialError(f"level: want one, or several of {', '.join(_X86)}, got {level!r}")
    return tuple(x for x in LEVELS if x in names)


def tag(level: str) -> str:
    """Return the part of a C name that stands for a level.

    Parameters
    ----------
    level : str
        The level.

    Returns
    -------
    str
        Its name with underscores.

    Examples
    --------
    >>> tag("x86-64-v3")
    'x86_64_v3'
    """
    return level.replace("-", "_")


def features(wanted: Any) -> tuple[str, ...]:
    """Return the names of what a processor has in addition to its architecture.

    Parameters
    ----------
    wanted : Processor
        The processor, of `engine.compile.object_code`.

    Returns
    -------
    tuple of str
        Names, such as ``avx2``.
    """
    return tuple(x[1:] for x in wanted.features.split(",") if x.startswith("+"))


def runs_here(level: str, features: Sequence[str] = ()) -> str:
    """Return the C expression that tells if a processor has a level.

    Parameters
    ----------
    level : str
        The level.
    features : sequence of str, optional
        Features of the processor for which ``native`` code is compiled, by compilers' names.

    Returns
    -------
    str
        Calls of ``__builtin_cpu_supports``, or 1 where any processor of the architecture will do.

    Examples
    --------
    >>> runs_here("native", ["avx", "sse2"])
    '__builtin_cpu_supports("avx")'
    """
    native = [x for x in (*_V2, *_V3, *_V4) if x in features]
    needs = native if level == "native" else _NEEDS.get(level, ())
    return " && ".join(f'__builtin_cpu_supports("{x}")' for x in needs) or "1"
