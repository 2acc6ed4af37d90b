"""Tables and progress bars in the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from spatial_v2.cli.evaluate import Evaluation

__all__ = ["console", "duration", "index_range", "new_table", "progress_bar", "results_table"]


Justify = Literal["left", "right"]


def console() -> Console:
    """Return a console for plain text, at least 110 columns wide if it is no terminal."""
    out = Console(highlight=False, markup=False, emoji=False)
    if not out.is_terminal:
        out.width = max(out.width, 110)
    return out


def progress_bar(unit: str = "states") -> Progress:
    """Make a transient progress bar on standard error, silent if that is no terminal."""
    errors = Console(stderr=True)
    errors.quiet = not errors.is_terminal
    return Progress(
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=errors.quiet,
    )


def new_table(headings: Mapping[str, Justify]) -> Table:
    """Make an empty table from headings and the justification of each column."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="bold")
    for heading, justify in headings.items():
        table.add_column(heading, justify=justify, no_wrap=True)
    return table


def results_table(result: Evaluation) -> Table:
    """Make a table with a line per quantity: shape, nonzero entries, time per state, error."""
    headings: dict[str, Justify] = {
        "quantity": "left",
        "shape": "right",
        "nonzero": "right",
        "time/state": "right",
    }
    if result.errors:
        headings["relative error"] = "right"
    table = new_table(headings)
    for name, x in result.largest.items():
        nonzero = f"{np.count_nonzero(x)} of {x.size}"
        time = duration(result.seconds[name]) if name in result.seconds else '"'
        cells: list[str | Text] = [name, str((result.states, *x.shape)), nonzero, time]
        if result.errors:
            bad = name in result.failed
            verdict = f"{result.errors[name]:.1e} {'FAILED' if bad else 'ok'}"
            cells.append(Text(verdict, "bold red" if bad else "green"))
        table.add_row(*cells)
    return table


def duration(seconds: float) -> str:
    """Format a time in a suitable unit.

    Examples
    --------
    >>> duration(1.5e-6), duration(0.0123), duration(4.2)
    ('1.50 µs', '12.3 ms', '4.20 s')
    """
    unit, size = next(x for x in (("s", 1.0), ("ms", 1e-3), ("µs", 0.0)) if seconds >= x[1])
    return f"{seconds / (size or 1e-6):#.3g}".rstrip(".") + f" {unit}"


def index_range(indices: slice) -> str:
    """Format a range of indices by its first and last index.

    Examples
    --------
    >>> index_range(slice(0, 6)), index_range(slice(6, 7))
    ('0-5', '6')
    """
    last = indices.stop - 1
    return str(last) if last == indices.start else f"{indices.start}-{last}"
