"""Files for MATLAB and Octave that are written in MATLAB's language and call compiled functions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = ["OVER", "files_over"]

_FOLDER = Path(__file__).with_name("templates") / "matlab" / "over"
_CALLED = {
    "FDfb": "FDab",
    "IDfb": "HandC",
    "FDgq": "HandC",
    "BodyJacobian": "ID",
    "modID": "ID",
}
"""The compiled function that the file of another one calls; other files call none."""
OVER = {path.stem for path in _FOLDER.glob("*.m")}
"""Names of these files."""


def files_over(compiled: Iterable[str]) -> dict[str, str]:
    """Return the files that need no other compiled functions than some.

    Parameters
    ----------
    compiled : iterable of str
        Names of the compiled functions.

    Returns
    -------
    dict of str to str
        Name -> text.

    Examples
    --------
    >>> sorted(set(files_over(["ID"])) - set(files_over([])))
    ['BodyJacobian.m', 'modID.m']
    """
    there = set(compiled)
    names = sorted(x for x in OVER if _CALLED.get(x) is None or _CALLED[x] in there)
    return {f"{x}.m": (_FOLDER / f"{x}.m").read_text("utf-8") for x in names}
