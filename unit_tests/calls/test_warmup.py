"""``spatial-v2 warmup``: a later process finds on disk the kernels that it has compiled."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from public_functions import functions_of_state

pytest.importorskip("numba")

from spatial_v2.calls import second_process
from spatial_v2.cli import ahead as ahead_module
from spatial_v2.cli.ahead import ahead
from spatial_v2.cli.warmup import SOLVE, Task, accelerated_functions, processors, tasks, warmup
from spatial_v2.engine.compile.notice import NOTICE

ROOT = Path(__file__).parents[2]


def command(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "spatial_v2", *args],
        env={**os.environ, **env}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_all_accelerated_functions_are_found() -> None:
    """`accelerated_functions` lists every public function of a state that has a kernel; `tasks`
    lists the forms to compile: single, batch, and packed ones where there are tensors.
    """
    names = {f.__name__ for _, f, _ in functions_of_state() if hasattr(f, "bind")}
    assert set(accelerated_functions()) == names
    assert [form for _, form in tasks("ID")] == ["batch", "single"]
    assert len(tasks("ID_SO_derivatives")) == 4


SOLVER = """
import numpy as np
from spatial_v2 import PointConstraint, autoTree, neutral, xlt
from spatial_v2.cli.warmup import SOLVE, tasks
from spatial_v2.control import *
from spatial_v2.calls.loading import load_kernel
from spatial_v2.engine.algorithms import (
    FramePlacementCost as placement, StateCost as state, add_euler_hessian, configurationAddition,
    configurationAddition_derivatives, configurationDifference, euler_ends, euler_jacobian,
    riccati, stage_factors, log6_residual as twist)
KERNELS = [
    x for module in (configurationAddition, configurationAddition_derivatives,
                     configurationDifference, add_euler_hessian, euler_ends, euler_jacobian,
                     placement, riccati, stage_factors, state, twist)
    for x in vars(module).values() if x.__class__.__name__ == "CPUDispatcher"
    and x.__module__ == module.__name__]
def forms():
    second = [str(key[1:]) for key in load_kernel("acceleration_hessian")._compiled]
    return {"second": second} | {
        x.__name__: [str(s) for s in x.signatures] for x in KERNELS if x.signatures}
for task in tasks(SOLVE):
    task.run()
before = forms()
model = autoTree(13, 4).replace(jtype=["Fb"] + 12 * ["R"])
q = neutral(model)
foot = PointConstraint(3, [0.0, 0.0, -0.3], point1=[0.0, 0.0, 0.0])
goal = FramePlacementCost(model, 0, xlt([0.0, 0.0, 0.1]), 1.0)
still = StateCost(model, q, 1.0, 1.0)
for phases in ([], [ContactPhase(2), ContactPhase(2, [foot], impact=True)]):
    solve(ShootingProblem(
        model, np.array([q, q]), np.zeros(18), [0.01] * 4, [ControlCost(1.0), still], [goal, still],
        actuation=np.eye(18)[:, 6:], lower=-1.0, upper=1.0, phases=phases), max_iterations=2)
    bounds = [Bounds(JointVelocities(model), -0.1, 0.1)]
    solve(ShootingProblem(
        model, q, np.zeros(18), [0.01] * 4, [ControlCost(1.0), still], [goal, still],
        actuation=np.eye(18)[:, 6:], running_bounds=bounds, phases=phases), max_iterations=2)
assert before["second"] and len(before) >= 14 and before == forms(), (before, forms())
"""


@pytest.mark.slow
def test_all_kernels_of_the_solver_are_compiled() -> None:
    """Another problem, of several initial states with contacts and bounds, needs no more forms."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVER], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", accelerated_functions())
def test_each_form_can_be_called(name: str) -> None:
    for task in tasks(name):
        task.run()


def test_all_processes_work_until_no_task_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[Any] = []

    class Pool:
        def __init__(self, count: int) -> None:
            self.count, self.ran = count, set[Task]()
            pools.append(self)

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None: ...

        def apply_async(self, _: object, args: tuple[Task], callback: Any, **_e: object) -> None:
            self.ran.add(args[0])
            callback(args[0])

    monkeypatch.setattr(sys.modules[Task.__module__], "_pool", Pool)
    warmup(jobs=2)
    every = {task for name in [*accelerated_functions(), SOLVE] for task in tasks(name)}
    first, second = (pool.ran for pool in pools)
    assert first | second == every and not first & second
    assert abs(len(first) - len(second)) <= 1


CHECK = """
import numpy as np, numba.core.event as event
compiled = []
class Listener(event.Listener):
    def on_start(self, e):
        compiled.append(str(e.data["dispatcher"].py_func))
    def on_end(self, e):
        pass
event.register("numba:compile", Listener())
from spatial_v2 import CRBA, autoTree, floatbase
for model in (autoTree(3), floatbase(autoTree(4, 2))):
    CRBA(model, np.ones(model.NQ)), CRBA.bind(model), CRBA(model, np.ones((20, model.NQ)))
print(compiled)
"""


