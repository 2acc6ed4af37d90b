"""The centre of mass at a place, as a task."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.dynamics import EnerMo
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.tasks.centre_of_mass_jacobian import centre_of_mass_jacobian
from spatial_v2.tasks.task import Task, as_weight

__all__ = ["CentreOfMassTask"]


class CentreOfMassTask(Task):
    """Task of `inverse_kinematics_of_tasks`: the centre of mass at a place.

    Parameters
    ----------
    target : array, shape (..., 3), planar (..., 2)
        Positions in the base [m].
    weight : float or array (3,), optional
        Weight of the task, or of its directions: ``[1, 1, 0]`` leaves the height free.

    Attributes
    ----------
    target : array, shape (..., 3)
        The positions.

    Examples
    --------
    >>> CentreOfMassTask([0.0, 0.0, 0.6], weight=[1, 1, 0]).target
    array([0. , 0. , 0.6])
    """

    def __init__(self, target: Any, *, weight: Any = 1.0) -> None:
        self.target = as_real(target, "CentreOfMassTask: target")
        size = self.target.shape[-1] if self.target.ndim else 0
        self._weight = as_weight(weight, size, "CentreOfMassTask: weight")

    def prepare(self, model: Model) -> tuple[int, ...]:
        """Check the task for a model, and return the leading axes of its target."""
        d = 2 if model.is_planar else 3
        if self.target.shape[-1:] != (d,):
            raise ArrayShapeError(
                f"CentreOfMassTask: target must have shape (..., {d}), got {self.target.shape}"
            )
        return self.target.shape[:-1]

    def linearise(
        self, model: Model, q: np.ndarray, which: np.ndarray, length: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return weighted residuals and their derivatives; see `Task`."""
        cm = EnerMo(model, q, np.zeros((len(q), model.NV))).cm
        w = self._weight / length
        e = cm - self.target.reshape(-1, self.target.shape[-1])[which]
        return w * e, w[:, None] * centre_of_mass_jacobian(model, q)
