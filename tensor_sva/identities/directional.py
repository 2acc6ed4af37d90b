"""Identities J1 to J9: derivatives of kinematic quantities along one joint."""

from __future__ import annotations

import numpy as np

from spatial_v2.spatial import crf, crm, icrf
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.state import by_q, by_qd

__all__ = ["DIRECTIONAL"]

SOURCE = "Singh, Russell, Wensing (2022), Appendix C"

DIRECTIONAL = (
    Identity(
        "J1",
        r"\frac{\partial S_i}{\partial q_{j,p}} = s_{j,p}\times S_i",
        SOURCE,
        "i j",
        by_q(lambda i: i.S),
        lambda i, j: np.stack([crm(s) @ i.S for s in j.S.T], axis=-1),
    ),
    Identity(
        "J2",
        r"\frac{\partial (v_i\times^* f)}{\partial q_j}"
        r" = f\bar\times^* \big((v_{\lambda(j)} - v_i)\times S_j\big)",
        SOURCE,
        "i j f",
        by_q(lambda i, f: crf(i.v) @ f),
        lambda i, j, f: icrf(f) @ crm(j.parent.v - i.v) @ j.S,
    ),
    Identity(
        "J3",
        r"\frac{\partial (S_i^\top f)}{\partial q_j} = -S_i^\top (f\bar\times^* S_j)",
        SOURCE,
        "i j f",
        by_q(lambda i, f: i.S.T @ f),
        lambda i, j, f: -i.S.T @ icrf(f) @ j.S,
    ),
    Identity(
        "J4",
        r"\frac{\partial (I_i m)}{\partial q_j} = (I_i m)\bar\times^* S_j + I_i (m\times S_j)",
        SOURCE,
        "i j m",
        by_q(lambda i, m: i.I @ m),
        lambda i, j, m: icrf(i.I @ m) @ j.S + i.I @ crm(m) @ j.S,
    ),
    Identity(
        "J5",
        r"\frac{\partial (I_i v_i)}{\partial q_j} = (I_i v_i)\bar\times^* S_j + I_i \dot\Psi_j",
        SOURCE,
        "i j",
        by_q(lambda i: i.I @ i.v),
        lambda i, j: icrf(i.I @ i.v) @ j.S + i.I @ j.psid,
    ),
    Identity(
        "J6",
        r"\frac{\partial \xi_i}{\partial q_j}"
        r" = (v_{\lambda(j)} - v_i)\times\dot\Psi_j + (\xi_{\lambda(j)} - \xi_i)\times S_j",
        SOURCE,
        "i j",
        by_q(lambda i: i.xi),
        lambda i, j: crm(j.parent.v - i.v) @ j.psid + crm(j.parent.xi - i.xi) @ j.S,
    ),
    Identity(
        "J7",
        r"\frac{\partial \gamma_i}{\partial q_j} = (\gamma_{\lambda(j)} - \gamma_i)\times S_j",
        SOURCE,
        "i j",
        by_q(lambda i: i.gamma),
        lambda i, j: crm(j.parent.gamma - i.gamma) @ j.S,
    ),
    Identity(
        "J8",
        r"\frac{\partial v_i}{\partial \dot q_j} = S_j",
        SOURCE,
        "i j",
        by_qd(lambda i: i.v),
        lambda i, j: j.S,
    ),
    Identity(
        "J9",
        r"\frac{\partial \xi_i}{\partial \dot q_j} = \dot\Psi_j + \dot S_j - v_i\times S_j",
        SOURCE,
        "i j",
        by_qd(lambda i: i.xi),
        lambda i, j: j.psid + j.Sd - crm(i.v) @ j.S,
    ),
)
"""Identities J1 to J9; right sides hold if j is i or an ancestor of i, else they are zero; f and m
are constant vectors.
"""
