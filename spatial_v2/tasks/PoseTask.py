"""A frame at a pose, as a task."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.calls.frame import frame_view
from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.couplings.free import free_configuration, free_tree, pulled_back
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.frames import FrameJacobian
from spatial_v2.frames.inverse_kinematics import as_target, shape_of, weights_of
from spatial_v2.frames.residuals import pose_residual
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame, find_frame
from spatial_v2.tasks.task import Task, as_weight

__all__ = ["PoseTask"]


class PoseTask(Task):
    """Task of `inverse_kinematics_of_tasks`: a frame at a pose.

    Parameters
    ----------
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    target : array, shape (..., 4, 4) or (..., 6, 6), or (..., 3) with ``rows="position"``
        Poses [R p; 0 1] of the target in the base, or the transforms to it, or positions p alone.
    rows : {"pose", "position", "orientation"} or array (6,), optional
        The part of the pose, or weights of its rotations and displacements, as for
        `inverse_kinematics`.
    weight : float, optional
        Weight of the task beside others; a radian counts as much as the length of the robot.

    Attributes
    ----------
    target : array, shape (..., 6, 6)
        Transforms to the target.

    Examples
    --------
    >>> from spatial_v2 import pose
    >>> PoseTask("hand", pose(np.eye(3), [0.4, 0.1, 0.3])).target.shape
    (6, 6)
    >>> PoseTask("hand", [0.4, 0.1, 0.3], rows="position").target.shape
    (6, 6)
    """

    def __init__(
        self, frame: Frame | int | str, target: Any, *, rows: Any = "pose", weight: float = 1.0
    ) -> None:
        self._frame, self._rows = frame, rows
        self._weight = as_weight(weight, 1, "PoseTask: weight")
        self._of: Any = None  # the state of the model for which the task is prepared
        three = shape_of(target, "PoseTask: target")[-2:] == (3, 3)
        self.target: Any = target
        self._checked: np.ndarray | None = None
        if three and isinstance(rows, str) and rows == "position":
            return  # the model decides: three positions, or the transform of a planar model
        self.target = self._checked = as_target(target, 3 if three else 6, rows, "PoseTask: target")

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_of": None, "_view": None}

    def prepare(self, model: Model) -> tuple[int, ...]:
        """Check the task for a model, and return the leading axes of its target."""
        if self._of is not model._state:
            self._size = 3 if model.is_planar else 6
            self._tree = free_tree(model)
            place = find_frame(self._tree, self._frame)
            self._at = Frame(place.body, as_real(place.X, "frame: X"))
            self._w = self._weight * weights_of(self._rows, self._size)
            self._view = None if model.is_planar else frame_view(self._tree, self._at)
            self._of = model._state
        X = self._checked
        if X is None or self.target is not X or X.shape[-1] != self._size:
            X = as_target(self.target, self._size, self._rows, "PoseTask: target")
            self.target = self._checked = X
        return self.target.shape[:-2]

    def linearise(
        self, model: Model, q: np.ndarray, which: np.ndarray, length: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return weighted residuals and their derivatives; see `Task`."""
        d, w, tree = self._size, self._w.copy(), self._tree
        w[d // 2 if d == 6 else 1 :] /= length
        targets = self.target.reshape(-1, d, d)
        if self._view is None or not has_kernels("PoseTask"):
            X = forward_kinematics(model, q, frame=self._at).X0
            e, M = pose_residual(X, targets[which])
            return w * e, w[:, None] * M @ FrameJacobian(model, q, self._at, "body")
        e, J = np.empty((len(q), 6)), np.empty((len(q), 6, tree.NV))
        q = np.ascontiguousarray(free_configuration(model, q))
        targets = np.ascontiguousarray(targets)
        load_procedure("PoseTask")(self._view, w, targets, which, q, e, J)
        return e, J if tree is model else pulled_back(model, q[:, None], J)
