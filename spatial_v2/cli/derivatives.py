"""``spatial-v2 derivatives``: compute, check, save and plot the derivatives of the dynamics."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spatial_v2.cli.errors import one_line_warnings
from spatial_v2.cli.files import AtomicFile, array_writer

if TYPE_CHECKING:
    import numpy as np

    from spatial_v2.cli.evaluate import Evaluation
    from spatial_v2.cli.states import States
    from spatial_v2.model import Model

__all__ = ["ROBOT", "derivatives"]

ROBOT = (
    "A name (puma560, talos), a model with parameters (autoTree:NB,BF), or a file: .urdf, .xacro "
    "(with arguments in quotes: 'arm.xacro prefix:=l_'), .sdf, .xml (MJCF), .mat."
)
SAMPLES = 100


def derivatives(
    robot: Annotated[str, typer.Argument(help=ROBOT)] = "puma560",
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1, max=10**6, metavar="N", help=f"Number of random states; {SAMPLES} by default."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Seed of the random states.")] = 0,
    states: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Read states: arrays q, qd, qdd in .npz or .mat, one state per row; or in a Zarr "
            "group (.zarr), for more states than memory holds.",
        ),
    ] = None,
    order: Annotated[
        int, typer.Option(min=1, max=2, metavar="1|2", help="Highest order of derivatives.")
    ] = 2,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save states and results as .npz or .mat; for states in .zarr, results as .zarr.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Number of processes that share states in .zarr."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Dask scheduler whose workers share the states."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the tree and the second derivatives: .png, .svg or .pdf."
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check/--no-check", help="Compare with complex steps; if they differ, write no files."
        ),
    ] = True,
) -> None:
    """Inverse dynamics of a robot with its first and second derivatives.

    Computes tau, H, C and the derivatives of tau with respect to q, qd and qdd at many states,
    compares them with complex steps, and saves and plots them on demand.

    Results for states in a Zarr group are stored in another Zarr group, chunk by chunk in constant
    memory, by several processes or a cluster. A job that was stopped continues where it ended.

    Exit code 0: everything agrees; 1: a check failed; 2: bad input, or a file cannot be written.
    """
    if states and states.suffix.lower() == ".zarr":
        from spatial_v2.cli.stream import stream_states

        unfit = {"--plot": plot, "--samples": samples}
        stream_states(robot, floating_base, states, out, order, check, workers, scheduler, unfit)
        return
    for option, given_ in {"--workers": workers, "--scheduler": scheduler}.items():
        if given_:
            raise typer.BadParameter("is only possible with --states FILE.zarr", param_hint=option)
    if states and samples:
        raise typer.BadParameter("cannot be combined with --states", param_hint="--samples")
    if plot and order == 1:
        raise typer.BadParameter(
            "shows second derivatives and needs --order 2", param_hint="--plot"
        )
    with ExitStack() as files:
        saved = out and files.enter_context(AtomicFile(out, (".npz", ".mat"), "--out"))
        drawn = plot and files.enter_context(AtomicFile(plot, (".png", ".svg", ".pdf"), "--plot"))

        from spatial_v2.cli.check import checked_states
        from spatial_v2.cli.limits import check_mat_file, check_memory, memory_need
        from spatial_v2.cli.states import random_states, read_states
        from spatial_v2.couplings.free import free_tree
        from spatial_v2.io import load_model

        with one_line_warnings():
            model = load_model(robot, floating_base)
        stored = read_states(states, model) if states else None
        n, option = (len(stored.q), "--states") if stored else (samples or SAMPLES, "--samples")
        sample = checked_states(model, n if check else 0)
        if saved:
            check_mat_file(saved, model.NV, n, order)
        need = memory_need(model.NQ, model.NV, order, len(sample), copies=2 if saved else 0)
        check_memory(model.NV, need, n, order, option)
        x = stored or random_states(model, n, seed)
        result = _compute(model, x, order, sample, keep=saved is not None, option=option)
        number = free_tree(model).NB
        bodies = f"{number} {'body' if number == 1 else 'bodies'}"
        title = f"{model.name or robot}: {bodies}, NQ = {model.NQ}, NV = {model.NV}"
        try:
            if saved and not result.failed:
                saved.write(array_writer({**x._asdict(), **result.values}, saved.suffix))
            if drawn and not result.failed:
                from spatial_v2.cli.plot import plot_writer

                drawn.write(plot_writer(model, result.largest, title, drawn.suffix))
        finally:
            origin = states.name if states else f"random, seed {seed}"
            _report(result, f"{title}; {'1 state' if n == 1 else f'{n} states'} ({origin})")
    if result.failed:
        raise typer.Exit(1)


def _compute(
    model: Model, x: States, order: int, sample: np.ndarray, keep: bool, option: str
) -> Evaluation:
    """Evaluate all states and check the states `sample`, showing a progress bar."""
    from spatial_v2.cli.ahead import ahead
    from spatial_v2.cli.check import relative_errors
    from spatial_v2.cli.evaluate import evaluate
    from spatial_v2.cli.limits import check_time
    from spatial_v2.cli.tables import progress_bar
    from spatial_v2.cli.warmup import STATES, Task
    from spatial_v2.engine.compile.notice import silent

    with progress_bar() as progress, silent():
        computing = progress.add_task("compiling", total=len(x.q))

        def advance(states: int, seconds: float) -> None:
            progress.update(computing, description="computing")
            if not progress.tasks[computing].completed:
                check_time(len(x.q), seconds, option)
            progress.advance(computing, states)

        wanted = order == 2 and len(x.q) >= STATES
        with ahead(Task("ID_SO_derivatives", "batch"), wanted) as ready:
            result = evaluate(model, x, order, sample, keep, advance, ready)
        if len(sample):
            checking = progress.add_task("checking", total=len(sample))
            result.errors = relative_errors(
                model, x.at(sample), result.sample, lambda n: progress.advance(checking, n)
            )
    return result


def _report(result: Evaluation, title: str) -> None:
    """Print the table of results, and remarks below it."""
    from spatial_v2.cli.evaluate import TOLERANCE
    from spatial_v2.cli.tables import console, duration, results_table

    out = console()
    out.print(title, style="bold")
    out.print(results_table(result))
    if result.compilation > 1.0:
        out.print(
            f"Compiling took {duration(result.compilation)}, once; the times do not include it."
        )
    if not result.errors:
        out.print("Not checked.")
        return
    out.print(
        f"Checked {result.checked} of {result.states} states: tau and C against "
        "ID.reference, the others against complex steps."
    )
    if result.failed:
        names = ", ".join(result.failed)
        out.print(f"FAILED, no file is written: {names} (limit {TOLERANCE:g}).", style="bold red")
    else:
        out.print(f"All {len(result.errors)} quantities agree within {TOLERANCE:g}.", style="green")
