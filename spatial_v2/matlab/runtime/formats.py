"""Functions of text that give MATLAB's text, imported by translations."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

__all__ = ["MARK", "num2str", "sprintf", "strrep", "strsplit"]

_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f", "a": "\a", "b": "\b", "\\": "\\"}

MARK = r"%[-+ 0#]*\d*(?:\.\d+)?[diuoxXfeEgGsc]"
"""Pattern of one conversion in a format, such as ``%5.2f``."""


def sprintf(form: str, *values: Any) -> str:
    """Format values as MATLAB does: entry by entry; the format is repeated while entries are left.

    Parameters
    ----------
    form : str
        A format with MATLAB's conversions; escape sequences are already replaced.
    *values : str, float or array_like
        Text, numbers, and arrays of numbers, whose entries are taken column by column.

    Returns
    -------
    str
        The text, which ends before the first conversion that finds no value.

    Raises
    ------
    TypeError
        If a number meets ``%s``, a text a numerical conversion, or a number is complex.

    Examples
    --------
    >>> sprintf("%d, ", [1, 2, 3])
    '1, 2, 3, '
    >>> sprintf("%s: %5.2f|", "a", np.nan)
    'a:   NaN|'
    """
    parts = re.split(f"(%%|{MARK})", form)
    rest = [entry for value in values for entry in _entries(value)]
    if not any(re.fullmatch(MARK, part) for part in parts):
        return form.replace("%%", "%")
    made: list[str] = []
    first = True
    while first or rest:
        had, first = bool(rest), False
        for part in parts:
            if part == "%%":
                made.append("%")
            elif not re.fullmatch(MARK, part):
                made.append(part)
            elif rest:
                made.append(_converted(part, rest))
            elif had:
                return "".join(made)
    return "".join(made)


def _entries(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [value]
    x = np.asarray(value)
    if np.iscomplexobj(x):
        raise TypeError("sprintf: want text or real numbers, got complex ones; give real(x)")
    return list(x.astype(float).ravel(order="F"))


def _converted(mark: str, rest: list[Any]) -> str:
    """Format the next value, which is removed from the list."""
    x, letter = rest.pop(0), mark[-1]
    if letter == "c" and isinstance(x, str) and len(x) > 1:
        rest[:0] = list(x[1:])
        x = x[0]
    if isinstance(x, str) != (letter in "sc"):
        got = repr(x) if isinstance(x, str) else f"the number {x:g}"
        want = "text" if letter in "sc" else "a number"
        raise TypeError(f"sprintf: want {want} for {mark}, got {got}")
    if isinstance(x, str):
        return str(mark % x)
    if not math.isfinite(x):
        sign = "+" if "+" in mark and not x < 0 else "-" if x < 0 else ""
        side = "-" if "-" in mark else ""
        width = re.sub(r"^%[-+ 0#]*(\d*).*", r"\1", mark)
        return str(f"%{side}{width}s" % f"{sign}{'NaN' if math.isnan(x) else 'Inf'}")
    if letter in "diuoxX":
        return str(mark % int(x)) if x == int(x) else str(f"{mark[:-1]}e" % x)
    return str(mark % x)


def strsplit(s: str, delimiter: str) -> list[str]:
    """Split a text as MATLAB does: delimiters that follow one another are one.

    Escape sequences in the delimiter, such as a backslash and n, stand for their character.

    Examples
    --------
    >>> strsplit("a,,b", ",")
    ['a', 'b']
    """
    sign = re.sub(r"\\([nrtvfab\\])", lambda m: _ESCAPED[m[1]], delimiter)
    return re.split(f"(?:{re.escape(sign)})+", s)


def strrep(s: str, old: str, new: str) -> str:
    """Replace a text as MATLAB does: at every place, also where places overlap; an empty one never.

    Examples
    --------
    >>> strrep("222 22 2", "22", "*")
    '** * 2'
    """
    if not old:
        return s
    made, end = "", 0
    for found in re.finditer(f"(?={re.escape(old)})", s):
        made += s[end : found.start()] + new
        end = found.start() + len(old)
    return made + s[end:]


def num2str(x: Any, digits: int | None = None) -> str:
    """Format numbers as MATLAB does: integers in full, others to four decimals of the largest.

    Parameters
    ----------
    x : float or array_like
        A number, a row, or a matrix.
    digits : int, optional
        Number of significant digits, for a single number.

    Returns
    -------
    str
        The text; the rows of a matrix are lines.

    Raises
    ------
    TypeError
        If a number is complex.

    Examples
    --------
    >>> num2str(3.14159), num2str([1, 20]), num2str([1.5, 2])
    ('3.1416', '1  20', '1.5           2')
    """
    x = np.asarray(x)
    if np.iscomplexobj(x):
        raise TypeError("num2str: want real numbers, got complex ones: give real(x) and imag(x)")
    x = x.astype(float)
    if digits is not None and x.ndim == 0:
        return sprintf(f"%.{digits}g", x)
    found = np.abs(x[np.isfinite(x)])
    most = float(found.max(initial=0.0))
    size = math.floor(math.log10(most)) if most else 0
    if np.all((x == np.trunc(x)) | np.isnan(x)):
        width = max(size + 3, 0 if np.all(np.isfinite(x)) else 5)
        mark = f"%{width}d"
    else:
        precision = min(max(size, 0) + 5, 16)
        mark = f"%{precision + 7}.{precision}g"
    if x.ndim == 0:
        return sprintf(mark, x).strip()
    lines = ["".join(sprintf(mark, y) for y in row) for row in np.atleast_2d(x)]
    cut = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "\n".join(line[cut:] for line in lines)
