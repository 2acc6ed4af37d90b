"""Functions that streams compute in the tests, in a module that other processes can import."""

import os
import signal
from pathlib import Path

import numpy as np

from spatial_v2.model import Model


def sums(model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> list[np.ndarray]:
    """Compute sums instead of dynamics, so that nothing has to be compiled."""
    return [q + qd, np.sin(qdd).sum(axis=-1)]


def sums_or_death(
    flag: str, row: float, model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> list[np.ndarray]:
    """Compute `sums`; the first process that finds the value `row` in q[:, 0] is killed."""
    if len(q) > 1 and np.any(q[:, 0] == row) and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return sums(model, q, qd, qdd)


def no_file(model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> list[np.ndarray]:
    """Raise an OSError, except in the call that determines the shapes."""
    if len(q) > 1:
        raise FileNotFoundError(2, "of the function itself")
    return sums(model, q, qd, qdd)
