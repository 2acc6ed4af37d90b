"""A configuration to stay near, as a task."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.configuration import (
    configurationDifference,
    configurationDifference_derivatives,
    normalizeConfVec,
)
from spatial_v2.frames.least_squares import lengths_of_variables
from spatial_v2.model import Model
from spatial_v2.model.state import check_vector
from spatial_v2.tasks.task import Task, as_weight

__all__ = ["PostureTask"]


class PostureTask(Task):
    """Task of `inverse_kinematics_of_tasks`: a configuration to stay near.

    Parameters
    ----------
    q : array, shape (..., NQ)
        The configuration [rad or m].
    weight : float or array (NV,), optional
        Weight of the task, or of each velocity variable; small beside the others by default, so
        that it decides only what they leave open.

    Attributes
    ----------
    q : array, shape (..., NQ)
        The configuration.

    Examples
    --------
    >>> PostureTask([0.0, 0.5]).q
    array([0. , 0.5])
    """

    def __init__(self, q: Any, *, weight: Any = 1e-3) -> None:
        self.q = as_real(q, "PostureTask: q")
        self._weight = weight
        self._of: Any = None  # the state of the model for which the task is prepared
        self._checked: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_of": None}

    def prepare(self, model: Model) -> tuple[int, ...]:
        """Check the task for a model, and return the leading axes of its target."""
        if self._of is not model._state or self.q is not self._checked:
            q = check_vector(model, "PostureTask: q", self.q, model.NQ, "q")
            self.q = np.asarray(normalizeConfVec(model, q)) if model.NQ > model.NV else q
            self._w = as_weight(self._weight, model.NV, "PostureTask: weight")
            self._of, self._checked = model._state, self.q
        return self.q.shape[:-1]

    def linearise(
        self, model: Model, q: np.ndarray, which: np.ndarray, length: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return weighted residuals and their derivatives; see `Task`."""
        rest = self.q.reshape(-1, model.NQ)[which]
        w = self._w / lengths_of_variables(model, np.full(1, length))[0]
        if model.NQ == model.NV:  # q is a vector, and differences are its own
            return w * (q - rest), np.diag(w)[None].repeat(len(q), axis=0)
        e = configurationDifference(model, rest, q)
        return w * e, w[:, None] * configurationDifference_derivatives(model, rest, q).ddq_dq1
