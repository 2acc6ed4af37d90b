"""The command ``spatial-v2``, one file per subcommand; heavy imports wait until one runs."""

from __future__ import annotations

from typing import Annotated

import typer

from spatial_v2.cli.check_robot import check
from spatial_v2.cli.course import course
from spatial_v2.cli.derivatives import derivatives
from spatial_v2.cli.errors import OneLineErrors
from spatial_v2.cli.export import export
from spatial_v2.cli.help import help_on
from spatial_v2.cli.identify import identify
from spatial_v2.cli.identities import identities
from spatial_v2.cli.info import info
from spatial_v2.cli.methods import methods_of
from spatial_v2.cli.mex import mex
from spatial_v2.cli.migrate import migrate
from spatial_v2.cli.plot_robot import plot
from spatial_v2.cli.robots import robots
from spatial_v2.cli.show import show
from spatial_v2.cli.warmup import warmup

__all__ = ["app"]

app = typer.Typer(
    name="spatial-v2",
    cls=OneLineErrors,
    help="Rigid-body dynamics of robots with exact first and second derivatives.",
    epilog="Help on a command: spatial-v2 derivatives --help",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.command()(derivatives)
app.command()(info)
app.command("help")(help_on)
app.command()(robots)
app.command()(check)
app.command("methods")(methods_of)
app.command()(identify)
app.command()(identities)
app.command()(show)
app.command()(plot)
app.command()(course)
app.command()(migrate)
app.command()(warmup)
app.command()(export)
app.command()(mex)


def _version(wanted: bool) -> None:
    if wanted:
        from spatial_v2 import __version__

        typer.echo(f"spatial-v2 {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Rigid-body dynamics of robots with exact first and second derivatives."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
