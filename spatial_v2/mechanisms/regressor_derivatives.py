"""Derivatives of regressors along variables that joints follow nonlinearly."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives.RegressorClassical_derivatives import RegressorClassical_derivatives
from spatial_v2.mechanisms.tree_state import State
from spatial_v2.regressors import RegressorClassical, RegressorHandG

__all__ = ["of_inverse_dynamics"]


def of_inverse_dynamics(s: State) -> list[np.ndarray]:
    """Return the derivatives of ``Y_y = G^T Y`` along y and with respect to yd.

    Those along y are ``G^T (Y_q G + Y_qd qd_y + Y_qdd qdd_y) + G_y^T Y``; the parameters of links
    come first, then those of rotors.
    """
    x = s.x
    d = s.call(RegressorClassical_derivatives, x.q, x.qd, x.qdd)
    Y = s.call(RegressorClassical, x.q, x.qd, x.qdd)
    H = s.call(RegressorHandG, x.q)
    by_y, by_yd = [], []
    for Y_q, Y_v, values, columns in (
        (d.dY_dq, d.dY_dqd, Y[0], H[0]),
        (d.dY_rot_dq, d.dY_rot_dqd, Y[1], H[2]),
    ):
        Y_a = np.swapaxes(columns, -1, -2)  # [row, parameter, variable of qdd]
        moved = _product(Y_q, x.G) + _product(Y_v, x.qd_y) + _product(Y_a, x.qdd_y)
        turn = np.einsum("...cij,...cp->...ipj", x.G_y, values)
        by_y.append(_rows(x.G, moved) + turn)
        by_yd.append(_rows(x.G, _product(Y_v, x.G) + _product(Y_a, x.qdd_v)))
    return [by_y[0], by_yd[0], by_y[1], by_yd[1]]


def _product(T: Any, A: np.ndarray) -> np.ndarray:
    return np.asarray(np.asarray(T) @ A[..., None, :, :])


def _rows(G: np.ndarray, T: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("...ci,...cpj->...ipj", G, T))
