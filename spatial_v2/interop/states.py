"""Conversion of states and forces between this library and another, joint by joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_matrix, as_real
from spatial_v2.configuration import neutral, random_configuration
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model import Model
from spatial_v2.model.rotations import check_quaternions
from spatial_v2.model.state import check_vector
from spatial_v2.three_d import rq

__all__ = ["Part", "StateMap"]

_SIZES = {
    "line": (1, 1, 1),
    "turn": (1, 2, 1),
    "ball": (4, 4, 3),
    "ball_xyzw": (4, 4, 3),
    "free_xyzw": (7, 7, 6),
    "free_world": (7, 7, 6),
    "plane": (3, 4, 3),
}
"""For each kind of joint, numbers of variables: positions in this library and in the other one, and
velocities.
"""

_WXYZ, _XYZW = [3, 0, 1, 2], [1, 2, 3, 0]


@dataclass(frozen=True)
class Part:
    """Correspondence between the variables of one joint in this library and in another.

    Attributes
    ----------
    kind : str
        Variables of the other library. ``line``, ``ball``: as in this library. ``turn``: cosine and
        sine of the angle. ``ball_xyzw``: the quaternion's real part last. ``free_xyzw``: the
        position before a quaternion with its real part last, and the linear velocity before the
        angular one, in body coordinates. ``free_world``: the position before the quaternion, and
        the velocity of the origin in base coordinates before the angular velocity in body
        coordinates. ``plane``: cosine and sine of the angle, and velocities in body coordinates;
        this library has two displacements and an angle.
    q, v : int
        Indices of the first position and velocity variable in this library.
    their_q, their_v : int
        Indices of the first position and velocity variable in the other library.
    zero : float
        Value of the position variable in the other library when it is zero in this one.
    """

    kind: str
    q: int
    v: int
    their_q: int
    their_v: int
    zero: float = 0.0

    @property
    def widths(self) -> tuple[int, int, int]:
        """Numbers of position variables in this and the other library, and of velocities."""
        return _SIZES[self.kind]

    def slices(self) -> tuple[slice, slice, slice, slice]:
        """Return slices of q and v in this library, then in the other library."""
        n, m, k = self.widths
        return (
            slice(self.q, self.q + n),
            slice(self.v, self.v + k),
            slice(self.their_q, self.their_q + m),
            slice(self.their_v, self.their_v + k),
        )


class StateMap:
    """Conversion of states and forces between this library and another.

    All arrays are real NumPy arrays and may have leading axes; arrays of other shapes or kinds
    raise `ArrayShapeError`. Primed quantities are those of the other library, and B(q) is an
    orthogonal matrix:

    ==================  =======================================
    velocities          ``v' = B v``
    accelerations       ``a' = B a + dB/dt v``
    forces              ``tau' = B tau``, by equality of power
    inertia matrices    ``H' = B H B^T``
    ==================  =======================================

    B is a permutation, except for joints whose velocities have different coordinates.

    Parameters
    ----------
    model : Model
        The model of this library.
    parts : sequence of Part
        The model's joints, or chains of joints.
    nq : int
        Number of position variables of the other library.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> states = StateMap(autoTree(1), [Part("turn", 0, 0, 0, 0)], 2)
    >>> states.q_to(np.array([0.0]))
    array([1., 0.])
    """

    def __init__(self, model: Model, parts: Sequence[Part], nq: int) -> None:
        self.model, self.parts, self.nq = model, tuple(parts), nq

    def q_to(self, q: Any) -> np.ndarray:
        """Convert q (..., NQ) to the other library's positions (..., nq), with unit quaternions."""
        q = self._position(q)
        out = np.zeros((*q.shape[:-1], self.nq))
        for part in self.parts:
            ours, _, theirs, _ = part.slices()
            out[..., theirs] = _position_to(part, _unit(part, q[..., ours]))
        return out

    def q_from(self, q: Any) -> np.ndarray:
        """Convert the other library's positions (..., nq) to q (..., NQ)."""
        q = as_real(q, "q")
        if q.shape[-1:] != (self.nq,):
            raise ArrayShapeError(
                f"q: want shape (..., {self.nq}), the position variables of the other library; got "
                f"{q.shape}"
            )
        out = np.zeros((*q.shape[:-1], self.model.NQ))
        for part in self.parts:
            ours, _, theirs, _ = part.slices()
            out[..., ours] = _position_from(part, q[..., theirs])
        return out

    def B(self, q: Any) -> np.ndarray:
        """Compute the orthogonal matrix B(q) (..., NV, NV) from this library's velocities to the
        other's, at this library's q.
        """
        q = self._position(q)
        out = np.zeros((*q.shape[:-1], self.model.NV, self.model.NV))
        for part in self.parts:
            ours, v, _, their_v = part.slices()
            out[..., their_v, v] = _velocities(part, q[..., ours])
        return out

    def v_to(self, q: Any, v: Any) -> np.ndarray:
        """Convert velocities v (..., NV) at q to the other library's velocities."""
        return _times(self.B(q), self._velocity("v", v))

    def v_from(self, q: Any, v: Any) -> np.ndarray:
        """Convert the other library's velocities v (..., NV) at this library's q."""
        return _times(np.matrix_transpose(self.B(q)), self._velocity("v", v))

    def a_to(self, q: Any, v: Any, a: Any) -> np.ndarray:
        """Convert accelerations a at (q, v) to the other library's accelerations."""
        return np.asarray(_times(self.B(q), self._velocity("a", a)) + self._rate(q, v))

    def a_from(self, q: Any, v: Any, a: Any) -> np.ndarray:
        """Convert the other library's accelerations a at this library's q and v."""
        a = self._velocity("a", a)
        return _times(np.matrix_transpose(self.B(q)), a - self._rate(q, v))

    def tau_to(self, q: Any, tau: Any) -> np.ndarray:
        """Convert joint forces tau at q to the other library's joint forces."""
        return _times(self.B(q), self._velocity("tau", tau))

    def tau_from(self, q: Any, tau: Any) -> np.ndarray:
        """Convert the other library's joint forces tau at this library's q."""
        return _times(np.matrix_transpose(self.B(q)), self._velocity("tau", tau))

    def H_to(self, q: Any, H: Any) -> np.ndarray:
        """Convert an inertia matrix H at q to the other library's inertia matrix."""
        B = self.B(q)
        return np.asarray(B @ self._matrix(H) @ np.matrix_transpose(B))

    def H_from(self, q: Any, H: Any) -> np.ndarray:
        """Convert the other library's inertia matrix H at this library's q."""
        B = self.B(q)
        return np.asarray(np.matrix_transpose(B) @ self._matrix(H) @ B)

    def diagonal_to(self, name: str, x: Any) -> np.ndarray:
        """Convert a diagonal matrix (NV,), such as armature, to the other library's variables.

        `name` is the field's name, for the error message.
        """
        return self._diagonal(name, x, neutral(self.model), lambda B: B)

    def diagonal_from(self, name: str, x: Any) -> np.ndarray:
        """Convert a diagonal matrix (NV,) of the other library to this library's variables.

        `name` is the field's name, for the error message.
        """
        return self._diagonal(name, x, neutral(self.model), np.matrix_transpose)

    def _diagonal(self, name: str, x: Any, q: np.ndarray, way: Any) -> np.ndarray:
        """Convert a diagonal matrix; raise an error if it does not stay diagonal for all q.

        `way` is a function that returns the matrix to apply: B itself or its transpose.
        """
        x = np.asarray(x, dtype=np.float64)
        diagonal = np.abs(way(self.B(q))) @ x
        B = way(self.B(random_configuration(self.model, np.random.default_rng(0))))
        if not np.allclose(B * x @ B.T, np.diag(diagonal), rtol=0, atol=1e-12 * np.abs(x).max()):
            raise ModelError(
                f"{name}: want the same value for all directions of a floating or planar joint: "
                "the velocities of the two libraries are in different coordinates; got "
                f"{x.tolist()}"
            )
        return np.asarray(diagonal)

    def _position(self, q: Any) -> np.ndarray:
        """Check q (..., NQ) of this library."""
        position = as_real(check_vector(self.model, "q", q, self.model.NQ, "q"), "q")
        check_quaternions(self.model, position)
        return position

    def _velocity(self, name: str, x: Any) -> np.ndarray:
        """Check a velocity, acceleration or force (..., NV) of either library."""
        return as_real(check_vector(self.model, name, x, self.model.NV, "v"), name)

    def _matrix(self, H: Any) -> np.ndarray:
        """Check an inertia matrix (..., NV, NV) of either library."""
        return as_real(as_matrix(H, "H", self.model.NV), "H")

    def _rate(self, q: Any, v: Any) -> np.ndarray:
        """Compute dB/dt v, the part of the other library's accelerations due to velocity."""
        q, v = self._position(q), self._velocity("v", v)
        lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
        out = np.zeros((*lead, self.model.NV))
        for part in self.parts:
            ours, own, _, their_v = part.slices()
            x = v[..., own]
            if part.kind == "free_world":
                R = np.matrix_transpose(np.asarray(rq(q[..., ours][..., :4])))
                linear = _times(R, np.cross(x[..., :3], x[..., 3:]))
                out[..., their_v] = np.concatenate([linear, 0 * linear], axis=-1)
            elif part.kind == "plane":
                turned = np.stack([x[..., 1], -x[..., 0], 0 * x[..., 2]], axis=-1)
                out[..., their_v] = x[..., 2:] * _times(_velocities(part, q[..., ours]), turned)
        return out


