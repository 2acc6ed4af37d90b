"""Cost of the distance from a desired state."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.calls.loading import load_procedure
from spatial_v2.configuration.by_joint import runs, spaces
from spatial_v2.control.checks import as_row
from spatial_v2.control.cost_kernels import add_by_kernel, runs_kernel
from spatial_v2.control.costs import (
    Instants,
    add_square,
    check_sizes,
    diagonal,
    weighted_square,
)
from spatial_v2.control.displacements import difference, flat, logarithm, rows
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_vector

__all__ = ["StateCost"]


class StateCost:
    """Quadratic cost of the distance to a state, ``e . W e / 2 + (qd - qd*) . V (qd - qd*) / 2``.

    e is the displacement from the desired configuration, qd* the desired velocity.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (NQ,) or (N, NQ)
        Desired positions q*, ``e = configurationDifference(model, q*, q)``.
    weight, velocity_weight : array, shape (NV,) or (N, NV), or float
        Diagonals of W and V, at least zero.
    qd : array, shape (NV,) or (N, NV), optional
        Desired velocities qd*; zero by default.

    Raises
    ------
    ArrayShapeError
        An array of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> from spatial_v2.models import autoTree
    >>> cost = StateCost(autoTree(2), [1.0, 0.0], 10.0, 1.0)
    >>> cost.value(Instants(np.zeros(2), np.ones(2), np.zeros(0)))
    array(6.)
    """

    def __init__(
        self, model: Model, q: Any, weight: Any, velocity_weight: Any = 0.0, qd: Any = 0.0
    ) -> None:
        check_model(model)
        self.model = model
        self.q = np.array(check_vector(model, "q", q, model.NQ, "q"), dtype=float)
        self.weight, self.velocity_weight, self.qd = (
            np.asarray(check_vector(model, name, as_row(x, model.NV, name), model.NV, "v"))
            for name, x in (
                ("weight", weight), ("velocity_weight", velocity_weight), ("qd", qd),
            )
        )  # fmt: skip

    def _distance(self, at: Instants) -> np.ndarray:
        return difference(self.model, self.q, at.q)

    def _compiled(self, at: Instants, *results: np.ndarray) -> tuple[Any, ...]:
        """Return the first arguments of the kernels; none if they cannot compute the cost."""
        check_sizes(self.model, at)
        table = spaces(self.model) if runs_kernel("StateCost", at, *results) else None
        if table is None:
            return ()
        wanted, lead = (self.q, self.qd, self.weight, self.velocity_weight), at.q.shape[:-1]
        return table, *(rows(x, lead) for x in wanted), flat(at.q), rows(at.qd, lead)

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""
        if arguments := self._compiled(at):
            costs = np.empty(at.q.shape[:-1])
            load_procedure("StateCost")(*arguments, costs.reshape(-1))
            return costs
        e, v = self._distance(at), at.qd - self.qd
        total = weighted_square(e, self.weight) + weighted_square(v, self.velocity_weight)
        return np.asarray(total / 2)

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians; see `Cost`."""
        if arguments := self._compiled(at, gradient, hessian):
            add_by_kernel("add_StateCost", (*arguments, exact), gradient, hessian)
            return
        n, e, v = self.model.NV, self._distance(at), at.qd - self.qd
        gradient[..., n : 2 * n] += self.velocity_weight * v
        curvature = diagonal(hessian)
        curvature[..., n : 2 * n] += self.velocity_weight
        for group, _, vs in runs(self.model):
            x, w = e[..., vs], self.weight[..., vs]
            if not w.any():
                continue
            if group is LINE:
                gradient[..., vs] += w * x
                curvature[..., vs] += w
                continue
            K, bent = logarithm(x, w * x)
            add_square(x, K, w, gradient[..., vs], block := hessian[..., vs, vs])
            if exact:
                block += (bent @ K + np.matrix_transpose(bent @ K)) / 2
