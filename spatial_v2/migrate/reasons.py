"""Errors, and words for values in their reasons."""

from __future__ import annotations

from spatial_v2.exceptions import SpatialError

__all__ = ["MigrateError", "Undecided", "described"]

DESCRIBED = {
    "scalar": "a single number",
    "vector": "a row or column",
    "array": "an array of unknown shape",
    "empty": "an empty array",
    "text": "text",
    "lines": "text of several lines",
    "grid": "a cell of rows and columns",
    "symbol": "a symbolic expression",
    "symbols": "a symbolic matrix",
    "slice": "a range of indices",
    "spread": "all entries of a cell",
    "tuple": "several results",
    "options": "options of a solver",
    "handle": "the handle of a drawing",
    "object": "an object",
    "reference": "an object of a handle class",
    "nothing": "a value of unknown kind",
    "other": "a value of unknown kind",
}
"""Form of a value -> its name in messages, if that is not the form itself with an article."""


def described(form: str) -> str:
    """Return the name of a form in messages, with its article."""
    return DESCRIBED.get(form, f"a {form}")


class MigrateError(SpatialError):
    """A script that cannot be parsed."""


class Undecided(Exception):
    """Error in the translation of a statement, which is then left as a comment with the reason."""
