"""``spatial-v2 check``: faults of a robot file, and what the model leaves out of it."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from spatial_v2.cli.derivatives import ROBOT

__all__ = ["check"]

STYLES = {"error": "bold red", "warning": "yellow", "note": "dim"}


def check(
    robot: Annotated[str, typer.Argument(help=ROBOT)] = "puma560",
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
) -> None:
    """Check a robot: inertias, limits, meshes, joints that follow others, loops, parts left out.

    Exit code 0: nothing but notes; 1: warnings or errors; 2: the file cannot be read.
    """
    from spatial_v2.cli.findings import Finding, findings
    from spatial_v2.cli.tables import console
    from spatial_v2.couplings.free import free_tree
    from spatial_v2.io import load_model

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = load_model(robot, floating_base, dynamics=True)
    all_of_them = [Finding("warning", str(x.message)) for x in caught]
    all_of_them += findings(model)
    out = console()
    title = f"{model.name or robot}: {free_tree(model).NB} bodies, NQ = {model.NQ}, NV = {model.NV}"
    out.print(title, style="bold")
    for level, style in STYLES.items():
        for finding in all_of_them:
            if finding.level == level:
                out.print(f"{level:8s}{finding.text}", style=style, markup=False, soft_wrap=True)
    bad = [x for x in all_of_them if x.level != "note"]
    if bad:
        out.print(f"{len(bad)} {'fault' if len(bad) == 1 else 'faults'} found.", style="bold red")
        raise typer.Exit(1)
    out.print("No faults found.", style="green")