@pytest.mark.slow
def test_a_later_process_compiles_nothing(tmp_path: Path) -> None:
    """After the command a later process compiles nothing, for other robots, one state and batches;
    a second run is quick.
    """
    done = command("warmup", "CRBA", NUMBA_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 function ready in ")
    assert f"Kept in {tmp_path}" in done.stdout
    assert done.stderr == ""
    found = subprocess.run(
        [sys.executable, "-c", CHECK], capture_output=True, text=True, check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert found.stdout == "[]\n"


@pytest.mark.slow
def test_two_at_once_leave_what_each_can_use(tmp_path: Path) -> None:
    """Two processes that compile the same function at once leave complete files."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = "from spatial_v2.cli.warmup import Task; Task('EnerMo', 'single').run()"
    both = [subprocess.Popen([sys.executable, "-c", code], env=env) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert kept and all(path.suffix == ".nbc" for path in kept)
    listen = CHECK.partition("from spatial_v2 import")[0]
    found = subprocess.run(
        [sys.executable, "-c", f"{listen}\n{code}\nprint(compiled)"],
        capture_output=True, text=True, check=True, env=env,
    )  # fmt: skip
    assert found.stdout == "[]\n"
    assert {path: path.read_bytes() for path in kept} == kept


@pytest.mark.parametrize(
    ("name", "hint"),
    [("id", "did you mean ID?"), ("ID_derivs", "did you mean ID_derivatives or"), ("?", "'?'")],
)
@pytest.mark.slow
def test_unknown_names_are_refused(name: str, hint: str) -> None:
    done = command("warmup", "ID", name)
    assert done.returncode == 2
    assert f"no accelerated function {name!r}" in done.stderr and hint in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="no such signal")
def test_an_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    """An interrupt ends the command and its workers, with one line of output."""
    process = subprocess.Popen(
        [sys.executable, "-m", "spatial_v2", "warmup"], stderr=subprocess.PIPE, text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not any(tmp_path.rglob("*.nbc")) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "error: interrupted\n"


def test_half_the_work_is_done_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process that compiles starts only if something is compiled and another processor is
    available.
    """
    monkeypatch.setattr(ahead_module, "processors", lambda: 2)
    for wanted, compiles in ((True, True), (True, False), (False, True)):
        started: list[list[str]] = []

        class Process:
            stdin = io.BytesIO()

            def __init__(self, command: list[str], **_: object) -> None:
                started.append(command)  # noqa: B023

            def wait(self) -> None:
                pass

            kill = wait

        monkeypatch.setattr(second_process.subprocess, "Popen", Process)
        with ahead(Task("ID_SO_derivatives", "batch"), wanted) as ready:
            for _ in range(2 * compiles):
                NOTICE.begin()
                NOTICE.end()
            ready()
        assert len(started) == (wanted and compiles)
        assert NOTICE.started is None


@pytest.mark.slow
def test_the_other_process_uses_the_same_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process uses this library, not copies in the current directory or in
    ``PYTHONPATH``.
    """
    for folder in ("here", "named"):
        package = tmp_path / folder / "spatial_v2"
        package.mkdir(parents=True)
        package.joinpath("__init__.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "named"))
    monkeypatch.setattr(ahead_module, "processors", lambda: 2)
    started: list[subprocess.Popen[bytes]] = []

    class Process(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            started.append(self)

    monkeypatch.setattr(second_process.subprocess, "Popen", Process)
    with ahead(Task("CRBA", "single"), True) as ready:
        NOTICE.begin()
        NOTICE.end()
        ready()
    assert [process.returncode for process in started] == [0]


BEGIN = """
import sys
from spatial_v2.cli import ahead
from spatial_v2.cli.warmup import Task, _pool, _run
from spatial_v2.engine.compile.notice import NOTICE
ahead.processors = lambda: 2
{}
"""
HELPER = BEGIN.format("""
with ahead.ahead(Task("ID_SO_derivatives", "batch"), True):
    NOTICE.begin()
    sys.stdin.read()
""")
POOL = BEGIN.format("""
if __name__ == "__main__":
    with _pool(1) as pool:
        pool.map_async(_run, [Task("ID_SO_derivatives", "batch")])
        sys.stdin.read()
""")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs lists of processes")
@pytest.mark.parametrize("code", [HELPER, POOL], ids=["derivatives", "warmup"])
@pytest.mark.slow
def test_a_killed_process_leaves_none_that_compiles(tmp_path: Path, code: str) -> None:
    """After a process is killed, even by SIGKILL, no process that it started continues
    to compile.
    """
    script = tmp_path / "script.py"
    script.write_text(code)
    folder = tmp_path / "cache"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, env=environment
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    found: list[Path] = []

    def wait(done: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def compiles() -> bool:
        found[:] = [Path("/proc", pid) for pid in children.read_text().split()]
        return bool(found) and any(folder.rglob("*.nbc"))

    wait(compiles, 60)
    process.kill()
    process.communicate()
    wait(lambda: not any(is_alive(path) for path in found), 10)


def is_alive(process: Path) -> bool:
    """True if a process runs; one that has ended may be listed until its parent waits for it."""
    try:
        return process.joinpath("stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_functions_of_more_velocities_come_first() -> None:
    """Functions of more velocities come first, because their kernels take longest; their names are
    in order.
    """
    counts = [(-f.signature.count("v"), name) for name, f in accelerated_functions().items()]
    assert counts == sorted(counts) and counts[0][0] < counts[-1][0]


def test_there_is_a_processor_where_nobody_knows_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for known, wanted in ((None, 1), (3, 3)):
        monkeypatch.setattr(os, "cpu_count", lambda n=known: n)
        assert processors() == wanted
