"""Checks of the rotations in a configuration: quaternions and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.table import ROTATION
from spatial_v2.model.model import Model

__all__ = ["check_matrices", "check_quaternions", "state"]

_ORTHONORMAL = 1e-3
"""Tolerance for deviations from orthonormal columns, which integrators may cause."""
_ROW, _ROW_TO_MEND = 1e-9, 1e-2
"""Tolerances of the last row of a transform, [0 0 0 1], without and with correction."""
_FLAT = 1e-3
"""Least determinant, for largest entry one, of a matrix that is corrected to a rotation."""
_TINY = float(np.finfo(float).tiny)


def check_quaternions(model: Model, q: Any) -> None:
    """Raise an error if a quaternion of q is zero up to underflow, so that it is no rotation.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Configurations; those of NumPy's real and complex numbers are checked.

    Raises
    ------
    SpatialError
        The joint, and the first state in which its quaternion is zero.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> check_quaternions(autoTree(2).replace(jtype=["S", "Rz"]), np.zeros((3, 5)))
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: q[..., 0:4]: the quaternion of joint 0 ('S', body 'body0')
    is zero, which is not a rotation, in state (0,); see `neutral`
    """
    if not _plain(q):
        return
    layout = model.layout
    for i, (joint, qs) in enumerate(zip(layout.joints, layout.qinds, strict=True)):
        if joint.has_quaternion:
            zero = (np.abs(q[..., qs.start : qs.start + 4].real) < _TINY).all(axis=-1)
            if zero.any():
                raise SpatialError(
                    f"q[..., {qs.start}:{qs.start + 4}]: the quaternion of {_joint(model, i)} is "
                    f"zero, which is not a rotation{state(zero)}; see `neutral`"
                )


def check_matrices(model: Model, q: Any, mend: bool = False) -> None:
    """Raise an error if a matrix of an SO3 or SE3 joint in q is not a rotation.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Configurations; those of NumPy's real and complex numbers are checked.
    mend : bool, optional
        If True, accept matrices that can be corrected, and raise an error only for matrices that
        are far from a rotation.

    Raises
    ------
    SpatialError
        The joint, and the first state in which it has no rotation.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> T = np.eye(4)
    >>> T[:3, 3] = [1, 2, 3]
    >>> check_matrices(autoTree(1).replace(jtype=["SE3"]), T.ravel())
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: q[..., 0:16]: of joint 0 ('SE3', body 'body0') the last row
    of the transform is not [0 0 0 1]; it is stored column by column: T.ravel(order='F')
    """
    layout = model.layout
    for i in layout.matrices if _plain(q) else ():
        joint, qs = layout.joints[i], layout.qinds[i]
        n = 3 if joint.kind == ROTATION else 4
        columns = q[..., qs].real.astype(np.float64).reshape(*q.shape[:-1], n, n)
        where = f"q[..., {qs.start}:{qs.stop}]: of {_joint(model, i)}"
        if n == 4:
            off = np.abs(columns[..., 3] - [0.0, 0.0, 0.0, 1.0]).max(axis=-1)
            row = off > (_ROW_TO_MEND if mend else _ROW)
            if row.any():
                raise SpatialError(
                    f"{where} the last row of the transform is not [0 0 0 1]{state(row)}; it is "
                    "stored column by column: T.ravel(order='F')"
                )
        wrong = _no_rotation(columns[..., :3, :3], mend)
        if wrong.any():
            hint = "`neutral`" if mend else "`normalizeConfVec`"
            raise SpatialError(f"{where} the columns are no rotation{state(wrong)}; see {hint}")


def _no_rotation(E: np.ndarray, mend: bool) -> np.ndarray:
    """Mask of matrices (..., 3, 3) that are no rotations; with `mend`, of those far from one."""
    finite = np.isfinite(E).all(axis=(-2, -1))
    with np.errstate(all="ignore"):
        if mend:
            size = np.abs(E).max(axis=(-2, -1), keepdims=True)
            return np.asarray(finite & ~(np.linalg.det(E / size) > _FLAT))
        off = np.abs(E @ np.matrix_transpose(E) - np.eye(3)).max(axis=(-2, -1))
        wrong = (off > _ORTHONORMAL) | (np.linalg.det(E) < 0)
    return np.asarray(wrong & finite)


def state(which: np.ndarray) -> str:
    """Return text that names the first marked state of a batch; empty for a single state."""
    if which.size == 1:
        return ""
    return f", in state {tuple(np.argwhere(which)[0].tolist())}"


def _plain(q: Any) -> bool:
    return isinstance(q, np.ndarray) and q.dtype.kind in "fc"


def _joint(model: Model, i: int) -> str:
    return f"joint {i} ({model.layout.joints[i].code!r}, body {model.body_names[i]!r})"
