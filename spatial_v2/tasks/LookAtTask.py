"""An axis of a frame that points to a place, as a task."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.exceptions import ArrayShapeError, ModelError, SpatialError
from spatial_v2.frames import FrameJacobian
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame, find_frame
from spatial_v2.tasks.task import Task, as_weight
from spatial_v2.three_d.skew import cross_matrix

__all__ = ["LookAtTask"]


class LookAtTask(Task):
    """Task of `inverse_kinematics_of_tasks`: an axis of a frame points to a place.

    Parameters
    ----------
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    point : array, shape (..., 3)
        Places in the base [m].
    axis : array, shape (3,), optional
        Direction in the frame that looks; its z axis by default, like that of a camera.
    weight : float, optional
        Weight of the task beside others.

    Attributes
    ----------
    point : array, shape (..., 3)
        The places.

    Examples
    --------
    >>> LookAtTask("head", [2.0, 0.0, 1.0], axis=[1, 0, 0]).point
    array([2., 0., 1.])
    """

    def __init__(
        self,
        frame: Frame | int | str,
        point: Any,
        *,
        axis: Any = (0.0, 0.0, 1.0),
        weight: float = 1.0,
    ) -> None:
        self._frame = frame
        self.point, axis = as_real(point, "LookAtTask: point"), as_real(axis, "LookAtTask: axis")
        if self.point.shape[-1:] != (3,) or axis.shape != (3,):
            raise ArrayShapeError(
                "LookAtTask: want points (..., 3) and one axis (3,), got "
                f"{self.point.shape} and {axis.shape}"
            )
        if not np.linalg.norm(axis) > 0:
            raise SpatialError("LookAtTask: axis must not be zero")
        self._axis = axis / np.linalg.norm(axis)
        self._weight = as_weight(weight, 1, "LookAtTask: weight")

    def prepare(self, model: Model) -> tuple[int, ...]:
        """Check the task for a model, and return the leading axes of its target."""
        if model.is_planar:
            raise ModelError("LookAtTask: planar models have no axes that look")
        place = find_frame(free_tree(model), self._frame)
        self._at = Frame(place.body, as_real(place.X, "frame: X"))
        return self.point.shape[:-1]

    def linearise(
        self, model: Model, q: np.ndarray, which: np.ndarray, length: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return weighted residuals and their derivatives; see `Task`.

        With u from the frame to the point in coordinates of the frame, and ``d = u / |u|``, the
        residual is d - axis. The frame's velocity [w; v] changes u by ``u x w - v``.
        """
        pose = forward_kinematics(model, q, frame=self._at)
        away = self.point.reshape(-1, 3)[which] - pose.p
        u = (away[:, None] @ pose.R)[:, 0]
        far = np.linalg.norm(u, axis=-1, keepdims=True)
        far = np.where(far > 0, far, 1.0)
        d = u / far
        across = np.eye(3) - d[..., :, None] * d[..., None, :]
        du = np.concatenate([cross_matrix(u), np.broadcast_to(-np.eye(3), (len(q), 3, 3))], axis=-1)
        J = across @ du @ FrameJacobian(model, q, self._at, "body") / far[..., None]
        return self._weight * (d - self._axis), self._weight * J
