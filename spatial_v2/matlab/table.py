"""Table of MATLAB's functions, ``parity.toml``: their counterparts, and the differences."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from spatial_v2 import version_1

__all__ = ["ROWS", "TABLE", "VERSION_1", "Row"]

TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "parity.toml").read_text(encoding="utf-8")
)
"""Contents of ``parity.toml``: for each MATLAB folder a dictionary from names of functions to
values.
"""


class Row(NamedTuple):
    """Row of the table: a MATLAB function and its counterpart.

    Examples
    --------
    >>> ROWS["HandC"].outputs, ROWS["HandC"].usual
    (('H', 'C', 'info'), 2)
    """

    folder: str
    name: str
    python: tuple[str, ...] = ()
    """Dotted names of the counterparts in this library; empty if there is none."""
    instead: str = ""
    """Python code to use instead if there is no counterpart."""
    differs: str = ""
    """Differences of the first function in `python` from MATLAB in arguments and results."""
    better: str = ""
    missing: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    """Names of MATLAB's results if there are several."""
    usual: int = 1
    """Number of outputs of a call without ``nargout``."""


def _row(folder: str, name: str, value: Any) -> Row:
    """Parse a row, of any of the forms described at the head of the file."""
    if isinstance(value, str) and ": " in value:
        return Row(folder, name, instead=value.split(": ", 1)[1])
    given = dict(value) if isinstance(value, dict) else {"python": value}
    python = given["python"]
    usual, _, more = (part.split() for part in given.get("outputs", "").partition(";"))
    return Row(
        folder,
        name,
        (python,) if isinstance(python, str) else tuple(python),
        given.get("instead", ""),
        given.get("differs", ""),
        given.get("better", ""),
        tuple(given.get("missing", ())),
        (*usual, *more),
        max(1, len(usual)),
    )


ROWS = {name: _row(folder, name, x) for folder, rows in TABLE.items() for name, x in rows.items()}
"""Name in MATLAB -> row, of every function and script."""

VERSION_1 = {
    name: Row("version 1", name, instead=text)
    for name, text in version_1.VERSION_1.items()
    if name not in ("pitch", "grav_accn")
}
"""Name in version 1 of MATLAB's library -> row, of functions with another name."""
