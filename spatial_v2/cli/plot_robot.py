"""``spatial-v2 plot``: charts of a robot, its motion, its derivatives and the identities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings
from spatial_v2.cli.files import AtomicFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from spatial_v2.model import Model

__all__ = ["plot"]

SUFFIXES = (".png", ".svg", ".pdf")
TITLES = {
    "sparsity": "joint-space inertia matrix",
    "motion": "position variables",
    "energy": "energy of a free motion",
    "errors": "errors of derivatives of inverse dynamics",
}
"""Titles of the charts, after the name of the robot."""


def plot(
    chart: Annotated[
        Literal["tree", "sparsity", "motion", "energy", "errors", "identities"],
        typer.Argument(
            help="What to draw: the tree; the sparsity of the mass matrix; joints over time with "
            "their limits; energies of a free motion; errors of methods for derivatives, with all "
            "joints free; residuals of the identities."
        ),
    ],
    robot: Annotated[str, typer.Argument(help=ROBOT)] = "puma560",
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="The picture: .png, .svg or .pdf.")
    ] = Path("plot.png"),
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
    motion: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Read a motion: arrays t and q in .npz or .mat, an instant per row. A free motion "
            "from a random state if not given.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=1000, help="Duration of a free motion.")
    ] = 2.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random states.")] = 0,
) -> None:
    """Draw a chart of a robot into a file.

    The same charts are functions of spatial_v2.plots, which draw into given matplotlib axes.
    """
    if motion and chart != "motion":
        raise typer.BadParameter("is only possible for the chart motion", param_hint="--motion")
    with AtomicFile(out, SUFFIXES, "--out") as file:
        from matplotlib import pyplot as plt
        from matplotlib.figure import Figure

        from spatial_v2.engine.compile.notice import silent
        from spatial_v2.io import load_model

        with one_line_warnings():
            free = chart == "errors"
            model = load_model(robot, floating_base, couplings="free" if free else "auto")
        with silent():
            ax = _drawn(chart, model, motion, seconds, seed)
        figure = ax.figure
        assert isinstance(figure, Figure)
        if chart != "identities":
            name = model.name or robot
            figure.suptitle(f"{name}: {TITLES[chart]}" if chart in TITLES else name, size="medium")
        suffix = file.suffix[1:]
        file.write(lambda f: figure.savefig(f, format=suffix, dpi=150))
        plt.close("all")
    typer.echo(out)


def _drawn(chart: str, model: Model, motion: Path | None, seconds: float, seed: int) -> Axes:
    import numpy as np

    from spatial_v2.cli.show import read_motion
    from spatial_v2.cli.states import random_states
    from spatial_v2.couplings.free import free_tree
    from spatial_v2.dynamics import HandC
    from spatial_v2.exceptions import SpatialError
    from spatial_v2.plots import (
        plot_energy,
        plot_errors,
        plot_motion,
        plot_residuals,
        plot_sparsity,
        plot_tree,
    )
    from spatial_v2.simulation import simulate

    q, qd, u = (x[0] for x in random_states(model, 1, seed))
    match chart:
        case "tree":
            return plot_tree(free_tree(model))
        case "sparsity":
            ax = plot_sparsity(HandC(model, q, qd).H)
            ax.set(xlabel="velocity variable j", ylabel="velocity variable i")
            return ax
        case "identities":
            return plot_residuals()
        case "errors":
            from derivatives.reference.verify import verify

            methods = ("analytic", "chain-rule", "finite-diff-1", "finite-diff-2")
            return plot_errors(verify(model, (q, qd, u), methods=methods))
    if motion:
        t, positions = read_motion(motion, model)
        try:
            return plot_motion(model, t, positions)
        except SpatialError as e:
            raise typer.BadParameter(f"{motion}: {e}", param_hint="--motion") from e
    simulated = simulate(model, (q, qd), np.linspace(0, seconds, 201))
    if chart == "energy":
        return plot_energy(simulated.t, simulated.energy)
    return plot_motion(model, simulated.t, simulated.q)
