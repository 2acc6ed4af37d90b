"""A second process that compiles kernels, and ends no later than the first."""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, cast


def start_second_process(
    code: str, data: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start Python with this library, silently, with more environment variables.

    The program `code` has to call `end_with_first_process`. `data` goes to its standard input, a
    pipe that stays open while this process runs.
    """
    folders = str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")
    path = {"PYTHONPATH": os.pathsep.join(filter(None, folders))}
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **path, **(environment or {})},
    )
    stdin = cast("IO[bytes]", process.stdin)
    stdin.write(data)
    stdin.flush()
    return process


def end_with_first_process() -> None:
    """End this process when the first one ends or is killed, which closes standard input."""

    def watch() -> None:
        os.read(0, 1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
