"""Joint angles of a moving floating base, without jumps."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.dynamics.floating_base_joints import floating_base_joints
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["fbanim"]


def fbanim(X: Any, Qr: Any = None) -> np.ndarray:
    """Convert poses of a floating base along a motion to joint positions with unwrapped angles.

    MATLAB: ``Q = fbanim(X,Qr)``, with one column per instant; here each instant is a row.

    Parameters
    ----------
    X : array_like, shape (..., N, 7) or (..., N, 13)
        Quaternion and position of the base at N instants, as for `FDfb`; a velocity is ignored.
        Real numbers.
    Qr : array_like, shape (..., N, M), optional
        Positions of the joints above the base at the same instants.

    Returns
    -------
    array, shape (..., N, 6) or (..., N, 6 + M)
        Positions for `showmotion`: x, y, z and continuous angles about x, y, z, then Qr.
        The fifth position leaves [-pi/2, pi/2] if the base pitches over.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape or with complex numbers.

    Notes
    -----
    The angles (a, b, c) and (a + pi, pi - b, c + pi) represent the same orientation, and so do
    angles that differ by multiples of 2 pi. The angle c is unwrapped modulo pi. At instants where
    this changes c by an odd multiple of pi, a and b are replaced by a + pi and pi - b. Then a and b
    are unwrapped modulo 2 pi.

    Examples
    --------
    >>> half = np.linspace(0, 2, 5)[:, None] / 2
    >>> over = np.hstack([np.cos(half), 0 * half, np.sin(half), 0 * half, np.zeros((5, 3))])
    >>> fbanim(over)[:, 4].round(12)
    array([0. , 0.5, 1. , 1.5, 2. ])
    """
    X = as_real(X, "fbanim: X")
    if X.ndim < 2 or X.shape[-1] not in (7, 13):
        hint = "; instants are rows here, transpose" if X.shape[:1] in ((7,), (13,)) else ""
        raise ArrayShapeError(
            f"fbanim: X must have shape (..., N, 7) or (..., N, 13), got {X.shape}{hint}"
        )
    Q = np.asarray(floating_base_joints(X[..., :7]))
    a, b, c = (Q[..., k] for k in (3, 4, 5))
    c = np.unwrap(c, period=np.pi)
    odd = np.rint((c - Q[..., 5]) / np.pi) % 2 == 1
    a = np.unwrap(np.where(odd, a + np.pi, a))
    b = np.unwrap(np.where(odd, np.pi - b, b))
    parts = [Q[..., :3], np.stack([a, b, c], axis=-1)]
    if Qr is not None:
        Qr = as_real(Qr, "fbanim: Qr")
        if Qr.shape[:-1] != Q.shape[:-1]:
            raise ArrayShapeError(
                f"fbanim: Qr must have one row for each row of X, (..., {Q.shape[-2]}, M), got "
                f"{Qr.shape}"
            )
        parts.append(Qr)
    return np.concatenate(parts, axis=-1)
