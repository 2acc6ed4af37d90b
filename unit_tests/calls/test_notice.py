"""The notice that kernels are being compiled appears in a terminal, and as a line in pipes and
notebooks.
"""

import contextlib
import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from spatial_v2.engine.compile import notice
from spatial_v2.engine.compile.notice import Notice, silent

CODE = """
import sys
from spatial_v2.engine.compile import notice
notice.DELAY = notice.LONG_DELAY = float(sys.argv[1])
import time
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers import vectors
import numpy as np
import numba
import numba.core.event as event
class Slow(event.Listener):
    def on_start(self, e):
        time.sleep(0.5)
    def on_end(self, e):
        pass
event.register("numba:compile", Slow())
jit(vectors.turn.py_func)(np.eye(3), 1.0, 2.0, 3.0)
"""


def run_at_a_terminal(delay: float, folder: Path) -> str:
    """Return the text that a process at a terminal writes to standard error."""
    pty = pytest.importorskip("pty", reason="there is none here")
    ours, theirs = pty.openpty()
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, str(delay)], stderr=theirs, stdout=theirs, env=env
    )
    os.close(theirs)
    found = b""
    while True:
        try:
            some = os.read(ours, 4096)
        except OSError:
            break
        if not some:
            break
        found += some
    os.close(ours)
    assert process.wait() == 0, found
    return found.decode()


@pytest.mark.slow
def test_a_terminal_shows_the_notice(tmp_path: Path) -> None:
    assert "Compiling kernels of spatial_v2" in run_at_a_terminal(0.0, tmp_path)


@pytest.mark.slow
def test_short_compilations_pass_in_silence(tmp_path: Path) -> None:
    assert run_at_a_terminal(60.0, tmp_path) == ""


@pytest.mark.slow
def test_cached_kernels_give_no_notice(tmp_path: Path) -> None:
    run_at_a_terminal(60.0, tmp_path)
    assert run_at_a_terminal(0.0, tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("delay", ["0", "60"])
def test_pipes_get_one_line(tmp_path: Path, delay: str) -> None:
    """Programs without a terminal say on one line that they compile, if that takes long."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", CODE, delay], capture_output=True, env=env, check=True, text=True
    )
    assert done.stdout == ""
    assert [x.split(",")[0] for x in done.stderr.splitlines()] == (
        ["Compiling kernels of spatial_v2"] if delay == "0" else []
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("inner", [0, 2])
def test_nested_compilations_are_one(monkeypatch: pytest.MonkeyPatch, inner: int) -> None:
    """The notice appears while the outermost compilation runs, although inner ones have ended."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(notice, "DELAY", 0.05)
    told = Notice()
    told.begin()
    for _ in range(inner):
        told.begin()
        told.end()
    waiting = time.monotonic() + 30
    while "Compiling" not in sys.stderr.getvalue() and time.monotonic() < waiting:
        time.sleep(0.01)
    told.end()
    assert "Compiling" in sys.stderr.getvalue()


@pytest.mark.parametrize("block", [contextlib.nullcontext, silent])
def test_nothing_is_told_of_what_has_ended(monkeypatch: pytest.MonkeyPatch, block: Any) -> None:
    """There is no notice after a compilation or in a silent block, and no thread remains that could
    show it.
    """
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(notice, "DELAY", 60.0 if block is contextlib.nullcontext else 0.0)
    before = set(threading.enumerate())
    with block():
        notice.NOTICE.begin()
        started = set(threading.enumerate()) - before
        assert bool(started) == (block is contextlib.nullcontext)
        notice.NOTICE.end()
    for thread in started:
        thread.join(10)
        assert not thread.is_alive()
    assert sys.stderr.getvalue() == ""
