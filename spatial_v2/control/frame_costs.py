"""Costs of the pose and the velocity of a frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives import modFrame_second_derivatives
from spatial_v2.arrays.checks import as_matrix, as_vector
from spatial_v2.calls.loading import load_procedure
from spatial_v2.control.checks import as_floats, as_row
from spatial_v2.control.cost_kernels import add_by_kernel, runs_kernel
from spatial_v2.control.costs import Instants, add_square, weighted_square
from spatial_v2.control.displacements import flat, logarithm, relative_twist, rows
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics.forward_kinematics import frame_motion
from spatial_v2.exceptions import ModelError
from spatial_v2.frames import FrameJacobian, frame_velocity
from spatial_v2.model import Model
from spatial_v2.model.checks import check_transforms
from spatial_v2.model.frame import Frame, find_frame
from spatial_v2.model.state import check_model

__all__ = ["FramePlacementCost", "FrameVelocityCost"]

T = np.matrix_transpose


class _FrameCost:
    """Cost of a frame: half the weighted sum of six squared residuals."""

    def __init__(self, model: Model, frame: Frame | int | str, weight: Any) -> None:
        if model.is_planar:
            raise ModelError(
                "model: want a spatial model for the cost of a frame, got a planar one. For planar "
                "models use StateCost, or SquareCost of a FramePosition"
            )
        self.model, self.frame = model, find_frame(free_tree(model), frame)
        self.jacobian = FrameJacobian.bind(model, frame=self.frame)
        self.second = modFrame_second_derivatives.bind(model, frame=self.frame)
        self.weight = np.asarray(as_vector(as_row(weight, 6, "weight"), "weight", 6))

    def residual(self, at: Instants) -> np.ndarray:
        """Compute the residual r, shape (..., 6)."""
        raise NotImplementedError

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""
        return np.asarray(weighted_square(self.residual(at), self.weight) / 2)


class FramePlacementCost(_FrameCost):
    """Quadratic cost ``e . W e / 2`` of the twist e from a target pose to a frame, with weights W.

    Parameters
    ----------
    model : Model
        The model, not planar.
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    target : array, shape (6, 6) or (N, 6, 6)
        Transform from the base to the desired pose. The error e [rad, m] is the logarithm of the
        pose of the frame relative to the desired one: the twist that moves one to the other in one
        second, whose coordinates are the same in both frames.
    weight : array, shape (6,) or (N, 6), or float
        Diagonal of W, at least zero.

    Raises
    ------
    ArrayShapeError
        An array of the wrong shape.
    ModelError
        A planar model, no such frame, or a target that is not a transform.

    Examples
    --------
    >>> from spatial_v2 import xlt
    >>> from spatial_v2.control import Instants
    >>> from spatial_v2.models import autoTree
    >>> cost = FramePlacementCost(autoTree(2), 1, xlt([1.0, 0.5, 0.0]), 2.0)
    >>> cost.value(Instants(np.zeros(2), np.zeros(2), np.zeros(0))).round(6)
    np.float64(0.25)
    """

    def __init__(self, model: Model, frame: Frame | int | str, target: Any, weight: Any) -> None:
        check_model(model)
        super().__init__(model, frame, weight)
        self.target = as_floats(as_matrix(target, "target", 6), "target")
        check_transforms("target", self.target.reshape(-1, 6, 6))
        self.motion = frame_motion.bind(model, frame=self.frame)

    def residual(self, at: Instants) -> np.ndarray:
        """Compute the twist from the target to the frame, shape (..., 6)."""
        return relative_twist(self.motion(at.q, at.qd).X0, self.target)

    def _compiled(self, at: Instants, *results: np.ndarray) -> tuple[Any, ...]:
        """Return the first arguments of the kernels; none if they cannot compute the cost."""
        if not runs_kernel("FramePlacementCost", at, *results):
            return ()
        lead = at.q.shape[:-1]
        wanted = rows(self.target, lead, 2), rows(self.weight, lead)
        return flat(self.motion(at.q, at.qd).X0, 2), *wanted

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""
        if arguments := self._compiled(at):
            costs = np.empty(at.q.shape[:-1])
            load_procedure("FramePlacementCost")(*arguments, costs.reshape(-1))
            return costs
        return super().value(at)

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians; see `Cost`."""
        n = self.model.NV
        if arguments := self._compiled(at, gradient, hessian):
            force = np.empty((*at.q.shape[:-1], 6))
            arguments = *arguments, flat(self.jacobian(at.q), 2), exact, flat(force)
            add_by_kernel("add_FramePlacementCost", arguments, gradient, hessian)
            if exact:
                of_J = self.second(at.q, 0 * at.qd, force).dmod_duq
                hessian[..., :n, :n] += (of_J + T(of_J)) / 2
            return
        e = self.residual(at)
        J, pull = self.jacobian(at.q), self.weight * e
        K, bent = logarithm(e, pull)
        add_square(e, K @ J, self.weight, gradient[..., :n], hessian[..., :n, :n])
        if exact:
            force = (T(K) @ pull[..., None])[..., 0]
            of_J = self.second(at.q, 0 * at.qd, force).dmod_duq
            bend = T(J) @ bent @ K @ J + of_J
            hessian[..., :n, :n] += (bend + T(bend)) / 2


class FrameVelocityCost(_FrameCost):
    """Quadratic cost ``e . W e / 2`` of the difference e of a frame's velocity from a desired one.

    Parameters
    ----------
    model : Model
        The model, not planar.
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    weight : array, shape (6,) or (N, 6), or float
        Diagonal of W, at least zero, for the angular and the linear velocity in the frame's axes.
    velocity : array, shape (6,) or (N, 6), optional
        The desired velocity [rad/s, m/s]; zero by default.

    Raises
    ------
    ArrayShapeError
        An array of the wrong shape.
    ModelError
        A planar model, or no such frame.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> from spatial_v2.models import autoTree
    >>> cost = FrameVelocityCost(autoTree(2), 1, [0, 0, 0, 1, 1, 1])
    >>> cost.value(Instants(np.zeros(2), np.array([2.0, 0.0]), np.zeros(0)))
    array(2.)
    """

    def __init__(
        self, model: Model, frame: Frame | int | str, weight: Any, velocity: Any = 0.0
    ) -> None:
        check_model(model)
        super().__init__(model, frame, weight)
        self.velocity = np.asarray(as_vector(as_row(velocity, 6, "velocity"), "velocity", 6))
        self.motion = frame_velocity.bind(model, frame=self.frame)

    def residual(self, at: Instants) -> np.ndarray:
        """Compute the velocity of the frame minus the desired one, shape (..., 6)."""
        return np.asarray(self.motion(at.q, at.qd) - self.velocity)

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians; see `Cost`."""
        n, e = self.model.NV, self.residual(at)
        J = self.jacobian(at.q)
        rows = np.eye(6).reshape(6, *(1 for _ in e.shape[:-1]), 6) + 0 * e
        by_q = self.second(at.q, at.qd, rows).dmod_dq
        by_q = np.moveaxis(by_q, 0, -2)
        both = np.concatenate([by_q, J], axis=-1)
        add_square(e, both, self.weight, gradient[..., : 2 * n], hessian[..., : 2 * n, : 2 * n])
        if exact:
            d = self.second(at.q, at.qd, self.weight * e)
            hessian[..., :n, :n] += (d.dmod_dqq + T(d.dmod_dqq)) / 2
            hessian[..., n : 2 * n, :n] += d.dmod_duq
            hessian[..., :n, n : 2 * n] += T(d.dmod_duq)
