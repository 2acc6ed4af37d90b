"""Pull-back of each function of a tree to independent variables that it follows nonlinearly.

Forces along y are ``tau_y = G^T tau``, and velocities ``qd = G yd``. So a function of a state is
that of the tree at the motion of y, each axis of forces or velocity variables multiplied by G, and
derivatives follow by the chain rule, in which G itself moves.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from derivatives.frame_SO_derivatives import frame_SO_derivatives
from derivatives.H_derivatives import H_derivatives
from derivatives.ID_derivatives import ID_derivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from derivatives.IDFOZA import IDFOZA
from derivatives.transform_coordinates import transform_coordinates
from spatial_v2.dynamics import CMM, CRBA, ID
from spatial_v2.frames import FrameJacobian
from spatial_v2.mechanisms.closed_jet import ClosedJet
from spatial_v2.mechanisms.pull_back import Derivatives, Jet, first, on_rows, second, turned
from spatial_v2.mechanisms.regressor_derivatives import of_inverse_dynamics
from spatial_v2.model import Model

__all__ = ["RULES", "State"]


@dataclass
class State:
    """A call of a function for a mechanism: the tree's function and the motion of the tree."""

    function: Callable[..., Any]
    """The function for the tree."""
    coupling: Any
    tree: Model
    x: Jet
    given: dict[str, Any]
    """All arguments by name, positions and motions in y."""
    options: dict[str, Any]
    """Arguments that are not arrays of a state, such as external forces and frames."""
    results: tuple[tuple[str, ...], ...]
    """Names of the last axes of the results."""

    def pushed(self) -> dict[str, Any]:
        """Return the options that concern external forces."""
        return {k: v for k, v in self.options.items() if k in ("f_ext", "frame")}

    @functools.cached_property
    def H(self) -> np.ndarray:
        """Inertia matrix of the tree."""
        return np.asarray(CRBA(self.tree, self.x.q))

    @functools.cached_property
    def z(self) -> np.ndarray:
        """Joint forces of the tree."""
        x = self.x
        return np.asarray(ID(self.tree, x.q, x.qd, x.qdd, **self.pushed()))

    @functools.cached_property
    def first_order(self) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of tau_y along y and with respect to yd."""
        x = self.x
        d = ID_derivatives(self.tree, x.q, x.qd, x.qdd, **self.pushed())
        by_y, by_yd = x.forces(Derivatives(d.dtau_dq, d.dtau_dqd, self.H))
        return by_y + x.bent(self.z), by_yd

    @functools.cached_property
    def second_order(self) -> list[np.ndarray]:
        """Second derivatives of tau_y by (y, y), (yd, yd), (y, yd), and derivatives of H_y."""
        x, G_y = self.x, self.x.G_y
        d = ID_derivatives(self.tree, x.q, x.qd, x.qdd, **self.pushed())
        s = ID_SO_derivatives(self.tree, x.q, x.qd, x.qdd, **self.pushed())
        F = Derivatives(
            d.dtau_dq, d.dtau_dqd, self.H, s.d2tau_dq, s.d2tau_cross, s.d2tau_dqd, s.dM_dq
        )
        T_y, T_v = first(F, x)
        T_yy, T_yv, T_vv, T_ya = second(F, x)
        turn = _paired(G_y, T_y)
        qq = on_rows(_T(x.G), T_yy) + turn + turned(turn) + self._bent()
        cross = on_rows(_T(x.G), T_yv) + _paired(G_y, T_v)
        return [qq, on_rows(_T(x.G), T_vv), cross, self._inertia(T_ya)]

    def _inertia(self, T_ya: np.ndarray) -> np.ndarray:
        """Return the derivatives [i, j, k] of H_y along y_k."""
        G, G_y = self.x.G, self.x.G_y
        return np.asarray(on_rows(_T(G), turned(T_ya)) + turned(_paired(G_y, self.H @ G)))

    def _bent(self) -> np.ndarray:
        """Return ``z . G_yy[:, i, j, k]``, where column i of G is the velocity at ``yd = e_i``."""
        return np.asarray(np.einsum("...c,...icjk->...ijk", self.z, self.bends))

    @functools.cached_property
    def bends(self) -> np.ndarray:
        """Second derivatives [i, :, j, k] of the columns i of G along y_j, then y_k."""
        n = self.x.G.shape[-1]
        q = np.repeat(self.x.q[..., None, :], n, axis=-2)
        unit = np.broadcast_to(np.eye(n), (*q.shape[:-1], n))
        return np.asarray(self.coupling.jet(q, unit, 0 * unit).qd_yy)

    @functools.cached_property
    def dH(self) -> np.ndarray:
        """Derivatives [i, j, k] of H_y along y_k."""
        x = self.x
        H_q = turned(np.asarray(H_derivatives(self.tree, x.q)))
        G, G_yT = x.G, turned(x.G_y)
        ya = _T(G)[..., None, :, :] @ H_q @ G[..., None, :, :] + on_rows(self.H, G_yT)
        return self._inertia(ya)


def _T(A: np.ndarray) -> np.ndarray:
    return np.swapaxes(A, -1, -2)


def _summed(z: np.ndarray, T: np.ndarray) -> np.ndarray:
    """Return ``sum_c z[c] T[c, i, j]``."""
    return np.asarray(on_rows(z[..., None, :], T)[..., 0, :, :])


def _paired(T: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return ``sum_c T[c, i, j] A[c, k]`` at [i, j, k]."""
    return np.asarray(np.einsum("...cij,...ck->...ijk", T, A))


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
        return [rate @ s.x.G + np.asarray(values(s.tree, s.x.q, **s.options)) @ s.x.Gdot]

    return rule


