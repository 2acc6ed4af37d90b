"""The configuration spaces of joints: storage, addition, difference and random samples of q.

Every group offers the same operations on arrays q (..., nq) and tangent vectors dq (..., nv) along
the joint's degrees of freedom (body side): ``q (+) dq = q exp(dq)``.  Joints with one degree of
freedom live on a line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.entire import cosc, cotc, sinc, sincc
from spatial_v2.arrays.linear import length, scaled
from spatial_v2.three_d import (
    cross_matrix,
    quaternion_rate_body,
    rotation_to_rotation_vector,
    rotation_vector_to_rotation,
    rq,
    vecTose3,
)
from spatial_v2.three_d.quaternion_product import quaternion_product

__all__ = ["FB", "LINE", "SE3", "SO3", "Group", "Retraction", "S"]

Retraction = Literal["exp", "matlab"]


class Group(ABC):
    """The configuration space of a joint; at the configuration `neutral` its transform X_J is the
    identity.
    """

    neutral: tuple[float, ...]

    @abstractmethod
    def add(self, q: Array, dq: Array, retraction: Retraction) -> Array:
        """Return ``q (+) dq`` (..., nq), for a displacement dq (..., nv)."""

    @abstractmethod
    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the shortest dq (..., nv) with ``q1 = q0 (+) dq``."""

    @abstractmethod
    def rate(self, q: Array, qd: Array, stabilise: bool) -> Array:
        """Return dq/dt (..., nq) for the joint velocity qd (..., nv)."""

    @abstractmethod
    def random(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Draw random configurations (*shape, nq), with uniformly distributed rotations."""

    def normalise(self, q: Array) -> Array:
        """Normalise `q`: quaternions become unit, rotation matrices orthonormal."""
        return q

    def __reduce__(self) -> str:
        """Copy and pickle by name: each group is one object, which is compared by identity."""
        return next(name for name, x in globals().items() if x is self)


def _square(w: Array) -> Array:
    """Return ``w . w`` for vectors w, shape (..., 1)."""
    return namespace(w).sum(w * w, axis=-1, keepdims=True)


def _exp_quaternion(w: Array) -> Array:
    """Return the unit quaternion of the rotation vector w (..., 3)."""
    xp = namespace(w)
    s = _square(w) / 4
    return xp.concat([1 - s * cosc(s), sinc(s) * w / 2], axis=-1)


def _screw_matrix(w: Array) -> Array:
    """Return the matrix V(w) (..., 3, 3) for a rotation vector w: the pose exp([w; v]) has the
    translation V(w) v.
    """
    s = _square(w)[..., None]
    W = cross_matrix(w)
    return constant(np.eye(3), w) + cosc(s) * W + sincc(s) * (W @ W)


def _inverse_screw_matrix(w: Array) -> Array:
    """Return the inverse of the matrix V(w) of `_screw_matrix`, ``1 - W / 2 + c W^2`` with
    ``W = skew(w)`` and c from `cotc`.
    """
    s = _square(w)[..., None]
    W = cross_matrix(w)
    return constant(np.eye(3), w) - W / 2 + cotc(s) * (W @ W)


def _log(E: Array, E0: Array) -> Array:
    """Return the rotation vector, in body coordinates, of the rotation from E0 to E."""
    return rotation_to_rotation_vector(E @ namespace(E0).matrix_transpose(E0))


def _nearest(E: Array) -> Array:
    """Return rotations (..., 3, 3) close to matrices E that are nearly multiples of rotations."""
    xp = namespace(E)
    E, _ = scaled(xp.reshape(E, (*E.shape[:-2], 9)))
    E = E * (3.0**0.5 / length(E))
    return rq(rq(xp.reshape(E, (*E.shape[:-1], 3, 3))))


def _columns(x: Array, n: int) -> Array:
    """Convert vectors (..., n^2) that store matrices column by column to matrices (..., n, n)."""
    xp = namespace(x)
    return xp.matrix_transpose(xp.reshape(x, (*x.shape[:-1], n, n)))


def _stacked(A: Array) -> Array:
    """Convert matrices (..., n, n) to vectors (..., n^2), column by column."""
    xp = namespace(A)
    return xp.reshape(xp.matrix_transpose(A), (*A.shape[:-2], A.shape[-1] ** 2))


def _random_quaternion(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    q = rng.standard_normal((*shape, 4))
    return np.asarray(q / np.sqrt((q * q).sum(-1, keepdims=True)))


class _Line(Group):
    """One degree of freedom: q is an angle [rad] or a length [m]."""

    neutral = (0.0,)

    def add(self, q: Array, dq: Array, retraction: Retraction) -> Array:
        return q + dq

    def difference(self, q0: Array, q1: Array) -> Array:
        return q1 - q0

    def rate(self, q: Array, qd: Array, stabilise: bool) -> Array:
        return qd

    def random(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        return rng.uniform(-np.pi, np.pi, (*shape, 1))


class _Quaternion(Group):
    """Unit quaternions [w x y z]; tangent vectors are angular velocities in body coordinates."""

    neutral = (1.0, 0.0, 0.0, 0.0)

    def add(self, q: Array, dq: Array, retraction: Retraction) -> Array:
        return quaternion_product(q, _exp_quaternion(dq))

    def difference(self, q0: Array, q1: Array) -> Array:
        return _log(rq(q1), rq(q0))

    def rate(self, q: Array, qd: Array, stabilise: bool) -> Array:
        return quaternion_rate_body(q, qd, stabilise=stabilise)

    def random(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        return _random_quaternion(rng, shape)

    def normalise(self, q: Array) -> Array:
        q, _ = scaled(q)
        return q / length(q)


class _RotationMatrix(Group):
    """Coordinate rotations E from parent to body, stored column by column."""

    neutral = tuple(np.eye(3).ravel())

    def matrix(self, q: Array) -> Array:
        return _columns(q, 3)

    def vector(self, E: Array) -> Array:
        return _stacked(E)

    def add(self, q: Array, dq: Array, retraction: Retraction) -> Array:
        return self.vector(rotation_vector_to_rotation(dq) @ self.matrix(q))

    def difference(self, q0: Array, q1: Array) -> Array:
        return _log(self.matrix(q1), self.matrix(q0))

    def rate(self, q: Array, qd: Array, stabilise: bool) -> Array:
        return self.vector(-cross_matrix(qd) @ self.matrix(q))

    def random(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        return np.asarray(self.vector(rq(_random_quaternion(rng, shape))))

    def normalise(self, q: Array) -> Array:
        return self.vector(_nearest(self.matrix(q)))


class _QuaternionPose(Group):
    """Poses [quaternion; position of the body origin]; tangent vectors are body twists."""

    neutral = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def add(self, q: Array, dq: Array, retraction: Retraction) -> Array:
        xp = namespace(q, dq)
        w, v = dq[..., :3], column(dq[..., 3:])
        step = v if retraction == "matlab" else _screw_matrix(w) @ v
        R = xp.matrix_transpose(rq(q[..., :4]))
        return xp.concat([S.add(q[..., :4], w, "exp"), q[..., 4:] + uncolumn(R @ step)], axis=-1)

    def difference(self, q0: Array, q1: Array) -> Array:
        xp = namespace(q0, q1)
        w = S.difference(q0[..., :4], q1[..., :4])
        step = rq(q0[..., :4]) @ column(q1[..., 4:] - q0[..., 4:])
        return xp.concat([w, uncolumn(_inverse_screw_matrix(w) @ step)], axis=-1)

    def rate(self, q: Array, qd: Array, stabilise: bool) -> Array:
        xp = namespace(q, qd)
        v = xp.matrix_transpose(rq(q[..., :4])) @ column(qd[..., 3:])
        turn = S.rate(q[..., :4], qd[..., :3], stabilise)
        return xp.concat([turn, uncolumn(v)], axis=-1)

    def random(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        return np.concatenate([_random_quaternion(rng, shape), rng.normal(size=(*shape, 3))], -1)

    def normalise(self, q: Array) -> Array:
        return namespace(q).concat([S.normalise(q[..., :4]), q[..., 4:]], axis=-1)


class _HomogeneousTransform(Group):
    """Coordinate transforms ``T = [E, -E r; 0 1]`` from parent to body, with rotation E and
    displacement r, stored column by column.
    """

    neutral = tuple(np.eye(4).ravel())

    def matrix(self, q: Array) -> Array:
        return _columns(q, 4)

    def vector(self, T: Array) -> Array:
        return _stacked(T)

    def add(self, q: Array, dq: Array, retraction: Retraction) -> Array:
        xp = namespace(q, dq)
        T = self.matrix(q)
        E = rotation_vector_to_rotation(dq[..., :3])
        p = E @ T[..., :3, 3:] - _screw_matrix(-dq[..., :3]) @ column(dq[..., 3:])
        E, p, last = E @ T[..., :3, :3], p, xp.broadcast_to(T[..., 3:, :], (*p.shape[:-2], 1, 4))
        return self.vector(xp.concat([xp.concat([E, p], axis=-1), last], axis=-2))

    def difference(self, q0: Array, q1: Array) -> Array:
        xp = namespace(q0, q1)
        T0, T1 = self.matrix(q0), self.matrix(q1)
        E = T1[..., :3, :3] @ xp.matrix_transpose(T0[..., :3, :3])
        w = rotation_to_rotation_vector(E)
        p = T1[..., :3, 3:] - E @ T0[..., :3, 3:]
        return xp.concat([w, uncolumn(-_inverse_screw_matrix(-w) @ p)], axis=-1)

    def rate(self, q: Array, qd: Array, stabilise: bool) -> Array:
        return self.vector(-vecTose3(qd) @ self.matrix(q))

    def random(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        T = np.zeros((*shape, 4, 4))
        T[..., :3, :3] = rq(_random_quaternion(rng, shape))
        T[..., :3, 3] = rng.normal(size=(*shape, 3))
        T[..., 3, 3] = 1.0
        return np.asarray(self.vector(T))

    def normalise(self, q: Array) -> Array:
        xp, T = namespace(q), self.matrix(q)
        top = xp.concat([_nearest(T[..., :3, :3]), T[..., :3, 3:]], axis=-1)
        last = xp.broadcast_to(constant(np.array([[0.0, 0.0, 0.0, 1.0]]), q), top[..., :1, :].shape)
        return self.vector(xp.concat([top, last], axis=-2))


LINE = _Line()
S = _Quaternion()
SO3 = _RotationMatrix()
FB = _QuaternionPose()
SE3 = _HomogeneousTransform()
