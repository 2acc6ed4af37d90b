"""``spatial-v2 identities``: the identities of spatial vectors, with their residuals or proofs."""

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
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Names (M7, K2); all by default."),
    ] = None,
    operators: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE[:NAME]",
            help="Evaluate the identities with the operators of this module.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random arguments.")] = 0,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write arguments and both sides for other programs (.json)."
        ),
    ] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove the identities; needs SymPy.")
    ] = False,
    steps: Annotated[
        bool, typer.Option("--steps", help="With --prove, print derivations line by line.")
    ] = False,
) -> None:
    """Check the identities of the tensor algebra: their cases and residuals, or their proofs."""
    from spatial_v2.exceptions import SpatialError
    from tensor_sva.suite import run
    from tensor_sva.suite.load import load_operators
    from tensor_sva.suite.run import chosen

    try:
        wanted = [x.name for x in chosen(names or None)]
    except SpatialError as e:
        raise typer.BadParameter(str(e), param_hint="NAME") from e
    if steps and not prove:
        raise typer.BadParameter("this option needs --prove", param_hint="--steps")
    if prove:
        if export:
            raise typer.BadParameter(
                "this option cannot be combined with --prove", param_hint="--export"
            )
        _prove(wanted, operators, steps)
        return
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


def _prove(wanted: list[str], operators: str | None, steps: bool) -> None:
    from spatial_v2.cli.proofs import print_proofs
    from spatial_v2.exceptions import SpatialError
    from tensor_sva.suite import prove
    from tensor_sva.suite.load import load_operators

    try:
        verdicts = prove(load_operators(operators)[0] if operators else None, wanted)
    except SpatialError as e:
        raise typer.BadParameter(str(e), param_hint="--operators") from e
    print_proofs(verdicts, steps)
    judged = [x for x in verdicts if not x.missing]
    if not judged or not all(x.holds for x in judged):
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
