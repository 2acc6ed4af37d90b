"""Checks of the fields of a model, at construction and whenever a field is replaced."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import pose_hint
from spatial_v2.arrays.namespaces import MASKED, double, is_foreign, is_masked
from spatial_v2.exceptions import InertiaWarning, JointTypeError, ModelError
from spatial_v2.joints.table import JointTypeLike, joint_type

__all__ = [
    "TOLERANCE",
    "check_inertias",
    "check_jtype",
    "check_numbers",
    "check_parent",
    "check_transforms",
    "double",
    "refuse_masked",
    "sparse_stack",
    "stack_of_matrices",
]

TOLERANCE = 1e-9
"""Largest error of a rotation or a transform of a model."""
_ROUNDED = 1e-4
"""Part of the largest translation with which translations that are smaller are compared."""
_POSITIVE = 1e-6


def check_parent(parent: Any) -> np.ndarray:
    """Check the parent array and convert it to int64; bodies count from 0, the base is -1."""
    refuse_masked("parent", parent)
    array = np.atleast_1d(np.asarray(parent))
    if array.ndim != 1 or array.size == 0:
        raise ModelError(f"parent: want one integer per body, got an array of shape {array.shape}")
    if array.dtype.kind not in "iuf" or np.any(array != np.floor(array)):
        raise ModelError(f"parent: want integers, got {array.tolist()}")
    p = array.astype(np.int64)
    n, body = p.size, np.arange(p.size)
    if p[0] == 0 and p.min() == 0 and np.all(p <= body):
        raise ModelError(
            f"parent: {p.tolist()} is in MATLAB's 1-based numbering (0 = fixed base). Here bodies "
            "count from 0 and the base is -1: subtract 1, or read the model by Model.from_matlab"
        )
    bad = np.flatnonzero((p < -1) | (p >= body))
    if bad.size:
        i = int(bad[0])
        raise ModelError(
            f"parent[{i}] = {p[i]}: a parent must come before its child, so it is one of "
            f"-1 (fixed base) .. {i - 1}; the model has {n} bodies counted from 0"
        )
    return p


def check_jtype(jtype: Sequence[JointTypeLike], n: int) -> list[JointTypeLike]:
    """Check that all joint types are in the joint table; return a list of them."""
    if isinstance(jtype, str) or not isinstance(jtype, Sequence):
        raise ModelError(f"jtype: want a list of {n} joint types, got {jtype!r}")
    if len(jtype) != n:
        raise ModelError(f"jtype: {len(jtype)} joint types for {n} bodies (parent has {n} entries)")
    for i, j in enumerate(jtype):
        try:
            joint_type(j)
        except JointTypeError as error:
            raise JointTypeError(f"{error} (joint {i})") from None
    return list(jtype)


def check_numbers(name: str, value: Any, shape: tuple[int, ...]) -> Array:
    """Check shape and finiteness of an array; NumPy numbers get at least double precision."""
    refuse_masked(name, value)
    try:
        x = value if is_foreign(value) else double(np.array(value))
    except ValueError:
        raise ModelError(f"{name}: want an array of shape {shape}, got {value!r}") from None
    if tuple(x.shape) != shape:
        raise ModelError(f"{name}: want shape {shape}, got {tuple(x.shape)}")
    if not isinstance(x, np.ndarray):
        return x
    if x.dtype.kind not in "fcO" or any(v is None or isinstance(v, str) for v in _objects(x)):
        raise ModelError(f"{name}: want numbers, got {value!r}")
    if x.dtype.kind != "O" and not np.isfinite(x).all():
        raise ModelError(f"{name}: want finite numbers, got {x.tolist()}")
    return x


def _objects(x: np.ndarray) -> list[Any]:
    return x.ravel().tolist() if x.dtype.kind == "O" else []


def refuse_masked(name: str, value: Any) -> None:
    """Raise an error if some entries of an array are masked."""
    if is_masked(value):
        raise ModelError(f"{name}: {MASKED}")


def stack_of_matrices(name: str, value: Any, n: int, d: int | None = None) -> Array:
    """Convert a field of one matrix per body to an array (n, 6, 6) or (n, 3, 3).

    For arrays that are not NumPy's, only the shape is checked.
    """
    items = list(value) if isinstance(value, (list, tuple)) else []
    for x in (value, *items):
        refuse_masked(name, x)
    try:
        if is_foreign(value):
            x = value
        elif any(map(is_foreign, items)):
            x = namespace(*items).stack(alike(*items))
        else:
            x = double(np.array(value))
    except ValueError:
        sizes = [np.shape(v) for v in items]
        raise ModelError(f"{name}: the matrices differ in shape: {sizes}") from None
    if isinstance(x, np.ndarray) and x.dtype.kind not in "fcO":
        raise ModelError(f"{name}: want numbers, got an array of dtype {x.dtype}")
    want = [(n, d, d)] if d else [(n, 6, 6), (n, 3, 3)]
    if tuple(x.shape) not in want:
        shapes = " or ".join(map(str, want))
        raise ModelError(
            f"{name}: want shape {shapes} (one matrix per body), got {tuple(x.shape)}"
            + pose_hint(x.shape)
        )
    return np.ascontiguousarray(x) if isinstance(x, np.ndarray) else x


def sparse_stack(name: str, value: Any, default: np.ndarray, n: int) -> Array:
    """Convert a field of matrices to an array (n, d, d), with `default` for missing matrices."""
    d = len(default)
    if is_foreign(value) or isinstance(value, np.ndarray):
        return stack_of_matrices(name, value, n, d)
    matrices = [None] * n if value is None else list(value)
    full = [default if m is None or np.size(m) == 0 else m for m in matrices]
    for i, m in enumerate(full):
        if np.shape(m) != (d, d):
            raise ModelError(f"{name}[{i}]: want shape {(d, d)}, got {np.shape(m)}")
    return stack_of_matrices(name, full, n, d)


def _judge(name: str, x: Array, only: np.ndarray | None) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the real parts and the numbers of the matrices to check, all or those of the mask
    `only`; None if there are none, or if x has objects or is not NumPy's. All must be finite.
    """
    if not isinstance(x, np.ndarray) or x.dtype.kind == "O":
        return None
    number = np.arange(len(x)) if only is None else np.flatnonzero(only)
    x = x if only is None else x[number]
    finite = np.isfinite(x)
    if not finite.all():
        bad = ~finite.all(axis=(1, 2))
        raise ModelError(f"{name}[{number[bad][0]}] has entries that are not finite numbers")
    return (x.real, number) if number.size else None


