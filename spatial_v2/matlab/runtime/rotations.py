"""Functions of MATLAB's Robotics System Toolbox for rotations and transforms of frames.

Quaternions are rows ``[w x y z]``; rotations turn vectors, and several of them are pages.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import Array, MatlabError, string

__all__: list[str] = []


def _rows(q: Any) -> np.ndarray:
    a = 1.0 * np.atleast_2d(q.a)
    if a.shape[1] != 4:
        raise MatlabError(f"want quaternions as rows [w x y z], got {a.shape[0]}x{a.shape[1]}")
    return a


def _of_quaternions(q: Any) -> Rotation:
    return Rotation.from_quat(_rows(q)[:, [1, 2, 3, 0]])


def _quaternions(r: Rotation) -> Array:
    q = np.atleast_2d(r.as_quat())[:, [3, 0, 1, 2]]
    return Array(np.where(q[:, :1] < 0, -q, q))


def _of_matrices(R: Any) -> Rotation:
    a = R.a if R.a.ndim == 3 else R.a[:, :, None]
    return Rotation.from_matrix(np.moveaxis(a[:3, :3], 2, 0))


def _pages(a: np.ndarray) -> Array:
    found = np.moveaxis(np.atleast_3d(a) if a.ndim > 2 else a[None], 0, 2)
    return Array(found[:, :, 0] if found.shape[2] == 1 else found)


def _matrices(r: Rotation) -> Array:
    return _pages(r.as_matrix())


def _homogeneous(R: np.ndarray, p: np.ndarray) -> Array:
    T = np.tile(np.eye(4), (max(len(R), len(p)), 1, 1))
    T[:, :3, :3], T[:, :3, 3] = R, p
    return _pages(T)


def _order(order: Any) -> Any:
    name = "ZYX" if order is None else string(order).upper()
    if len(name) != 3 or set(name) - set("XYZ"):
        raise MatlabError(f"want an order of axes such as 'ZYX', got {name!r}")
    return name


def _of_angles(angles: Any, order: Any) -> Rotation:
    return Rotation.from_euler(_order(order), np.atleast_2d(angles.a))


def _angles(r: Rotation, order: Any) -> Array:
    return Array(np.atleast_2d(r.as_euler(_order(order))))


def _of_axes(x: Any) -> Rotation:
    a = np.atleast_2d(x.a)
    axes = a[:, :3] / np.linalg.norm(a[:, :3], axis=1, keepdims=True)
    return Rotation.from_rotvec(axes * a[:, 3:])


def _axes(r: Rotation) -> Array:
    v = np.atleast_2d(r.as_rotvec())
    angle = np.linalg.norm(v, axis=1, keepdims=True)
    axes = np.where(angle > 0, v / np.where(angle > 0, angle, 1), [[0.0, 0, 1]])
    return Array(np.hstack([axes, angle]))


FROM = {
    "eul": _of_angles,
    "quat": lambda x, _: _of_quaternions(x),
    "rotm": lambda x, _: _of_matrices(x),
    "tform": lambda x, _: _of_matrices(x),
    "axang": lambda x, _: _of_axes(x),
}
TO = {
    "eul": _angles,
    "quat": lambda r, _: _quaternions(r),
    "rotm": lambda r, _: _matrices(r),
    "tform": lambda r, _: _homogeneous(np.atleast_3d(r.as_matrix()), np.zeros((1, 3))),
    "axang": lambda r, _: _axes(r),
}
for _from, _read in FROM.items():
    for _to, _write in TO.items():
        if _from != _to:
            matlab(f"{_from}2{_to}")(
                lambda x, order=None, read=_read, write=_write: write(read(x, order), order)
            )


@matlab()
def trvec2tform(p: Any) -> Any:
    p = np.atleast_2d(p.a)
    return _homogeneous(np.tile(np.eye(3), (len(p), 1, 1)), p)


@matlab()
def tform2trvec(T: Any) -> Any:
    a = T.a if T.a.ndim == 3 else T.a[:, :, None]
    return Array(a[:3, 3].T.copy())


@matlab()
def quatmultiply(p: Any, q: Any) -> Any:
    (a, u), (b, v) = ((x[:, :1], x[:, 1:]) for x in map(_rows, (p, q)))
    vector = a * v + b * u + np.cross(u, v)
    return Array(np.hstack([a * b - np.sum(u * v, axis=1, keepdims=True), vector]))


@matlab()
def quatconj(q: Any) -> Any:
    return Array(_rows(q) * [[1, -1, -1, -1]])


@matlab()
def quatinv(q: Any) -> Any:
    a = _rows(q)
    return Array(a * [[1, -1, -1, -1]] / np.sum(a**2, axis=1, keepdims=True))


@matlab()
def quatnormalize(q: Any) -> Any:
    a = _rows(q)
    return Array(a / np.linalg.norm(a, axis=1, keepdims=True))


@matlab()
def quatrotate(q: Any, v: Any) -> Any:
    return Array(np.atleast_2d(_of_quaternions(q).inv().apply(v.a)))


@matlab()
def wrapToPi(x: Any) -> Any:
    found = np.mod(x.a + np.pi, 2 * np.pi) - np.pi
    inside = np.abs(x.a) <= np.pi
    return Array(np.where(inside, x.a, np.where((found == -np.pi) & (x.a > 0), np.pi, found)))


@matlab()
def wrapTo2Pi(x: Any) -> Any:
    found = np.mod(x.a, 2 * np.pi)
    return Array(np.where((found == 0) & (x.a > 0), 2 * np.pi, found))


@matlab()
def angdiff(x: Any, y: Any = None) -> Any:
    return wrapToPi(Array(np.diff(1.0 * x.a.ravel())[None] if y is None else 1.0 * y.a - x.a))
