"""The checks a model passes at construction and whenever one of its fields is replaced."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.exceptions import InertiaWarning, JointTypeError, ModelError
from spatial_v2.joints.table import JointTypeLike, joint_type

__all__ = ["check_inertias", "check_jtype", "check_parent", "check_transforms", "stack_of_matrices"]

_TOL = 1e-6


def check_parent(parent: Any) -> np.ndarray:
    """Parent array as int64; bodies from 0, base -1, parents before children."""
    given = np.atleast_1d(np.asarray(parent))
    if given.ndim != 1 or given.size == 0:
        raise ModelError(f"parent: want one integer per body, got an array of shape {given.shape}")
    if given.dtype.kind not in "iuf" or np.any(given != np.floor(given)):
        raise ModelError(f"parent: want integers, got {given.tolist()}")
    p = given.astype(np.int64)
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
    """Joint types as a list, every one in the joint table."""
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


def stack_of_matrices(name: str, value: Any, n: int, d: int | None = None) -> np.ndarray:
    """A field of one matrix per body as an array (n, 6, 6) or (n, 3, 3), floating or complex."""
    try:
        x = np.array(value)
    except ValueError:
        sizes = [np.shape(v) for v in value]
        raise ModelError(f"{name}: the matrices differ in shape: {sizes}") from None
    if x.dtype.kind in "iub":
        x = x.astype(np.float64)
    if x.dtype.kind not in "fcO":
        raise ModelError(f"{name}: want numbers, got an array of dtype {x.dtype}")
    want = [(n, d, d)] if d else [(n, 6, 6), (n, 3, 3)]
    if x.shape not in want:
        shapes = " or ".join(map(str, want))
        raise ModelError(f"{name}: want shape {shapes} (one matrix per body), got {x.shape}")
    if x.dtype.kind != "O" and not np.isfinite(x).all():
        worst = int(np.flatnonzero(~np.isfinite(x).all(axis=(1, 2)))[0])
        raise ModelError(f"{name}[{worst}] has entries that are not finite numbers")
    return np.ascontiguousarray(x)


def check_transforms(name: str, X: np.ndarray) -> None:
    """Every matrix is a Pluecker transform [E 0; -E rx E], or planar [1 0; . E]."""
    if X.dtype.kind == "O":
        return
    Y = X.real
    if X.shape[-1] == 6:
        E, low = Y[:, :3, :3], Y[:, 3:, :3]
        rx = np.swapaxes(E, 1, 2) @ low
        residual = [E - Y[:, 3:, 3:], Y[:, :3, 3:], rx + np.swapaxes(rx, 1, 2)]
    else:
        E = Y[:, 1:, 1:]
        residual = [Y[:, :1, 1:], Y[:, :1, :1] - 1]
    residual += [E @ np.swapaxes(E, 1, 2) - np.eye(E.shape[-1]), np.linalg.det(E)[:, None] - 1]
    scale = 1 + np.abs(Y).reshape(len(Y), -1).max(axis=1)
    errors = np.max([np.abs(r).reshape(len(Y), -1).max(axis=1) for r in residual], axis=0) / scale
    worst = int(np.argmax(np.nan_to_num(errors, nan=np.inf)))
    if not errors[worst] <= _TOL:
        raise ModelError(
            f"{name}[{worst}] is not a Pluecker transform [E 0; -E*skew(r) E] with a rotation E "
            f"(largest violation {errors[worst]:.2g}); build it with plux(E, r), xlt(r), rotz(t)"
        )


def check_inertias(name: str, inertia: np.ndarray, *, stacklevel: int = 3) -> None:
    """Every matrix is a rigid-body inertia; one of no positive mass distribution is warned of."""
    if inertia.dtype.kind == "O":
        return
    Y = inertia.real
    if Y.shape[-1] == 6:
        H, m = Y[:, :3, 3:], Y[:, 5, 5]
        residual = [H + np.swapaxes(H, 1, 2), Y[:, 3:, 3:] - m[:, None, None] * np.eye(3)]
    else:
        m = Y[:, 2, 2]
        residual = [Y[:, 1:, 1:] - m[:, None, None] * np.eye(2)]
    residual.append(Y - np.swapaxes(Y, 1, 2))
    scale = np.abs(Y).reshape(len(Y), -1).max(axis=1) + 1e-300
    errors = np.max([np.abs(r).reshape(len(Y), -1).max(axis=1) for r in residual], axis=0) / scale
    worst = int(np.argmax(np.nan_to_num(errors, nan=np.inf)))
    if not errors[worst] <= _TOL:
        raise ModelError(
            f"{name}[{worst}] is not a rigid-body inertia [Ic + m c x c x^T, m c x; m c x^T, m 1] "
            f"(largest violation {errors[worst]:.2g}, relative); build it with mcI(m, c, Ic)"
        )
    if np.any(m < 0):
        i = int(np.argmin(m))
        raise ModelError(f"{name}[{i}]: the mass is negative ({m[i]:g})")
    least = _least_eigenvalue(Y) / scale
    if least.min() < -_TOL:
        i = int(np.argmin(least))
        warnings.warn(
            f"{name}[{i}] is the inertia of no distribution of positive mass (its pseudo-inertia "
            f"has the relative eigenvalue {least[i]:.2g}); kept as given",
            InertiaWarning,
            stacklevel=stacklevel,
        )


def _least_eigenvalue(Y: np.ndarray) -> np.ndarray:
    """Smallest eigenvalue of each pseudo-inertia: Wensing, Kim, Slotine (2018)."""
    if Y.shape[-1] == 3:
        return np.asarray(np.linalg.eigvalsh(0.5 * (Y + np.swapaxes(Y, 1, 2)))[:, 0])
    Ibar = 0.5 * (Y[:, :3, :3] + np.swapaxes(Y[:, :3, :3], 1, 2))
    J = np.zeros((len(Y), 4, 4))
    trace = np.trace(Ibar, axis1=1, axis2=2)[:, None, None]
    J[:, :3, :3] = 0.5 * trace * np.eye(3) - Ibar
    h = np.stack([Y[:, 2, 4], Y[:, 0, 5], Y[:, 1, 3]], axis=-1)
    J[:, :3, 3] = J[:, 3, :3] = h
    J[:, 3, 3] = Y[:, 5, 5]
    return np.asarray(np.linalg.eigvalsh(J)[:, 0])
