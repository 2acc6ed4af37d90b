"""Cost of the distance from a desired state."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.configuration.by_joint import runs, spaces
from spatial_v2.control.checks import as_row
from spatial_v2.control.cost_kernels import NOTHING, Arguments, add_states, runs_kernel
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

    def arguments(self, table: np.ndarray, at: Instants) -> Arguments:
        """Return the first arguments of the kernel, given the table of `by_joint.spaces`."""
        lead = at.q.shape[:-1]
        q0, v0, W, V = (rows(x, lead) for x in (self.q, self.qd, self.weight, self.velocity_weight))
        q = flat(at.q)
        return table, (q0, v0, NOTHING), (W, V, NOTHING), (q, rows(at.qd, lead), q[:, :0])

    def _compiled(self, at: Instants, *results: np.ndarray) -> Arguments | None:
        """Return the first arguments of the kernel; None if it cannot compute the cost."""
        check_sizes(self.model, at)
        table = spaces(self.model) if runs_kernel("StateCost", at, *results) else None
        return None if table is None else self.arguments(table, at)

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""
        if given := self._compiled(at):
            costs = np.zeros(at.q.shape[:-1])
            add_states(given, costs.reshape(-1))
            return costs
        e, v = self._distance(at), at.qd - self.qd
        total = weighted_square(e, self.weight) + weighted_square(v, self.velocity_weight)
        return np.asarray(total / 2)

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians; see `Cost`."""
        if given := self._compiled(at, gradient, hessian):
            add_states(given, derivatives=(gradient, hessian), exact=exact)
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
