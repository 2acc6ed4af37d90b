"""Derivatives of regressors along variables that joints follow nonlinearly.

A regressor Y(q, qd) of the tree, with an axis of forces, is ``G^T Y`` along y. Its derivatives
follow by the product rule, in which G moves too; those of links come first, then those of rotors.
Axes of arrays are (..., row, parameter, variable).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.mechanisms.pull_back import Jet
from spatial_v2.mechanisms.tree_state import State
from spatial_v2.regressors import (
    Regressor_HqdandCTqd,
    RegressorClassical,
    RegressorHandG,
    RegressorSL,
)

__all__ = ["DERIVATIVES"]


def _of_inverse_dynamics(s: State) -> list[np.ndarray]:
    """Return the derivatives of ``Y_y = G^T Y`` along y and with respect to yd.

    Those along y are ``G^T (Y_q G + Y_qd qd_y + Y_qdd qdd_y) + G_y^T Y``.
    """
    x = s.x
    d = s.function(s.tree, x.q, x.qd, x.qdd)
    Y = s.call(RegressorClassical, x.q, x.qd, x.qdd)
    H = s.call(RegressorHandG, x.q)
    out = []
    for Y_q, Y_v, values, columns in (
        (d.dY_dq, d.dY_dqd, Y[0], H[0]),
        (d.dY_rot_dq, d.dY_rot_dqd, Y[1], H[2]),
    ):
        Y_a = np.swapaxes(columns, -1, -2)  # [row, parameter, variable of qdd]
        moved = _product(Y_q, x.G) + _product(Y_v, x.qd_y) + _product(Y_a, x.qdd_y)
        out.append(_rows(x.G, moved) + _turned(x, values))
        out.append(_rows(x.G, _product(Y_v, x.G) + _product(Y_a, x.qdd_v)))
    return out


def _of_energy(s: State) -> list[np.ndarray]:
    x, d, out = s.x, s.function(s.tree, s.x.q, s.x.qd), []
    for K_q, K_v, P_q in (d[:3], d[3:]):
        out += [K_q @ x.G + K_v @ x.qd_y, K_v @ x.G, P_q @ x.G]
    return out


def _of_momentum(s: State) -> list[np.ndarray]:
    x, d, out = s.x, s.function(s.tree, s.x.q, s.x.qd), []
    for Y_q, Y_v in (d[:2], d[2:]):
        out += [_product(Y_q, x.G) + _product(Y_v, x.qd_y), _product(Y_v, x.G)]
    return out


def _of_inertia_and_gravity(s: State) -> list[np.ndarray]:
    x, d, values, out = s.x, s.function(s.tree, s.x.q), s.call(RegressorHandG, s.x.q), []
    for (H_q, g_q), (H, g) in ((d[:2], values[:2]), (d[2:], values[2:])):
        turn = np.einsum("...caj,...cdp,...db->...abpj", x.G_y, H, x.G)
        moved = np.einsum("...ca,...cdpk,...db,...kj->...abpj", x.G, H_q, x.G, x.G, optimize=True)
        out.append(moved + turn + np.swapaxes(turn, -4, -3))
        out.append(_rows(x.G, _product(g_q, x.G)) + _turned(x, g))
    return out


def _of_reference_motion(s: State) -> list[np.ndarray]:
    """Pull back the regressor of qd and a reference motion, which G moves alike."""
    x, yd, r, a = s.x, s.given["qd"], s.given["qd_r"], s.given["qdd"]
    v_r = _times(x.G, r)
    state = x.q, x.qd, v_r, _times(x.G, a) + _times(x.Gdot, r)
    v_y = np.einsum("...caj,...a->...cj", x.G_y, r)  # of G yd_r along y, and of Gdot yd_r by yd
    a_y = np.einsum("...caj,...a->...cj", x.G_y, a)
    a_y = a_y + np.einsum("...acbj,...b,...a->...cj", s.bends, yd, r)
    d, Y, H = s.function(s.tree, *state), s.call(RegressorSL, *state), s.call(RegressorHandG, x.q)
    out = []
    for (Y_q, Y_v, Y_r), values, columns in ((d[:3], Y[0], H[0]), (d[3:], Y[1], H[2])):
        Y_a = np.swapaxes(columns, -1, -2)
        moved = _product(Y_q, x.G) + _product(Y_v, x.qd_y)
        moved = moved + _product(Y_r, v_y) + _product(Y_a, a_y)
        out.append(_rows(x.G, moved) + _turned(x, values))
        out.append(_rows(x.G, _product(Y_v, x.G) + _product(Y_a, v_y)))
        out.append(_rows(x.G, _product(Y_r, x.G) + _product(Y_a, x.Gdot)))
    return out


def _of_momentum_and_its_rate(s: State) -> list[np.ndarray]:
    """Pull back the regressors of ``H qd`` and of ``C^T qd``, whose second has Gdot, too."""
    x, d = s.x, s.function(s.tree, s.x.q, s.x.qd)
    Y = s.call(Regressor_HqdandCTqd, x.q, x.qd)
    Gdot_y = np.einsum("...acbj,...b->...caj", s.bends, s.given["qd"])
    out = []
    for (P_q, P_v, C_q, C_v), (P, C) in ((d[:4], Y[:2]), (d[4:], Y[2:])):
        by_y = [_product(A, x.G) + _product(B, x.qd_y) for A, B in ((P_q, P_v), (C_q, C_v))]
        by_yd = [_product(B, x.G) for B in (P_v, C_v)]
        out += [_rows(x.G, by_y[0]) + _turned(x, P), _rows(x.G, by_yd[0])]
        rate = np.einsum("...caj,...cp->...apj", Gdot_y, P)
        out.append(_rows(x.G, by_y[1]) + _turned(x, C) + _rows(x.Gdot, by_y[0]) + rate)
        out.append(_rows(x.G, by_yd[1]) + _rows(x.Gdot, by_yd[0]) + _turned(x, P))
    return out


DERIVATIVES: dict[str, Callable[[State], list[np.ndarray]]] = {
    "RegressorClassical_derivatives": _of_inverse_dynamics,
    "RegressorEnergy_derivatives": _of_energy,
    "RegressorHandG_derivatives": _of_inertia_and_gravity,
    "RegressorMomentum_derivatives": _of_momentum,
    "RegressorSL_derivatives": _of_reference_motion,
    "Regressor_HqdandCTqd_derivatives": _of_momentum_and_its_rate,
}
"""Rules by the names of the functions, for `rules.RULES`."""


def _turned(x: Jet, values: Any) -> np.ndarray:
    """Return ``G_y^T Y``."""
    return np.asarray(np.einsum("...cij,...cp->...ipj", x.G_y, values))


def _times(A: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.asarray((A @ v[..., None])[..., 0])


def _product(T: Any, A: np.ndarray) -> np.ndarray:
    return np.asarray(np.asarray(T) @ A[..., None, :, :])


def _rows(G: np.ndarray, T: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("...ci,...cpj->...ipj", G, T))
