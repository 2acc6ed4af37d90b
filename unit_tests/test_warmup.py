"""``spatial-v2 warmup``: what it compiles, a later process finds on disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from public_functions import functions_of_state

pytest.importorskip("numba")

from spatial_v2.cli import ahead as ahead_module
from spatial_v2.cli.ahead import ahead
from spatial_v2.cli.warmup import Task, accelerated_functions, tasks
from spatial_v2.engine.notice import NOTICE


def command(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "spatial_v2", *args],
        env={**os.environ, **env}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_all_accelerated_functions_are_found() -> None:
    """Those of the public API, each in the forms that it has."""
    names = {f.__name__ for _, f, _ in functions_of_state() if hasattr(f, "bind")}
    assert set(accelerated_functions()) == names
    assert [form for _, form in tasks("ID")] == ["batch", "single"]
    assert len(tasks("ID_SO_derivatives")) == 4


@pytest.mark.parametrize("name", accelerated_functions())
def test_each_form_can_be_called(name: str) -> None:
    for task in tasks(name):
        task.run()


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


def test_a_later_process_compiles_nothing(tmp_path: Path) -> None:
    """For other robots neither, be it one state or a batch; a second time it is quick."""
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


def test_two_at_once_leave_what_each_can_use(tmp_path: Path) -> None:
    """Processes that compile the same write the same files, each of them whole."""
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
def test_unknown_names_are_refused(name: str, hint: str) -> None:
    done = command("warmup", "ID", name)
    assert done.returncode == 2
    assert f"no accelerated function {name!r}" in done.stderr and hint in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="no such signal")
def test_an_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    """With its workers, in one line."""
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
    """Only where something is compiled, and another processor is there."""
    monkeypatch.setattr(ahead_module, "processors", lambda: 2)
    for wanted, compiles in ((True, True), (True, False), (False, True)):
        started: list[list[str]] = []

        class Process:
            def __init__(self, command: list[str], **_: object) -> None:
                started.append(command)  # noqa: B023

            def wait(self) -> None:
                pass

            kill = wait

        monkeypatch.setattr(ahead_module.subprocess, "Popen", Process)
        with ahead(Task("ID_SO_derivatives", "batch"), wanted) as ready:
            for _ in range(2 * compiles):
                NOTICE.begin()
                NOTICE.end()
            ready()
        assert len(started) == (wanted and compiles)
        assert NOTICE.started is None
