"""Derivatives of constrained dynamics of a batch from compiled parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from derivatives.ID_derivatives import ID_derivatives
from derivatives.IDFOZA import IDFOZA
from derivatives.modID_second_derivatives import modID_second_derivatives
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.Impact_dyn import Impact_dyn
from spatial_v2.constraints.kernels import (
    forces_of,
    row_derivatives,
    solve,
    solve_first,
    solve_state,
    weighted_second_derivatives,
)
from spatial_v2.constraints.options import Gains
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = ["first", "impact_first", "weighted_second"]


def first(
    model: Model, given: Sequence[np.ndarray], constraints: ConstraintSet, damping: float,
    baumgarte: Gains | None, packs: bool,
) -> list[np.ndarray] | None:  # fmt: skip
    """`KKT_FO_derivatives` of a batch of q, qd, tau and forces; None if rows depend on others."""
    q, qd, _, *forces = given
    solved = solve_state(model, given, constraints, damping, baumgarte, packs)
    if solved is None:
        return None
    rows = row_derivatives(model, q, qd, solved.qdd, solved.lambda_, constraints, baumgarte, packs)
    made = (allocate(solved.H.shape), allocate(solved.H.shape))
    how = forces_of(model, forces)
    ID_q, ID_qd = ID_derivatives(model, q, qd, solved.qdd, workers=1, out=made, **how)
    return solve_first(model, damping, solved.H, rows, ID_q, ID_qd, packs)


def weighted_second(
    model: Model, given: Sequence[np.ndarray], constraints: ConstraintSet, damping: float,
    baumgarte: Gains | None, packs: bool,
) -> list[np.ndarray] | None:  # fmt: skip
    """`modKKT_second_derivatives` of a batch of q, qd, tau, mu, nu and forces; likewise."""
    q, qd, tau, mu, nu, *forces = given
    state = [q, qd, tau, *forces]
    solved = solve_state(model, state, constraints, damping, baumgarte, packs)
    if solved is None:
        return None
    T = np.matrix_transpose
    rows = row_derivatives(model, q, qd, solved.qdd, solved.lambda_, constraints, baumgarte, packs)
    weights = solve(model, damping, solved.H, rows.G, mu[..., None], -nu[..., None], packs)
    assert weights is not None
    w, z = weights[0][..., 0], -weights[1][..., 0]
    ID2 = modID_second_derivatives(
        model, q, qd, solved.qdd, w, workers=1, **forces_of(model, forces)
    )
    rest = np.zeros_like(qd)
    at_rest = row_derivatives(model, q, rest, w, z, constraints, None, packs)
    N, B = IDFOZA(model, q, w, workers=1) + at_rest.G_q_lambda, at_rest.alpha_q
    rows2 = weighted_second_derivatives(model, q, qd, solved.qdd, z, constraints, baumgarte, packs)
    turned = weighted_second_derivatives(
        model, q, rest, w, solved.lambda_, constraints, None, packs
    )
    found = solve_first(model, damping, solved.H, rows, ID2.dtau_dq, ID2.dtau_dv, packs)
    assert found is not None
    P, Q, U, L, Lv, Lt = found
    NP_BL = T(N) @ P - T(B) @ L
    z_column, w_column = z[..., None], w[..., None]
    return [
        (T(rows.G_q_lambda - ID2.dtau_dq) @ w_column - T(rows.alpha_q) @ z_column)[..., 0],
        -(T(ID2.dtau_dv) @ w_column + T(rows.alpha_qd) @ z_column)[..., 0],
        w,
        turned[0] - ID2.dmod_dqq - rows2[0] - NP_BL - T(NP_BL),
        -ID2.dmod_dvv - rows2[2],
        T(B) @ Lv - T(N) @ Q - ID2.dmod_dqv - rows2[1],
        T(Lt) @ B - T(U) @ N,
    ]


def impact_first(
    model: Model, q: np.ndarray, qd: np.ndarray, constraints: ConstraintSet, restitution: Any,
    packs: bool,
) -> list[np.ndarray]:  # fmt: skip
    """`Impact_FO_derivatives` of a batch."""
    n, rest, H = model.NV, np.zeros_like(qd), CRBA(model, q, workers=1)
    qd_plus, impulse = Impact_dyn(model, q, qd, constraints, restitution, workers=1)
    e = np.broadcast_to(restitution, constraints.m)[:, None]
    after = row_derivatives(model, q, rest, qd_plus, impulse, constraints, None, packs)
    before = row_derivatives(model, q, rest, qd, impulse, constraints, None, packs)
    top = np.concatenate([after.G_q_lambda - IDFOZA(model, q, qd_plus - qd, workers=1), H], axis=-1)
    bottom = np.concatenate([-after.alpha_q - e * before.alpha_q, -e * after.G], axis=-1)
    found = solve(model, 0.0, H, after.G, top, bottom, packs)
    assert found is not None
    return [x[..., k * n : (k + 1) * n] for x in found for k in range(2)]
