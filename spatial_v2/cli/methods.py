"""``spatial-v2 methods``: every method for the derivatives of a robot's dynamics, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from derivatives.reference.verify import Row

__all__ = ["methods_of"]

METHODS = "analytic,chain-rule,finite-diff-2"


def methods_of(
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
            help="Any of analytic, chain-rule, finite-diff-1, finite-diff-2, separated by commas."
        ),
    ] = METHODS,
    samples: Annotated[
        int, typer.Option("--samples", "-n", min=1, help="Number of random states.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random states.")] = 0,
    order: Annotated[int, typer.Option(min=1, max=2, help="Highest order of derivatives.")] = 2,
) -> None:
    """Compare methods for the derivatives with the complex and the bicomplex step.

    All joints are free, also those that follow others in the robot's file.
    Prints the four errors of every quantity (maximum and root mean square, absolute and relative)
    and the time per state. Exit code 0: the exact methods agree; 1: one does not, or none is among
    them; 2: bad input.
    """
    from derivatives.reference.verify import verify
    from spatial_v2.cli.evaluate import TOLERANCE
    from spatial_v2.cli.limits import check_memory, check_time, memory_need
    from spatial_v2.cli.states import random_states
    from spatial_v2.cli.tables import console
    from spatial_v2.io import load_model

    names = [name.strip() for name in methods.split(",") if name.strip()]
    orders = range(1, order + 1)
    exact = _compared(names, orders)
    with one_line_warnings():
        model = load_model(robot, floating_base, couplings="free")
    need = memory_need(model.NQ, model.NV, order, checked=1, copies=3)
    check_memory(model.NV, need, samples, order, "--samples")
    states = random_states(model, samples, seed)
    (*_, first) = verify(model, states.at(slice(1)), function, [], orders=[1])
    check_time(samples, first.seconds * (model.NV if order == 2 else 1), "--samples")
    rows = verify(model, states, function, names, orders=orders)
    out = console()
    count = "1 state" if samples == 1 else f"{samples} states"
    title = f"{model.name or robot}: {function}, NV = {model.NV}, {count}, seed {seed}"
    out.print(title, style="bold")
    out.print(_table(rows))
    failed = {
        row.method for row in rows if row.method in exact and not row.errors.rmsre < TOLERANCE
    }
    if failed:
        out.print(f"FAILED: {', '.join(sorted(failed))} (limit {TOLERANCE:g})", style="bold red")
        raise typer.Exit(1)
    if not exact:
        out.print("No exact method is compared, so nothing is checked.", style="bold red")
        raise typer.Exit(1)
    out.print(f"The exact methods agree within {TOLERANCE:g}.", style="green")


def _compared(names: list[str], orders: Iterable[int]) -> list[str]:
    """Return the exact methods among those that are compared; raise an error if there is none."""
    from derivatives.reference.verify import METHODS, TRUTH

    compared = [
        name
        for name in names
        if name not in METHODS
        or any(METHODS[name][order - 1] and name != TRUTH[order - 1] for order in orders)
    ]
    if not compared:
        raise typer.BadParameter(
            "nothing is compared; name one of analytic, chain-rule, finite-diff-1, finite-diff-2 "
            "that gives derivatives of this order",
            param_hint="--methods",
        )
    return [name for name in compared if not name.startswith("finite-diff")]


def _table(rows: list[Row]) -> Table:
    """Make a table with one line per method and quantity."""
    from spatial_v2.cli.tables import duration, new_table

    numbers = ("max abs", "rms abs", "max rel", "rms rel", "time/state")
    table = new_table({"method": "left", "quantity": "left", **dict.fromkeys(numbers, "right")})
    for row in rows:
        last = row.quantity == "all"
        cells = [f"{e:.1e}" if e else "0" for e in row.errors]
        time = duration(row.seconds) if last else ""
        table.add_row(row.method, row.quantity, *cells, time, end_section=last)
    return table
