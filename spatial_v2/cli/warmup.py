"""``spatial-v2 warmup``: compilation of kernels ahead of their first call."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from multiprocessing.pool import Pool

__all__ = [
    "SOLVE", "STATES", "Task", "accelerated_functions", "known", "processors", "tasks", "warmup",
]  # fmt: skip

STATES = 16
"""States of a batch, enough for full SIMD batches."""
SOLVE = "solve"
"""The solver of optimal control, which has kernels of its own."""


class Task(NamedTuple):
    """A function and the form of a call: ``single`` or ``batch``, possibly after ``packed``; or
    `SOLVE`, with the form ``batch``.
    """

    function: str
    form: str

    def run(self) -> None:
        """Call the function in this form, so that its kernel is compiled and cached."""
        import inspect

        import numpy as np

        from spatial_v2.constraints import PointConstraint
        from spatial_v2.models import autoTree

        if self.function == SOLVE:
            solve_small_problem()
            return
        function, model = accelerated_functions()[self.function], autoTree(2)
        if function.accepts:
            model = model.replace(jtype=["Fb", "R"])
        sizes = {"q": model.NQ, "v": model.NV, "m": 1, "6": 6}
        lead = () if "single" in self.form else (STATES,)
        cores = re.findall(r"\((\w)\)", function.signature.partition("->")[0])
        x = [np.ones((*lead, sizes[core])) for core in cores]
        options: dict[str, Any] = {"packed": True} if "packed" in self.form else {}
        if "constraints" in inspect.signature(function).parameters:
            rail = PointConstraint(
                1, [1.0, 0.0, 0.0], point1=[0.0, 0.0, 0.0], directions=[[0, 1, 0]]
            )
            options["constraints"] = [rail]
        if function.work.of_frame:
            options["frame"] = 1
        function(model, *x, **options)


def warmup(
    functions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FUNCTION]...", help="Functions, by default all."),
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=0, metavar="N", help="Number of processes; 0: one per processor.")
    ] = 0,
) -> None:
    """Compile functions ahead of their first call, for one state and for batches.

    Compiled kernels are cached on disk, for all robots, until the library changes; see "The first
    call" in the documentation.
    """
    from contextlib import ExitStack
    from queue import SimpleQueue
    from time import perf_counter

    from spatial_v2.accelerated import has_compiler
    from spatial_v2.cli.tables import console, duration, progress_bar

    every = [*accelerated_functions(), SOLVE]
    names = known(functions or every, every)
    if not has_compiler():
        raise typer.BadParameter("needs numba: pip install numba", param_hint="warmup")
    work = [task for name in names for task in tasks(name)]
    count = min(jobs or processors(), len(work))
    start = perf_counter()
    with progress_bar("forms") as progress, ExitStack() as pools:
        bar, done = progress.add_task("compiling", total=len(work)), SimpleQueue[Any]()
        shares = _shares(work, count)
        lists = [list(share) for _, share in shares]

        def begin(k: int, pool: Pool) -> None:
            if task := _next(lists, k):
                pool.apply_async(
                    _run, (task,), callback=lambda _: done.put((k, pool)), error_callback=done.put
                )

        for k, (processes, _) in enumerate(shares):
            pool = pools.enter_context(_pool(processes))
            for _ in range(processes):
                begin(k, pool)
        for _ in work:
            ended = done.get()
            if isinstance(ended, BaseException):
                raise ended
            progress.advance(bar)
            begin(*ended)
    out = console()
    noun = "function" if len(names) == 1 else "functions"
    out.print(f"{len(names)} {noun} ready in {duration(perf_counter() - start)}.")
    out.print(f"Kept in {_place()}.", soft_wrap=True)


def accelerated_functions() -> dict[str, Any]:
    """Return all accelerated functions by name, roughly those with most computation first."""
    import spatial_v2
    from spatial_v2.public_names import all_names

    public = [getattr(spatial_v2, name) for name in all_names()]
    named = {f.__name__: f for f in public if hasattr(f, "has_kernel")}
    return dict(sorted(named.items(), key=lambda pair: (-pair[1].signature.count("v"), pair[0])))


def solve_small_problem() -> None:
    """Solve a problem of optimal control that uses all kernels of `solve` itself."""
    import numpy as np

    from spatial_v2 import control
    from spatial_v2.configuration import neutral
    from spatial_v2.constraints import PointConstraint
    from spatial_v2.models import autoTree
    from spatial_v2.spatial import xlt

    model = autoTree(2).replace(jtype=["Fb", "R"])
    goal = control.FramePlacementCost(model, 1, xlt([0.1, 0.2, 0.3]), 1.0)
    q, h, rest = neutral(model), np.full(2, 0.1), np.zeros(model.NV)
    still = control.StateCost(model, q, 1.0, 1.0)
    costs: list[control.Cost] = [control.ControlCost(1.0), goal, still]
    problem = control.ShootingProblem(model, q, rest, h, costs, [goal, still])
    first = control.solve(problem, max_iterations=1)
    control.solve(problem, first, max_iterations=1)
    slow = [control.Bounds(control.JointVelocities(model), -1.0, 1.0)]
    foot = PointConstraint(1, [0.0, 0.0, 0.3], point1=[0.0, 0.0, 0.0])
    phases = [control.ContactPhase(1), control.ContactPhase(1, [foot], impact=True)]
    bounded = control.ShootingProblem(
        model, q, rest, h, costs, [goal, still], running_bounds=slow, phases=phases
    )
    control.solve(bounded, max_iterations=1)


def tasks(name: str) -> list[Task]:
    """Return the tasks of a function, one for each form in which it is compiled."""
    import inspect

    if name == SOLVE:
        return [Task(name, "batch")]
    packed = "packed" in inspect.signature(accelerated_functions()[name]).parameters
    forms = ["batch", "single", *["packed batch", "packed single"] * packed]
    return [Task(name, form) for form in forms]


def known(names: list[str], functions: Iterable[str] = ()) -> list[str]:
    """Check names of functions, by default accelerated ones, and return them without
    repetitions.
    """
    every = list(functions or accelerated_functions())
    for name in names:
        if name not in every:
            close = difflib.get_close_matches(name, every, 3, 0.4)
            same = [x for x in every if x.lower() == name.lower()]
            hint = f"; did you mean {' or '.join(same or close)}?" if same or close else ""
            raise typer.BadParameter(
                f"no accelerated function {name!r}{hint}", param_hint="FUNCTION"
            )
    return list(dict.fromkeys(names))


def processors() -> int:
    """Return the number of processors that this process may use."""
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shares(work: list[Task], count: int) -> list[tuple[int, list[Task]]]:
    """Divide tasks among processes, those of batches and those of single states.

    Each process compiles the parts of its kernels anew. Kernels for batches share most parts with
    one another, for SIMD batches of numbers. What they share with kernels for single states, above
    all of constraints, is found on disk if these come first: of two processes, one begins with
    constraints of single states, and the other with the last of the batches.
    """
    if count == 1:
        return [(1, work)]
    single = [task for task in work if "single" in task.form]
    batches = [task for task in work if "single" not in task.form]
    return [(count - count // 2, batches[:: -1 if count == 2 else 1]), (count // 2, single)]


def _next(lists: list[list[Task]], k: int) -> Task | None:
    """Remove the first task of a list and return it; of an empty list, the last one of another."""
    if lists[k]:
        return lists[k].pop(0)
    return next((other.pop() for other in lists if other), None)


def _pool(count: int) -> Pool:
    """Start a pool of silent processes that ignore interrupts and end with this process."""
    from multiprocessing import get_context

    return get_context("spawn").Pool(count, _begin)


def _begin() -> None:
    import signal
    import threading

    from spatial_v2.engine.compile.notice import NOTICE

    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    NOTICE.silent += 1


def _end_with_parent() -> None:
    """End this process when its parent ends, even if the parent is killed."""
    import os
    from multiprocessing import parent_process

    above = parent_process()
    assert above is not None
    above.join()
    os._exit(1)


def _run(task: Task) -> Task:
    task.run()
    return task


def _place() -> str:
    from spatial_v2.engine.algorithms.ID import ID as rnea

    kept: Any = rnea
    return str(kept.stats.cache_path or "memory alone: no cache can be written")