def _largest(residual: list[np.ndarray]) -> np.ndarray:
    sizes = [np.abs(r).reshape(len(r), -1).max(axis=1) for r in residual]
    return np.asarray(np.max(sizes, axis=0))


def check_transforms(name: str, X: Array, only: np.ndarray | None = None) -> None:
    """Check that matrices, all or those of the mask `only`, are Pluecker transforms [E 0; -E rx E].

    Planar transforms are [1 0; . E]. The tolerance is absolute for E, and relative to the size of
    r for the block that depends on r, or to a part of the largest r, so that rounding errors in
    place of a zero are none.
    """
    judged = _judge(name, X, only)
    if judged is None:
        return
    Y, number = judged
    if Y.shape[-1] == 6:
        E, low = Y[:, :3, :3], Y[:, 3:, :3]
        rx = np.swapaxes(E, 1, 2) @ low
        # Translations that all are below 1e-9 are rounding errors, of which none tells a size.
        size = np.abs(low).max(axis=(1, 2), keepdims=True)
        far = np.maximum(size, _ROUNDED * size.max()) if size.max() > TOLERANCE else 1.0
        residual = [E - Y[:, 3:, 3:], Y[:, :3, 3:], (rx + np.swapaxes(rx, 1, 2)) / far]
    else:
        E = Y[:, 1:, 1:]
        residual = [Y[:, :1, 1:], Y[:, :1, :1] - 1]
    residual += [E @ np.swapaxes(E, 1, 2) - np.eye(E.shape[-1])]
    errors = np.where(np.linalg.det(E) > 0, _largest(residual), 2.0)
    worst = int(np.argmax(errors))
    if not errors[worst] <= TOLERANCE:
        raise ModelError(
            f"{name}[{number[worst]}] is not a Pluecker transform [E 0; -E*skew(r) E] with a "
            f"rotation E (largest violation {errors[worst]:.2g}); build it with plux(E, r), "
            "xlt(r), rotz(t)"
        )


