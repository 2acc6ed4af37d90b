"""``spatial-v2 identities``: the identities of spatial vectors, with their residuals."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spatial_v2.cli.files import AtomicFile, text_writer

if TYPE_CHECKING:
    from tensor_sva.suite import Result

__all__ = ["identities"]


def identities(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="M7, K2, ...; all by default.")
    ] = None,
    operators: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE[:NAME]",
            help="Evaluate them with the operators that a module names, in place of ours.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the random arguments.")] = 0,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write arguments and both sides for other programs (.json)."
        ),
    ] = None,
) -> None:
    """The identities of the tensor algebra, their cases and residuals."""
    from spatial_v2.exceptions import SpatialError
    from tensor_sva.suite import run
    from tensor_sva.suite.load import load_operators
    from tensor_sva.suite.run import chosen

    try:
        wanted = [x.name for x in chosen(names or None)]
    except SpatialError as e:
        raise typer.BadParameter(str(e), param_hint="NAME") from e
    with AtomicFile(export, (".json",), "--export") if export else nullcontext() as file:
        try:
            theirs, ways = load_operators(operators)
            results = run(theirs, wanted, seed, **ways)
        except SpatialError as e:
            raise typer.BadParameter(str(e), param_hint="--operators") from e
        _print(results)
        if file is not None:
            import json

            from tensor_sva.suite import test_vectors

            file.write(text_writer(json.dumps(test_vectors(wanted, seed))))
    missing, fallen = [r for r in results if r.missing], [r for r in results if r.falls]
    if fallen or len(missing) == len(results):
        raise typer.Exit(1)


def _print(results: list[Result]) -> None:
    from rich.text import Text

    from spatial_v2.cli.tables import console, new_table
    from tensor_sva.identities import IDENTITIES

    table = new_table({"": "left", "case": "left", "residual": "right"})
    table.add_column("statement", overflow="fold")
    for r in results:
        said = r.error or (
            f"needs {', '.join(r.missing)}" if r.missing else IDENTITIES[r.name].latex
        )
        for n, (case, residual) in enumerate((r.residuals or {"": float("nan")}).items()):
            style = "" if residual <= r.tolerance else "bold red"
            number = Text(f"{residual:.0e}" if residual == residual else "", style)
            statement = Text("" if n else said, "" if r.residuals else "bold red")
            table.add_row("" if n else r.name, case, number, statement)
    out = console()
    out.print(table)
    out.print(f"{sum(r.holds for r in results)} of {len(results)} identities hold")