def _HandC(s: State) -> list[Any]:
    H, C = s.function(s.tree, s.x.q, s.x.qd, **s.options)
    bias = np.asarray(C) + (H @ s.x.g[..., None])[..., 0]
    return [s.x.inertia(np.asarray(H)), (bias[..., None, :] @ s.x.G)[..., 0, :]]


def _Hqd_and_CTqd(s: State) -> list[Any]:
    Hqd, CTqd = map(np.asarray, s.function(s.tree, s.x.q, s.x.qd, **s.options))
    momentum = _T(s.x.G) @ Hqd[..., None]
    rate = _T(s.x.G) @ CTqd[..., None] + _T(s.x.Gdot) @ Hqd[..., None]
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
    turn = _T(G) @ H @ Gdot
    return [_T(G) @ C @ G + turn, _T(G) @ Hdot @ G + turn + _T(turn), s.x.inertia(H)]


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
    return [_T(s.x.G) @ (H_b @ s.x.G + s.H @ along.qd_y) + along.bent(Hb)]


def _weighted(s: State, x: np.ndarray) -> np.ndarray:
    """Contract the first axis of a derivative of tau_y with the weights of the call."""
    w = s.given["lambda_"]
    return np.asarray(_summed(w, x) if x.ndim > w.ndim + 1 else (w[..., None, :] @ x)[..., 0, :])


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
    qa = _T(np.asarray(IDFOZA(s.tree, x.q, b))) - qa
    by_y, by_yd = x.forces(Derivatives(T_q, T_v, H))
    half, yv = x.forces(Derivatives(qq, qv, qa))
    d = s.coupling.dependent  # rows of qd_y that are not zero
    T_y, T_yd = first(Derivatives(*(A[..., d, :] for A in (T_q, T_v, H))), x)
    bend, turned_b = _T(x.qd_y[..., d, :]), _T(b_y[..., d, :])
    moved, straight = bend @ vv[..., d, :], x.inertia(qq)
    turn = half - straight + turned_b @ T_y
    yy = straight + moved[..., d] @ _T(bend) + turn + _T(turn)
    yv = yv + moved @ x.G + turned_b @ T_yd
    weighted = [_weighted(s, A) for A in (by_y, by_yd)]
    return [*weighted, yy, x.inertia(vv), yv, by_y, by_yd]


def _frame_derivatives(s: State) -> list[Any]:
    J, J_q = map(np.asarray, s.function(s.tree, s.x.q, **s.options))
    G = s.x.G
    return [J @ G, _T(G)[..., None, :, :] @ J_q @ G[..., None, :, :] + on_rows(J, s.x.G_y)]


def _second_of_frame(s: State, J: Any, J_q: Any, J_qq: Any) -> list[np.ndarray]:
    """Return the Jacobian of a frame by y, with its first and second derivatives along y."""
    G, G_y = s.x.G, s.x.G_y
    J, J_q, J_qq = map(np.asarray, (J, J_q, J_qq))
    sums = [
        np.einsum("...ckl,...kim,...lj->...cijm", J_q, G_y, G),
        np.einsum("...ckl,...ki,...ljm->...cijm", J_q, G, G_y),
        np.einsum("...ckl,...kij,...lm->...cijm", J_q, G_y, G),
        np.einsum("...ck,...ikjm->...cijm", J, s.bends),
    ]
    out = np.einsum("...cklp,...ki->...cilp", J_qq, G)
    out = _T(G)[..., None, None, :, :] @ out @ G[..., None, None, :, :]
    first_order = _T(G)[..., None, :, :] @ J_q @ G[..., None, :, :] + on_rows(J, G_y)
    return [J @ G, first_order, sum(sums, out)]


def _frame_SO_derivatives(s: State) -> list[Any]:
    return [*_second_of_frame(s, *s.function(s.tree, s.x.q, **s.options))]


def _modFrame_second(s: State) -> list[Any]:
    u, w = s.given["u"], s.given["weight"]
    J, J_y, J_yy = _second_of_frame(s, *frame_SO_derivatives(s.tree, s.x.q, **s.options))
    by_uq = _summed(w, J_y)
    by_u, by_q = (w[..., None, :] @ J)[..., 0, :], (u[..., None, :] @ by_uq)[..., 0, :]
    return [by_q, by_u, np.einsum("...c,...i,...cijk->...jk", w, u, J_yy), by_uq]


def _regressor_of_momentum(s: State) -> list[Any]:
    """Pull back regressors of ``H qd`` and ``C^T qd``, for links and for rotors."""
    Y, Z, Y_rotors, Z_rotors = map(np.asarray, s.function(s.tree, s.x.q, s.x.qd, **s.options))
    G, Gdot = _T(s.x.G), _T(s.x.Gdot)
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
    "frame_derivatives": _frame_derivatives,
    "frame_SO_derivatives": _frame_SO_derivatives,
    "modFrame_second_derivatives": _modFrame_second,
    "Regressor_HqdandCTqd": _regressor_of_momentum,
    "RegressorClassical_derivatives": lambda s: of_inverse_dynamics(s.tree, s.x),
}  # fmt: skip
"""The functions that follow a nonlinear coupling, by their names."""
