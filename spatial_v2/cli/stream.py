"""``spatial-v2 derivatives`` at more states than memory holds: from Zarr to Zarr."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import typer

from spatial_v2.cli.errors import one_line_warnings
from spatial_v2.cli.evaluate import TOLERANCE, groups
from spatial_v2.exceptions import SpatialError

__all__ = ["first_order", "second_order", "stream_states"]


def first_order(model: Any, *x: np.ndarray) -> list[np.ndarray]:
    """Compute tau, H, C and first derivatives at given states."""
    return [value for group in groups(1) for value in group.function(model, *x)]


def second_order(model: Any, *x: np.ndarray) -> list[np.ndarray]:
    """Compute tau, H, C, first and second derivatives at given states."""
    return [value for group in groups(2) for value in group.function(model, *x)]


def stream_states(
    robot: str, floating_base: bool, states: Path, out: Path | None, order: int, check: bool,
    workers: int | None, scheduler: str | None, unfit: Mapping[str, Any],
) -> None:  # fmt: skip
    """Compute results at the states of one Zarr group into the group `out`, and report."""
    for option, value in unfit.items():
        if value:
            raise typer.BadParameter("cannot be combined with states in .zarr", param_hint=option)
    if out is None or out.suffix.lower() != ".zarr":
        raise typer.BadParameter("the name of the results must end in .zarr", param_hint="--out")
    if workers and scheduler:
        raise typer.BadParameter("cannot be combined with --workers", param_hint="--scheduler")
    from spatial_v2.io import load_model

    with one_line_warnings():
        model = load_model(robot, floating_base)
    try:
        from spatial_v2.interop.stream import Progress, check_stream, open_states, stream
    except ImportError as error:
        raise typer.BadParameter(str(error), param_hint="--states") from error
    columns = {"q": model.NQ, "qd": model.NV, "qdd": model.NV}
    names = [name for group in groups(order) for name in group.names]
    from spatial_v2.cli.tables import console, progress_bar

    try:
        total = check_stream(names, model, states, out, columns)["states"]
        with _client(workers, scheduler) as client:
            if check:
                _check(model, open_states(states, columns), order, columns)
            with progress_bar() as bar, one_line_warnings():
                task = bar.add_task("computing", total=None)

                def advance(p: Progress) -> None:
                    bar.update(task, completed=p.done, total=p.total)

                compute = first_order if order == 1 else second_order
                new = stream(compute, names, model, states, out, columns, client, advance)
    except SpatialError as error:
        for option, path in {"--out": out, "--states": states}.items():
            if str(error).startswith(str(path)):
                raise typer.BadParameter(str(error), param_hint=option) from error
        raise
    out_ = console()
    out_.print(f"{model.name or robot}: {total} states, {new} computed now; {', '.join(names)}")
    out_.print(str(out))


def _check(model: Any, group: Any, order: int, columns: dict[str, int]) -> None:
    """Compare results with complex steps at some of the states; end the command if they differ."""
    from spatial_v2.cli.check import checked_states, relative_errors
    from spatial_v2.cli.evaluate import evaluate
    from spatial_v2.cli.states import States

    sample = checked_states(model, group["q"].shape[0])
    x = States(*(np.asarray(group[name].oindex[sample], dtype=np.float64) for name in columns))
    result = evaluate(model, x, order, np.arange(len(sample)), False, lambda n, seconds: None)
    result.errors = relative_errors(model, x, result.sample, lambda n: None)
    if result.failed:
        typer.echo(f"FAILED, nothing is computed: {', '.join(result.failed)} (limit {TOLERANCE:g})")
        raise typer.Exit(1)
    typer.echo(f"Checked {len(sample)} states: all quantities agree within {TOLERANCE:g}.")


@contextmanager
def _client(workers: int | None, scheduler: str | None) -> Iterator[Any]:
    """Connect to a running Dask cluster or start one on this machine; None if neither is asked for.

    A cluster that ends kills worker processes that do not exit within four seconds; the warnings
    about it are suppressed, since all results are stored by then.
    """
    if not workers and not scheduler:
        yield None
        return
    import logging

    from distributed import Client, LocalCluster

    if scheduler:
        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise typer.BadParameter(
                f"{scheduler}: no Dask scheduler answers: {error}", param_hint="--scheduler"
            ) from error
        with client:
            yield client
        return
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client
