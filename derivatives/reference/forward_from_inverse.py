"""Derivatives of forward dynamics from those of inverse dynamics, with dense matrices."""

from __future__ import annotations

import numpy as np

from derivatives.ID_derivatives import ID_derivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2 import FDab, HandC
from spatial_v2.model import Model

__all__ = ["first_from_inverse", "second_from_inverse"]


def _at_acceleration(
    model: Model, q: np.ndarray, qd: np.ndarray, tau: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    return np.linalg.inv(HandC(model, q, qd).H), FDab(model, q, qd, tau)


def first_from_inverse(
    model: Model, q: np.ndarray, qd: np.ndarray, tau: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """dqdd_dq, dqdd_dqd, dqdd_dtau by ``dFD/du = -M^-1 dID/du`` at qdd = FD.

    Equation (5) of Singh, Russell, Wensing (2022).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> x = np.array([0.1, 0.2])
    >>> first_from_inverse(autoTree(2), x, x, x)[0].shape
    (2, 2)
    """
    Minv, qdd = _at_acceleration(model, q, qd, tau)
    d = ID_derivatives(model, q, qd, qdd)
    return -Minv @ d.dtau_dq, -Minv @ d.dtau_dqd, Minv


def second_from_inverse(
    model: Model, q: np.ndarray, qd: np.ndarray, tau: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """d2qdd_dq, d2qdd_dqd, d2qdd_cross, dMinv_dq by the derivative of ``ID(q, qd, FD) = tau``.

    Equations (46)-(49) of Singh, Russell, Wensing (2023), all tensors dense.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> x = np.array([0.1, 0.2])
    >>> second_from_inverse(autoTree(2), x, x, x)[0].shape
    (2, 2, 2)
    """
    Minv, qdd = _at_acceleration(model, q, qd, tau)
    first, s = ID_derivatives(model, q, qd, qdd), ID_SO_derivatives(model, q, qd, qdd)
    dM = np.swapaxes(s.dM_dq, -1, -2)

    def outer(T: np.ndarray) -> np.ndarray:
        flat = T.reshape(*T.shape[:-2], -1)
        return np.asarray(-Minv @ flat).reshape(T.shape)

    def inner(dtau: np.ndarray) -> np.ndarray:
        return np.asarray(dM @ (-Minv @ dtau)[..., None, :, :])

    along_q = inner(first.dtau_dq)
    return (
        outer(s.d2tau_dq + along_q + np.swapaxes(along_q, -1, -2)),
        outer(s.d2tau_dqd),
        outer(s.d2tau_cross + inner(first.dtau_dqd)),
        outer(np.swapaxes(dM @ Minv[..., None, :, :], -1, -2)),
    )
