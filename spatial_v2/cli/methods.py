"""``spatial-v2 check``: every method for the derivatives of a robot's dynamics, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings

if TYPE_CHECKING:
    from rich.table import Table

    from derivatives.reference.verify import Row

__all__ = ["check"]

METHODS = "analytic,chain-rule,finite-diff-2"
TOLERANCE = 1e-9
"""Largest RMSRE of an exact method that passes."""


def check(
    robot: Annotated[str, typer.Argument(help=ROBOT)] = "puma560",
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
    function: Annotated[
        Literal["ID", "FD"], typer.Option(help="Inverse or forward dynamics.")
    ] = "ID",
    methods: Annotated[
        str,
        typer.Option(
            help="Any of analytic, chain-rule, finite-diff-1, finite-diff-2, with commas between."
        ),
    ] = METHODS,
    samples: Annotated[
        int, typer.Option("--samples", "-n", min=1, help="Number of random states.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random states.")] = 0,
    order: Annotated[int, typer.Option(min=1, max=2, help="Up to first or second ones.")] = 2,
) -> None:
    """Compare methods for the derivatives with the complex and the bicomplex step.

    Prints the four errors of every quantity (maximum and root mean square, absolute and relative)
    and the time a state. Exit code 0: the exact methods agree; 1: one does not; 2: bad input.
    """
    from derivatives.reference.verify import verify
    from spatial_v2.cli.states import random_states
    from spatial_v2.cli.tables import console
    from spatial_v2.io import load_model

    with one_line_warnings():
        model = load_model(robot, floating_base)
    names = [name.strip() for name in methods.split(",") if name.strip()]
    states = random_states(model, samples, seed)
    rows = verify(model, states, function, names, orders=range(1, order + 1))
    out = console()
    count = "1 state" if samples == 1 else f"{samples} states"
    title = f"{model.name or robot}: {function}, NV = {model.NV}, {count}, seed {seed}"
    out.print(title, style="bold")
    out.print(_table(rows))
    failed = {
        row.method
        for row in rows
        if not row.method.startswith("finite-diff") and not row.errors.rmsre < TOLERANCE
    }
    if failed:
        out.print(f"FAILED: {', '.join(sorted(failed))} (limit {TOLERANCE:g})", style="bold red")
        raise typer.Exit(1)
    out.print(f"The exact methods agree within {TOLERANCE:g}.", style="green")


def _table(rows: list[Row]) -> Table:
    """One line a method and quantity."""
    from spatial_v2.cli.tables import duration, new_table

    numbers = ("max abs", "rms abs", "max rel", "rms rel", "time/state")
    table = new_table({"method": "left", "quantity": "left", **dict.fromkeys(numbers, "right")})
    for row in rows:
        last = row.quantity == "all"
        cells = [f"{e:.1e}" if e else "0" for e in row.errors]
        time = duration(row.seconds) if last else ""
        table.add_row(row.method, row.quantity, *cells, time, end_section=last)
    return table
