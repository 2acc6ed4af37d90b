"""A bar that shows how many pictures of a movie are drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TextIO

import numpy as np

__all__ = ["with_bar"]

WIDTH = 30
"""Number of characters of the bar."""


def with_bar(
    pictures: Iterable[np.ndarray], number: int, shown: bool | None = None
) -> Iterator[np.ndarray]:
    """Pass on pictures, and show on the terminal how many of them there are, and the time left.

    Parameters
    ----------
    pictures : iterable of arrays
        The pictures.
    number : int
        Number of all pictures.
    shown : bool, optional
        By default the bar is shown if the standard error output is a terminal.
    """
    out = sys.stderr
    if not (out is not None and out.isatty() if shown is None else shown):
        yield from pictures
        return
    begin = monotonic()
    try:
        for k, pixels in enumerate(pictures, 1):
            yield pixels
            _write(out, k, number, (monotonic() - begin) * (number - k) / k)
    finally:
        out.write("\r\x1b[K")
        out.flush()


def _write(out: TextIO, k: int, number: int, seconds: float) -> None:
    bar = "#" * (WIDTH * k // number)
    out.write(f"\r{bar:<{WIDTH}} {k} of {number} pictures, {seconds:.0f} s left \x1b[K")
    out.flush()
