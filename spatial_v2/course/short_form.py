"""`short_form`: an algorithm in a few lines, compared with the function of the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_v2.course.source import Source, source
from spatial_v2.exceptions import SpatialError

__all__ = ["ShortForm", "short_form"]

TOLERANCE = 1e-11
"""Largest difference, relative to the largest number of a result."""


@dataclass(frozen=True)
class ShortForm:
    """A comparison of a short function with a function of the library, for notebooks.

    Examples
    --------
    >>> from spatial_v2 import crm
    >>> from spatial_v2.course import short_form
    >>> short_form(lambda v: crm(v), crm, np.arange(6))
    The same numbers as crm.
    """

    name: str
    """Name of the function of the library."""
    source: Source
    """Its source code."""

    def _repr_markdown_(self) -> str:
        return (
            f"✓ `{self.name}` of the library gives the same numbers.\n\n"
            f"<details><summary>The code of <code>{self.name}</code> in the library</summary>\n\n"
            f"{self.source._repr_markdown_()}\n</details>\n"
        )

    def __repr__(self) -> str:
        return f"The same numbers as {self.name}."


def short_form(
    form: Callable[..., Any],
    function: Callable[..., Any],
    *arguments: Any,
    of: Callable[..., Any] | None = None,
) -> ShortForm:
    """Check that a short function computes the same as a function of the library.

    Parameters
    ----------
    form : callable
        An algorithm in a few lines, as a text explains it.
    function : callable
        The function of the library; its source code is displayed, folded.
    *arguments
        Arguments of both.
    of : callable, optional
        Function of the library whose result is compared, if it is another one than the function
        whose source code is displayed.

    Returns
    -------
    ShortForm
        The statement that both agree, and the code of the library, which notebooks display.

    Raises
    ------
    SpatialError
        If a result differs by more than rounding errors, or has another shape.

    Examples
    --------
    >>> from spatial_v2 import crf, crm
    >>> from spatial_v2.course import short_form
    >>> short_form(lambda v: -crm(v).T, crf, [1, 2, 3, 4, 5, 6])
    The same numbers as crf.
    """
    compared = function if of is None else of
    results, wanted = (_results(f(*arguments)) for f in (form, compared))
    name = getattr(function, "__name__", repr(function))
    shapes, want = ([x.shape for x in each] for each in (results, wanted))
    if shapes != want:
        raise SpatialError(f"short_form: want the shapes of {name}, {want}; got {shapes}")
    for x, y in zip(results, wanted, strict=True):
        off = float(np.abs(x - y).max(initial=0.0))
        if not off <= TOLERANCE * max(1.0, float(np.abs(y).max(initial=0.0))):
            raise SpatialError(
                f"short_form: want the numbers of {name}, got some that differ by {off:.0e}"
            )
    return ShortForm(name, source(function))


def _results(x: Any) -> list[np.ndarray]:
    return [np.asarray(part) for part in (x if isinstance(x, tuple | list) else (x,))]
