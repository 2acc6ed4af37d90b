"""Position errors and Jacobians of a loop's rows, which need poses of its bodies alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from spatial_v2.constraints import FrameConstraint
from spatial_v2.constraints.frame_rows import FrameRows
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.rows import Rows
from spatial_v2.constraints.turned import turned
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.dynamics.robot_frame import GroundFrame, motion_inverse
from spatial_v2.mechanisms.loop import Loop

__all__ = ["Resting", "errors_of", "has_frames", "jacobian_of", "turned_over"]

TURNED = 0.1
"""Angle along the constrained directions, in radians, beyond which frames near half a turn count as
turned over. It may have any value between rounding errors and half a turn.
"""


class Resting(Motions):
    """Poses and motion subspaces of the bodies of a loop at rest, at configurations (..., NQ)."""

    def __init__(self, loop: Loop, q: np.ndarray) -> None:
        model = self.model = loop.model
        X0 = np.asarray(forward_kinematics(model, q).X0)
        S = motion_inverse(X0)[..., model.body_of_v, :, :] @ loop.subspaces[..., None]
        self.q, self.qd, ground = q, np.zeros(model.NV), SimpleNamespace(X0=X0)
        self.ground = cast(GroundFrame, ground)
        self.S = self._columns(np.swapaxes(S[..., 0], -1, -2))
        self.psid = self.psidd = self.Sd = 0 * self.S
        self.origin = np.zeros(3)

    def v(self, body: int) -> Any:
        """Return zero: no body moves."""
        return 0 * self.S[..., :1]

    a = v


def errors_of(loop: Loop, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return position errors (..., m) and Jacobian (..., m, NV) of all rows of a loop.

    The derivatives of the errors of a closed loop are that Jacobian.
    """
    rows = Rows(loop.constraints.relations, Resting(loop, q))
    parts = [_error(x) for x in rows.parts]
    return np.concatenate(parts, axis=-2)[..., 0], np.asarray(rows.G)


def jacobian_of(loop: Loop, q: np.ndarray) -> np.ndarray:
    """Return the Jacobian (..., m, NV) of all rows of a loop."""
    return np.asarray(Rows(loop.constraints.relations, Resting(loop, q)).G)


def _error(rows: Any) -> np.ndarray:
    """Return the position error of a constraint, one column.

    The derivative of log6 is ``M T^T g``, with g the relative velocity and T its constrained
    directions. These are the directions of a closure, so that ``T M = A T``; division by A leaves
    the rows ``T g``.
    """
    e = np.asarray(rows.e)
    if not isinstance(rows, FrameRows):
        return e
    T = np.asarray(rows.T)
    A = T @ np.asarray(rows.error.e_q(T.T + 0 * e[..., :1, :])) @ np.linalg.inv(T @ T.T)
    return np.linalg.solve(A, e)


def has_frames(loop: Loop) -> bool:
    """Test if rows of a loop concern rotations, whose position errors may vanish at half a turn."""
    return any(isinstance(x, FrameConstraint) for x in loop.constraints.constraints)


def turned_over(loop: Loop, q: np.ndarray) -> np.ndarray:
    """Return a mask (...) of configurations in which frames are half a turn apart, where the
    position errors of kernels, which are sines of angles, vanish too.
    """
    masks = turned(loop.model, q, loop.constraints, TURNED, ("sine", "log6"))
    none = np.zeros(q.shape[:-1], dtype=bool)
    return np.asarray(np.any([none, *masks.values()], axis=0))