def check_inertias(
    name: str, inertia: Array, only: np.ndarray | None = None, *, stacklevel: int = 3
) -> None:
    """Check that matrices, all or those of the mask `only`, are rigid-body inertias.

    A warning names inertias that no distribution of positive mass can have.
    """
    judged = _judge(name, inertia, only)
    if judged is None:
        return
    Y, number = judged
    units = _units(Y)
    Y = Y / (units[:, :, None] * units[:, None])
    flat, m = Y.reshape(len(Y), -1), Y[:, -1, -1]
    conditions, pseudo = _linear_maps(Y.shape[-1])
    scale = np.abs(flat).max(axis=1) + 1e-300
    errors = np.abs(flat @ conditions).max(axis=1) / scale
    worst = int(errors.argmax())
    if not errors[worst] <= TOLERANCE:
        raise ModelError(
            f"{name}[{number[worst]}] is not a rigid-body inertia [Ic + m C C^T, m C; "
            f"m C^T, m 1], C = skew(c) (largest violation {errors[worst]:.2g}, relative); build "
            "it with mcI(m, c, Ic)"
        )
    if m.min() < 0:
        i = int(m.argmin())
        raise ModelError(f"{name}[{number[i]}]: the mass is negative ({m[i]:g})")
    J = (flat @ pseudo).reshape(len(Y), *2 * (math.isqrt(pseudo.shape[1]),))
    if _are_positive(J, scale):
        return
    least = np.linalg.eigvalsh(J)[:, 0] / scale
    bad = np.flatnonzero(least < -_POSITIVE)
    if bad.size:
        i = int(np.argmin(least))
        which = ", ".join(f"{name}[{k}]" for k in number[bad][:12])
        more = f" and {bad.size - 12} more" if bad.size > 12 else ""
        are = "is the inertia" if bad.size == 1 else "are inertias"
        warnings.warn(
            f"{which}{more} {are} of no distribution of positive mass (the pseudo-inertia of "
            f"{name}[{number[i]}] has the relative eigenvalue {least[i]:.2g}); kept as given",
            InertiaWarning,
            stacklevel=stacklevel,
        )


def _units(Y: np.ndarray) -> np.ndarray:
    """Return the units (n, 6), planar (n, 3), of the rows of inertias in which moments are of the
    size of the mass, so that the unit of length decides nothing: radii of gyration, and ones.
    """
    turns, half = (3, 0.5) if Y.shape[-1] == 6 else (1, 1.0)
    square, m = half * sum(Y[:, k, k] for k in range(turns)), Y[:, -1, -1]
    sized, one = (m > 0) & (square > 0), np.ones(len(Y))
    units = np.ones(Y.shape[:2])
    units[:, :turns] = np.sqrt(np.divide(square, m, out=one, where=sized))[:, None]
    return units


def _are_positive(J: np.ndarray, scale: np.ndarray) -> bool:
    """Test if matrices are positive up to the tolerance; False if that is not certain."""
    try:
        np.linalg.cholesky(J + (0.5 * _POSITIVE * scale)[:, None, None] * np.eye(J.shape[-1]))
    except np.linalg.LinAlgError:
        return False
    return True


@functools.cache
def _linear_maps(d: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two linear maps of the entries of an inertia (d, d), as matrices with d^2 rows.

    The results of the first are zero for a rigid-body inertia. Those of the second are the entries
    of the pseudo-inertia, which is positive for a distribution of positive mass: Wensing, Kim,
    Slotine (2018). For d = 3 that is the inertia itself.
    """
    Y = np.eye(d * d).reshape(d, d, d * d)
    zero = [Y[i, j] - Y[j, i] for i in range(d) for j in range(i)]
    masses = range(3, 6) if d == 6 else range(1, 3)
    zero += [Y[i, j] - (i == j) * Y[-1, -1] for i in masses for j in masses]
    if d == 3:
        return np.array(zero).T, np.eye(9)
    zero += [Y[i, 3 + j] + Y[j, 3 + i] for i in range(3) for j in range(3)]
    J = np.zeros((4, 4, 36))
    trace = 0.5 * (Y[0, 0] + Y[1, 1] + Y[2, 2])
    for i in range(3):
        J[i, :3] = -0.5 * (Y[i, :3] + Y[:3, i])
        J[i, i] += trace
    J[:3, 3] = J[3, :3] = Y[2, 4], Y[0, 5], Y[1, 3]
    J[3, 3] = Y[5, 5]
    return np.array(zero).T, np.ascontiguousarray(J.reshape(16, 36).T)
