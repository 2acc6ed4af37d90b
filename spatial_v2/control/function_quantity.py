"""Quantities that are functions of CasADi or JAX, with the derivatives of those libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.configuration import configurationRates
from spatial_v2.configuration.by_joint import runs
from spatial_v2.control.costs import Instants, check_sizes
from spatial_v2.control.foreign import Derivatives, check_function, differentiated
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["FunctionQuantity"]

T = np.matrix_transpose
STEP = 1e-30
"""Complex step, by which `configurationRates` is differentiated exactly."""


class FunctionQuantity:
    """Quantity that is a function of CasADi or JAX, for costs and bounds.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    function : casadi.Function or callable
        A `casadi.Function` of q (NQ,), qd (NV,) and u (m,), or of the first two, which returns a
        vector; or a Python function of these three that JAX can differentiate, with u (0,) at the
        end of a motion. It is called for a single instant. Entries of quaternions and matrices in q
        are independent variables for it; its values at q that are not unit quaternions or rotations
        do not matter.

    Raises
    ------
    ArrayShapeError
        A CasADi function whose inputs have other sizes.
    SpatialError
        A CasADi function with another number of inputs or outputs, or no function at all.

    Notes
    -----
    The library of the function computes its Jacobian and Hessian with respect to the entries of q,
    qd and u, at all instants in one call. Along the increments dq of ``q (+) dq``, with a gradient
    g in the entries of q, they are ``g . R`` and ``R^T H R + (g . dR) R``, where R is the linear
    map `configurationRates`. JAX computes in double precision whatever its configuration is.

    Examples
    --------
    The height of the tip of a double pendulum:

    >>> import casadi
    >>> from spatial_v2.control import Instants
    >>> from spatial_v2.models import autoTree
    >>> q, qd = casadi.SX.sym("q", 2), casadi.SX.sym("qd", 2)
    >>> height = casadi.Function("height", [q, qd], [casadi.sin(q[0]) + casadi.sin(q[0] + q[1])])
    >>> tip = FunctionQuantity(autoTree(2), height)
    >>> at = Instants(np.array([[0.0, 0.0], [0.5, 0.5]]), np.zeros((2, 2)), np.zeros((2, 0)))
    >>> tip.value(at).round(3)
    array([[0.   ],
           [1.321]])
    """

    def __init__(self, model: Model, function: Any) -> None:
        check_model(model)
        self.model, self.function = model, function
        check_function(function)
        self._known: dict[int, Derivatives] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: derivatives are made again when they are needed."""
        return self.__dict__ | {"_known": {}}

    def _derivatives(self, at: Instants) -> tuple[Derivatives, np.ndarray]:
        """Return the functions, and the vectors z = [q, qd, u] at which to evaluate them."""
        check_sizes(self.model, at)
        m = at.u.shape[-1]
        if m not in self._known:
            sizes = self.model.NQ, self.model.NV, m
            self._known[m] = differentiated(self.function, sizes)
        return self._known[m], np.concatenate([at.q, at.qd, at.u], axis=-1)

    def value(self, at: Instants) -> np.ndarray:
        """Compute the values at each instant; see `Quantity`."""
        f, z = self._derivatives(at)
        return f.value(z)

    def jacobian(self, at: Instants) -> np.ndarray:
        """Compute the derivatives of the values; see `Quantity`."""
        f, z = self._derivatives(at)
        return np.asarray(f.jacobian(z) @ rates(self.model, at))

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        """Add the weighted second derivatives; see `Quantity`."""
        f, z = self._derivatives(at)
        R = rates(self.model, at)
        hessian += T(R) @ f.hessian(z, weight) @ R
        groups = [(group, qs, vs) for group, qs, vs in runs(self.model) if group is not LINE]
        if not groups:
            return
        g = (weight[..., None, :] @ f.jacobian(z))[..., 0, :]
        for group, qs, vs in groups:
            q, along = at.q[..., qs], T(R[..., qs, vs])
            moved = q[..., None, None, :] + 1j * STEP * along[..., :, None, :]
            dR = group.rate(moved, np.eye(vs.stop - vs.start), False).imag / STEP
            bend = (dR @ g[..., None, qs, None])[..., 0]
            hessian[..., vs, vs] += (bend + T(bend)) / 2


def rates(model: Model, at: Instants) -> np.ndarray:
    """Compute the derivatives of [q, qd, u] with respect to the increments [dq, dqd, du], shape
    (..., NQ + NV + m, 2 NV + m).
    """
    nq, n, m = model.NQ, model.NV, at.u.shape[-1]
    R = np.zeros((*at.qd.shape[:-1], nq + n + m, 2 * n + m))
    R[..., :nq, :n] = T(configurationRates(model, at.q[..., None, :], np.eye(n), False))
    R[..., range(nq, nq + n + m), range(n, 2 * n + m)] = 1
    return R
