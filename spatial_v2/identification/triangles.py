"""Least squares for any number of samples in constant memory, by triangular factors.

A linear fit of samples ``A x = b`` needs only the triangular factor R of the QR decomposition
``[A b] = Q R``. New samples are appended to R as rows, and R is factorised again. There is one R
for each joint force, so that the residual of every force is known for any x, and forces can be
weighted afterwards.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from spatial_v2.exceptions import SpatialError
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
        The robot; inertias of its rotors are known.
    unknowns : Unknowns
        The parameters to identify.
    known : array, shape (NB, 10)
        Inertial parameters of the links, used for those that are not unknown.
    method : {"qr", "normal"}
        Store R, or ``R^T R``, which takes half the time and loses half the digits.

    Attributes
    ----------
    samples : int
        Number of samples added.
    columns : list of array
        Indices of the unknowns that affect each joint force.
    """

    def __init__(self, model: Model, unknowns: Unknowns, known: np.ndarray, method: Method) -> None:
        self.model, self.unknowns, self.method = model, unknowns, method
        self.rotors = np.asarray(getModelInertialParams(model).a_rotor)
        self.links = unknowns.columns()
        self.known = known.copy()
        self.known[unknowns.bodies] = 0.0
        self.samples = 0
        self.columns = unknowns.of_forces()
        sizes = [len(c) + 1 for c in self.columns]
        self._kept = [np.zeros((n, n)) for n in sizes]

    def add(self, batch: Samples) -> None:
        """Add a batch of samples to the factors."""
        Y, Y_rot = RegressorClassical(self.model, batch.q, batch.qd, batch.qdd)
        tau = batch.tau - Y_rot @ self.rotors - Y @ self.known.ravel()
        tau = tau - self.unknowns.known_forces(batch.q, batch.qd, batch.qdd)
        others = self.unknowns.regressors(batch.q, batch.qd, batch.qdd)
        bad = np.flatnonzero(~np.isfinite(tau).all(axis=-1))
        if len(bad):
            raise SpatialError(
                f"q: in sample {self.samples + bad[0]} loops are open, or cannot be closed; want "
                "configurations of the tree with closed loops, or independent variables in reach"
            )
        n = self.unknowns.links
        for j, places in enumerate(self.columns):
            links, own = self.links[places[places < n]], places[places >= n] - n
            A = np.concatenate([Y[:, j, links], others[:, j, own], tau[:, j, None]], axis=1)
            if self.method == "normal":
                self._kept[j] = self._kept[j] + A.T @ A
            else:
                self._kept[j] = np.asarray(np.linalg.qr(np.vstack([self._kept[j], A]), mode="r"))
        self.samples += len(tau)

    def of_force(self, j: int) -> np.ndarray:
        """Return the triangular factor for joint force j and the unknowns that affect it."""
        kept = self._kept[j]
        if self.method == "qr":
            return kept
        size = np.sqrt(kept.diagonal())
        divisor = np.where(size > 0, size, 1.0)
        values, V = np.linalg.eigh(kept / np.outer(divisor, divisor))
        return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * V.T * size)

    def together(self, weights: np.ndarray) -> np.ndarray:
        """Return the triangular factor for all unknowns, from weighted joint forces."""
        n = self.unknowns.n
        rows = []
        for j, places in enumerate(self.columns):
            R = np.zeros((len(places) + 1, n + 1))
            R[:, [*places, n]] = np.sqrt(weights[j]) * self.of_force(j)
            rows.append(R)
        return np.asarray(np.linalg.qr(np.vstack([*rows, np.zeros((1, n + 1))]), mode="r"))

    def sizes(self) -> np.ndarray:
        """Return for each unknown the value at which its joint force alone has the root mean square
        of the measured ones, less the known; 1 for parameters of links, 0 for those of joints that
        no sample depends on.
        """
        n, sizes = self.unknowns.links, np.ones(self.unknowns.n)
        sizes[n:] = 0.0
        forces = [float(np.linalg.norm(self.of_force(j)[:, -1])) for j in range(len(self.columns))]
        for j, places in enumerate(self.columns):
            kept = self.of_force(j)
            for k in np.flatnonzero(places >= n):
                column = float(np.linalg.norm(kept[:, k]))
                if column:
                    size = (forces[j] or max(forces) or column) / column
                    sizes[places[k]] = max(sizes[places[k]], size)
        return sizes

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """Return the root-mean-square residual of each joint force for unknowns x."""
        remainders = [
            self.of_force(j) @ np.append(x[places], -1.0) for j, places in enumerate(self.columns)
        ]
        return np.sqrt([r @ r / self.samples for r in remainders])