def _times(A: np.ndarray, x: Any) -> np.ndarray:
    return np.asarray((A @ np.asarray(x, dtype=np.float64)[..., None])[..., 0])


def _unit(part: Part, q: np.ndarray) -> np.ndarray:
    """Normalise the quaternion of a joint's positions, which may have any norm in this library."""
    if part.kind[:4] not in ("ball", "free"):
        return q
    size = np.sqrt((q[..., :4] ** 2).sum(axis=-1, keepdims=True))
    return np.concatenate([q[..., :4] / size, q[..., 4:]], axis=-1)


def _position_to(part: Part, q: np.ndarray) -> np.ndarray:
    if part.kind == "turn":
        return np.concatenate([np.cos(q), np.sin(q)], axis=-1)
    if part.kind == "ball_xyzw":
        return q[..., _XYZW]
    if part.kind == "free_xyzw":
        return q[..., [4, 5, 6, *_XYZW]]
    if part.kind == "free_world":
        return q[..., [4, 5, 6, 0, 1, 2, 3]]
    if part.kind == "plane":
        angle = q[..., 2:]
        return np.concatenate([q[..., :2], np.cos(angle), np.sin(angle)], axis=-1)
    return q + part.zero


def _position_from(part: Part, q: np.ndarray) -> np.ndarray:
    if part.kind == "turn":
        return np.asarray(np.arctan2(q[..., 1:], q[..., :1]))
    if part.kind == "ball_xyzw":
        return q[..., _WXYZ]
    if part.kind == "free_xyzw":
        return q[..., [6, 3, 4, 5, 0, 1, 2]]
    if part.kind == "free_world":
        return q[..., [3, 4, 5, 6, 0, 1, 2]]
    if part.kind == "plane":
        return np.concatenate([q[..., :2], np.arctan2(q[..., 3:], q[..., 2:3])], axis=-1)
    return q - part.zero


def _velocities(part: Part, q: np.ndarray) -> np.ndarray:
    """Compute a joint's block of B, from its velocities to those of the other library."""
    n = _SIZES[part.kind][2]
    if part.kind == "free_xyzw":
        return np.eye(6)[[3, 4, 5, 0, 1, 2]]
    if part.kind == "free_world":
        R = np.matrix_transpose(np.asarray(rq(q[..., :4])))
        out = np.zeros((*q.shape[:-1], 6, 6))
        out[..., :3, 3:], out[..., 3:, :3] = R, np.eye(3)
        return out
    if part.kind == "plane":
        c, s, zero, one = np.cos(q[..., 2]), np.sin(q[..., 2]), 0 * q[..., 2], 1 + 0 * q[..., 2]
        rows = [[c, s, zero], [-s, c, zero], [zero, zero, one]]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    return np.eye(n)
