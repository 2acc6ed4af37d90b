"""Interface of a task of inverse kinematics: its residual and the derivative along q."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = ["Task", "as_tasks", "as_weight"]


class Task(Protocol):
    """A task of `inverse_kinematics_of_tasks`.

    Residuals have no units: displacements are parts of the length of the robot.
    """

    def prepare(self, model: Model) -> tuple[int, ...]:
        """Check the task for a model, and return the leading axes of its target."""

    def linearise(
        self, model: Model, q: np.ndarray, which: np.ndarray, length: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return weighted residuals (n, m) and derivatives (n, m, NV) at configurations (n, NQ).

        `which` (n,) are the numbers of their targets, among the states of the batch in a row.
        """


def as_tasks(tasks: Any, *others: type) -> list[Any]:
    """Return tasks, or objects of other classes, as a list; there must be at least one.

    Examples
    --------
    >>> as_tasks([])
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: tasks: want at least one task, such as PostureTask(q)
    """
    try:
        listed = list(tasks)
    except TypeError:
        raise SpatialError(f"tasks: want a list of tasks, [task, ...], got {tasks!r}") from None
    if not listed:
        raise SpatialError("tasks: want at least one task, such as PostureTask(q)")
    for k, task in enumerate(listed):
        if not (isinstance(task, others) or hasattr(task, "linearise")):
            raise SpatialError(f"tasks[{k}]: want a task, such as PoseTask(frame, T), got {task!r}")
    return listed


def as_weight(weight: Any, size: int, name: str) -> np.ndarray:
    """Convert a weight, or one for each residual, to an array.

    Examples
    --------
    >>> as_weight(2.0, 3, "weight")
    array([2., 2., 2.])
    """
    w = as_real(weight, name)
    if w.shape not in ((), (size,)) or not (np.isfinite(w).all() and (w >= 0).all()):
        raise SpatialError(f"{name}: want a weight of at least zero, or {size}, got {w.tolist()}")
    return np.broadcast_to(w, (size,)).copy()
