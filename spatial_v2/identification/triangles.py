"""Least squares of any number of samples in constant memory: one triangle for each joint force.

All that a linear fit takes of samples ``A x = b`` is the triangle R of the factors
``[A b] = Q R``. New rows are put under it and it is made a triangle again. With a triangle for each
joint force, the residual of every force is known for any x, and forces can be weighted afterwards.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from spatial_v2.identification.samples import Samples
from spatial_v2.identification.unknowns import Unknowns
from spatial_v2.inertia import getModelInertialParams
from spatial_v2.model import Model
from spatial_v2.regressors import RegressorClassical

__all__ = ["Method", "Triangles"]

Method = Literal["qr", "normal"]


class Triangles:
    """Triangular factors that represent the samples.

    Parameters
    ----------
    model : Model
        The robot; its rotors keep their inertias.
    unknowns : Unknowns
        The unknowns.
    method : {"qr", "normal"}
        Triangles, or their squares, which take half the time and cost half the digits.

    Attributes
    ----------
    samples : int
        Number of samples added.
    columns : list of array
        Indices of the unknowns that affect each joint force.
    """

    def __init__(self, model: Model, unknowns: Unknowns, method: Method) -> None:
        self.model, self.unknowns, self.method = model, unknowns, method
        self.rotors = np.asarray(getModelInertialParams(model).a_rotor)
        self.samples = 0
        self.columns = unknowns.of_forces()
        sizes = [len(c) + 1 for c in self.columns]
        self._kept = [np.zeros((n, n)) for n in sizes]

    def add(self, given: Samples) -> None:
        """Add samples."""
        Y, Y_rot = RegressorClassical(self.model, given.q, given.qd, given.qdd)
        tau = given.tau - Y_rot @ self.rotors
        extra = self.unknowns.regressors(given.qd, given.qdd)
        n = Y.shape[-1]
        for j, places in enumerate(self.columns):
            links = places[places < n]
            A = np.column_stack([Y[:, j, links], *(x[:, j] for x in extra), tau[:, j]])
            if self.method == "normal":
                self._kept[j] = self._kept[j] + A.T @ A
            else:
                self._kept[j] = np.asarray(np.linalg.qr(np.vstack([self._kept[j], A]), mode="r"))
        self.samples += len(tau)

    def of_force(self, j: int) -> np.ndarray:
        """The triangle of joint force j, over the unknowns that it feels and the force."""
        kept = self._kept[j]
        if self.method == "qr":
            return kept
        size = np.sqrt(np.where(kept.diagonal() > 0, kept.diagonal(), 1.0))
        values, V = np.linalg.eigh(kept / np.outer(size, size))
        return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * V.T * size)

    def together(self, weights: np.ndarray) -> np.ndarray:
        """One triangle over all unknowns and the force; squares are weighted."""
        n = self.unknowns.n
        rows = []
        for j, places in enumerate(self.columns):
            R = np.zeros((len(places) + 1, n + 1))
            R[:, [*places, n]] = np.sqrt(weights[j]) * self.of_force(j)
            rows.append(R)
        return np.asarray(np.linalg.qr(np.vstack([*rows, np.zeros((1, n + 1))]), mode="r"))

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """Root-mean-square residual of each joint force."""
        left = [
            self.of_force(j) @ np.append(x[places], -1.0) for j, places in enumerate(self.columns)
        ]
        return np.sqrt([r @ r / self.samples for r in left])
