"""Connection to the running C++ program, which returns times and norms."""

from __future__ import annotations

import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cpp.build import build
from benchmarks.cpp.robot_file import write_robot
from benchmarks.timing import Round

__all__ = ["CppPeer"]


class CppPeer:
    """Pinocchio's C++ algorithms on one robot and its states.

    Parameters
    ----------
    twin : pinocchio.Model
        The robot; joints with one degree of freedom along or about any axis, spherical ones, and
        free flyers.
    states : (S, nq + 2 nv) array
        q, v and x of each state, in Pinocchio's order.
    gravity : (3,) array
        Acceleration of gravity [m/s^2].
    """

    def __init__(self, twin: Any, states: np.ndarray, gravity: np.ndarray) -> None:
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name, "robot.txt")
        write_robot(file, twin, states, gravity)
        self.process = subprocess.Popen(
            [build(), file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, request: str) -> float:
        """Send a line to the program, and return the number that it answers."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(request + "\n")
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the C++ program ended at the request {request!r}")
        return float(answer)

    def norm(self, algorithm: str) -> float:
        """Return the Frobenius norm of all results of an algorithm at the first state."""
        return self.ask(f"norm {algorithm}")

    def round(self, algorithm: str) -> Round:
        """Return a function that times a number of calls, which use the states in turn; see
        `least`.
        """
        return partial(self.seconds, algorithm)

    def seconds(self, algorithm: str, count: int) -> float:
        """Return the time of the given number of calls [s]."""
        return self.ask(f"time {count} {algorithm}")

    def close(self) -> None:
        """End the process."""
        self.process.communicate()
        self.folder.cleanup()
