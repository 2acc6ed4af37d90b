"""Pull-back of each function of a tree to independent variables that it follows nonlinearly.

Forces along y are ``tau_y = G^T tau``, and velocities ``qd = G yd``. So a function of a state is
that of the tree at the motion of y, each axis of forces or velocity variables multiplied by G, and
derivatives follow by the chain rule, in which G itself moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from derivatives.IDFOZA import IDFOZA
from derivatives.transform_coordinates import transform_coordinates
from spatial_v2.dynamics import CMM
from spatial_v2.frames import FrameJacobian
from spatial_v2.mechanisms.closed_jet import ClosedJet
from spatial_v2.mechanisms.frame_rules import (
    of_frame_derivatives,
    of_frame_SO_derivatives,
    of_modFrame_second_derivatives,
)
from spatial_v2.mechanisms.pull_back import Derivatives, Jet, first, turned
from spatial_v2.mechanisms.regressor_derivatives import DERIVATIVES
from spatial_v2.mechanisms.tree_state import State, summed, transposed

__all__ = ["RULES"]


def _along(x: Jet, value: Any, dims: tuple[str, ...]) -> np.ndarray:
    """Multiply each axis "v" of a result by G."""
    value = np.asarray(value)
    if dims == ("v", "v"):
        return x.inertia(value)
    for axis in [k - len(dims) for k, d in enumerate(dims) if d == "v"]:
        n = -axis - 1  # axes behind it
        rows = np.moveaxis(value, axis, -1)
        G = x.G.reshape(*x.G.shape[:-2], *[1] * (len(dims) - 2), *x.G.shape[-2:])
        rows = rows @ G if len(dims) > 1 else (rows[..., None, :] @ G)[..., 0, :]
        value = np.moveaxis(rows, -1, -1 - n)
    return np.asarray(value)


def _motion(s: State) -> list[Any]:
    """Compute a function of q, qd and qdd at the motion of y: forces, velocities, values."""
    moved = {"q": s.x.q, "qd": s.x.qd, "qdd": s.x.qdd}
    out = s.function(s.tree, *(moved.get(k, v) for k, v in s.given.items()), **s.options)
    parts = out if len(s.results) > 1 else [out]
    return [_along(s.x, part, dims) for part, dims in zip(parts, s.results, strict=True)]


def _rate_of(values: Any) -> Callable[[State], list[Any]]:
    """Return the rule of the rate of a matrix whose columns belong to velocity variables."""

    def rule(s: State) -> list[Any]:
        rate = np.asarray(s.function(s.tree, s.x.q, s.x.qd, **s.options))
        return [rate @ s.x.G + np.asarray(s.call(values, s.x.q, **s.options)) @ s.x.Gdot]

    return rule


def _HandC(s: State) -> list[Any]:
    H, C = s.function(s.tree, s.x.q, s.x.qd, **s.options)
    bias = np.asarray(C) + (H @ s.x.g[..., None])[..., 0]
    return [s.x.inertia(np.asarray(H)), (bias[..., None, :] @ s.x.G)[..., 0, :]]


def _Hqd_and_CTqd(s: State) -> list[Any]:
    Hqd, CTqd = map(np.asarray, s.function(s.tree, s.x.q, s.x.qd, **s.options))
    momentum = transposed(s.x.G) @ Hqd[..., None]
    rate = transposed(s.x.G) @ CTqd[..., None] + transposed(s.x.Gdot) @ Hqd[..., None]
    return [momentum[..., 0], rate[..., 0]]


def _reference_motion(s: State) -> list[Any]:
    """Compute a function of a state and a reference motion, whose velocity G moves with y."""
    yd_r, ydd_r = s.given["qd_r"], s.given["qdd"]
    qd_r = (s.x.G @ yd_r[..., None])[..., 0]
    qdd_r = (s.x.G @ ydd_r[..., None] + s.x.Gdot @ yd_r[..., None])[..., 0]
    out = s.function(s.tree, s.x.q, s.x.qd, qd_r, qdd_r, **s.options)
    parts = out if len(s.results) > 1 else [out]
    return [_along(s.x, part, dims) for part, dims in zip(parts, s.results, strict=True)]


def _CoriolisMatrix(s: State) -> list[Any]:
    C, Hdot, H = map(np.asarray, s.function(s.tree, s.x.q, s.x.qd, **s.options))
    G, Gdot = s.x.G, s.x.Gdot
    turn = transposed(G) @ H @ Gdot
    return [
        transposed(G) @ C @ G + turn,
        transposed(G) @ Hdot @ G + turn + transposed(turn),
        s.x.inertia(H),
    ]


def _Christoffel(s: State) -> list[Any]:
    order = s.options.get("order", "matlab")
    Gamma = s.function(s.tree, s.x.q, **{**s.options, "order": "textbook"})
    out = transform_coordinates(s.x.G, M=s.H, Gamma=Gamma, dA=s.x.G_y).Gamma
    return [out if order == "textbook" else turned(np.asarray(out))]


def _IDFOZA(s: State) -> list[Any]:
    b = s.given["b"]
    along = s.coupling.jet(s.x.q, b, 0 * b)  # the motion with velocities b
    H_b = np.asarray(s.function(s.tree, s.x.q, along.qd, **s.options))
    Hb = (s.H @ along.qd[..., None])[..., 0]
    return [transposed(s.x.G) @ (H_b @ s.x.G + s.H @ along.qd_y) + along.bent(Hb)]


def _weighted(s: State, x: np.ndarray) -> np.ndarray:
    """Contract the first axis of a derivative of tau_y with the weights of the call."""
    w = s.given["lambda_"]
    return np.asarray(summed(w, x) if x.ndim > w.ndim + 1 else (w[..., None, :] @ x)[..., 0, :])


def _modID(s: State) -> list[Any]:
    tau = (s.z[..., None, :] @ s.x.G)[..., 0, :]
    return [(s.given["lambda_"] * tau).sum(axis=-1)]


def _modID_derivatives(s: State) -> list[Any]:
    return [_weighted(s, x) for x in s.first_order]


def _modID_derivatives_simple(s: State) -> list[Any]:
    return [np.einsum("...i,...ijk,...j->...k", s.given["lambda_"], s.dH, s.given["qdd"])]


def _modID_second(s: State) -> list[Any]:
    if isinstance(s.x, ClosedJet):
        return _by_multipliers(s, s.x)
    (by_y, by_yd), (qq, vv, cross, _) = s.first_order, s.second_order
    weighted = [_weighted(s, x) for x in (by_y, by_yd, qq, vv, cross)]
    return [*weighted, by_y, by_yd]


def _by_multipliers(s: State, x: ClosedJet) -> list[Any]:
    """Contract second derivatives of ``tau_y`` with weights, without tensors.

    Multipliers take the place of second derivatives of the motion; so those of rows enter as
    weighted sums. T are the joint forces of the tree less those of the loops' multipliers.
    """
    w, H = s.given["lambda_"], s.H
    along = s.coupling.jet(x.q, w, 0 * w)  # the motion with velocities w
    b, b_y = along.qd, along.qd_y
    m = s.function(s.tree, x.q, x.qd, x.qdd, b, **s.options)
    T_q, T_v = m.dtau_dq - x.pushed(s.z), np.asarray(m.dtau_dv)
    forces = tuple((b[..., None, :] @ A)[..., 0, :] for A in (H, T_v, T_q))
    qq, qv, vv, qa = x.of_rows(b, s.z, forces)
    qq, qv, vv = m.dmod_dqq - qq, m.dmod_dqv - qv, m.dmod_dvv - vv
    qa = transposed(np.asarray(s.call(IDFOZA, x.q, b))) - qa
    by_y, by_yd = x.forces(Derivatives(T_q, T_v, H))
    half, yv = x.forces(Derivatives(qq, qv, qa))
    d = s.coupling.dependent  # rows of qd_y that are not zero
    T_y, T_yd = first(Derivatives(*(A[..., d, :] for A in (T_q, T_v, H))), x)
    bend, turned_b = transposed(x.qd_y[..., d, :]), transposed(b_y[..., d, :])
    moved, straight = bend @ vv[..., d, :], x.inertia(qq)
    turn = half - straight + turned_b @ T_y
    yy = straight + moved[..., d] @ transposed(bend) + turn + transposed(turn)
    yv = yv + moved @ x.G + turned_b @ T_yd
    weighted = [_weighted(s, A) for A in (by_y, by_yd)]
    return [*weighted, yy, x.inertia(vv), yv, by_y, by_yd]


def _regressor_of_momentum(s: State) -> list[Any]:
    """Pull back regressors of ``H qd`` and ``C^T qd``, for links and for rotors."""
    Y, Z, Y_rotors, Z_rotors = map(np.asarray, s.function(s.tree, s.x.q, s.x.qd, **s.options))
    G, Gdot = transposed(s.x.G), transposed(s.x.Gdot)
    return [G @ Y, G @ Z + Gdot @ Y, G @ Y_rotors, G @ Z_rotors + Gdot @ Y_rotors]


RULES: dict[str, Callable[[State], list[Any]]] = {
    **dict.fromkeys(
        ("ID", "CRBA", "CMM", "EnerMo", "FrameJacobian", "frame_velocity", "frame_acceleration",
         "frame_motion", "_body_motion", "RegressorClassical", "RegressorEnergy",
         "RegressorHandG", "RegressorMomentum"),
        _motion,
    ),
    "HandC": _HandC,
    "Hqd_and_CTqd": _Hqd_and_CTqd,
    "ID_SlotineLi": _reference_motion,
    "RegressorSL": _reference_motion,
    "CMMTimeDerivative": _rate_of(CMM),
    "FrameJacobianTimeDerivative": _rate_of(FrameJacobian),
    "CoriolisMatrix": _CoriolisMatrix,
    "Christoffel": _Christoffel,
    "H_derivatives": lambda s: [s.dH],
    "IDFOZA": _IDFOZA,
    "ID_derivatives": lambda s: [*s.first_order],
    "ID_SO_derivatives": lambda s: s.second_order,
    "modID": _modID,
    "modID_derivatives": _modID_derivatives,
    "modID_derivatives_simple": _modID_derivatives_simple,
    "modID_second_derivatives": _modID_second,
    "frame_derivatives": of_frame_derivatives,
    "frame_SO_derivatives": of_frame_SO_derivatives,
    "modFrame_second_derivatives": of_modFrame_second_derivatives,
    "Regressor_HqdandCTqd": _regressor_of_momentum,
    **DERIVATIVES,
}  # fmt: skip
"""The functions that follow a nonlinear coupling, by their names."""
