"""Identities K1 to K16: derivatives along all degrees of freedom of a joint at once."""

from __future__ import annotations

from spatial_v2.arrays import column
from spatial_v2.spatial import crm, icrf
from tensor_sva.B_t import B_t
from tensor_sva.crf_t import crf_t
from tensor_sva.crm_t import crm_t
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.state import by_q, by_qd
from tensor_sva.mT import mT
from tensor_sva.page import unpage
from tensor_sva.rotR import rotR
from tensor_sva.Tm import Tm

__all__ = ["JOINT_DERIVATIVES"]

SOURCE = "Singh, Russell, Wensing (2023), Appendix B"

JOINT_DERIVATIVES = (
    Identity(
        "K1",
        r"\frac{\partial S_i}{\partial q_j} = S_j\tilde\times S_i",
        SOURCE,
        "i j",
        by_q(lambda i: i.S),
        lambda i, j: Tm(crm_t(j.S), i.S),
    ),
    Identity(
        "K2",
        r"\frac{\partial \dot S_i}{\partial q_j}"
        r" = \dot\Psi_j\tilde\times S_i + S_j\tilde\times\dot S_i",
        SOURCE,
        "i j",
        by_q(lambda i: i.Sd),
        lambda i, j: Tm(crm_t(j.psid), i.S) + Tm(crm_t(j.S), i.Sd),
    ),
    Identity(
        "K3",
        r"\frac{\partial (S_i\dot q_i\times S_i)}{\partial q_j}"
        r" = S_j\tilde\times (S_i\dot q_i\times S_i)",
        SOURCE,
        "i j",
        by_q(lambda i: crm(i.vJ) @ i.S),
        lambda i, j: Tm(crm_t(j.S), crm(i.vJ) @ i.S),
    ),
    Identity(
        "K4",
        r"\frac{\partial \dot\Psi_i}{\partial q_j}"
        r" = \dot\Psi_j\tilde\times S_i + S_j\tilde\times\dot\Psi_i",
        SOURCE,
        "i j",
        by_q(lambda i: i.psid),
        lambda i, j: Tm(crm_t(j.psid), i.S) + Tm(crm_t(j.S), i.psid),
    ),
    Identity(
        "K5",
        r"\frac{\partial I_i}{\partial q_j} = S_j\tilde\times{}^* I_i - I_i (S_j\tilde\times)",
        SOURCE,
        "i j",
        by_q(lambda i: i.I),
        lambda i, j: Tm(crf_t(j.S), i.I) - mT(i.I, crm_t(j.S)),
    ),
    Identity(
        "K6",
        r"\frac{\partial I_i^C}{\partial q_j} = \begin{cases}"
        r" S_j\tilde\times{}^* I_i^C - I_i^C (S_j\tilde\times), & j \preceq i \\"
        r" S_j\tilde\times{}^* I_j^C - I_j^C (S_j\tilde\times), & j \succ i \end{cases}",
        SOURCE,
        "i j",
        by_q(lambda i: i.IC),
        lambda i, j: Tm(crf_t(j.S), i.IC) - mT(i.IC, crm_t(j.S)),
        {"j > i": lambda i, j: Tm(crf_t(j.S), j.IC) - mT(j.IC, crm_t(j.S))},
    ),
    Identity(
        "K7",
        r"\frac{\partial a_i}{\partial q_j}"
        r" = \ddot\Psi_j - v_i\times\dot\Psi_j - a_i\times S_j",
        SOURCE,
        "i j",
        by_q(lambda i: i.a),
        lambda i, j: j.psidd - crm(i.v) @ j.psid - crm(i.a) @ j.S,
    ),
    Identity(
        "K8",
        r"\frac{\partial (I_i a_i)}{\partial q_j} = S_j\tilde\times{}^* (I_i a_i)"
        r" + I_i\ddot\Psi_j - I_i (v_i\times\dot\Psi_j)",
        SOURCE,
        "i j",
        by_q(lambda i: i.I @ i.a),
        lambda i, j: (
            unpage(rotR(Tm(crf_t(j.S), column(i.I @ i.a))))
            + i.I @ j.psidd
            - i.I @ crm(i.v) @ j.psid
        ),
    ),
    Identity(
        "K9",
        r"\frac{\partial \ddot\Psi_i}{\partial q_j} = \ddot\Psi_j\tilde\times S_i"
        r" + 2\dot\Psi_j\tilde\times\dot\Psi_i + S_j\tilde\times\ddot\Psi_i",
        SOURCE,
        "i j",
        by_q(lambda i: i.psidd),
        lambda i, j: (
            Tm(crm_t(j.psidd), i.S) + 2 * Tm(crm_t(j.psid), i.psid) + Tm(crm_t(j.S), i.psidd)
        ),
    ),
    Identity(
        "K10",
        r"\frac{\partial B_i^C}{\partial q_j} = \begin{cases}"
        r" \mathcal B(I_i^C, \dot\Psi_j) + S_j\tilde\times{}^* B_i^C - B_i^C (S_j\tilde\times),"
        r" & j \preceq i \\"
        r" \mathcal B(I_j^C, \dot\Psi_j) + S_j\tilde\times{}^* B_j^C - B_j^C (S_j\tilde\times),"
        r" & j \succ i \end{cases}",
        SOURCE,
        "i j",
        by_q(lambda i: i.BC),
        lambda i, j: B_t(i.IC, j.psid) + Tm(crf_t(j.S), i.BC) - mT(i.BC, crm_t(j.S)),
        {"j > i": lambda i, j: B_t(j.IC, j.psid) + Tm(crf_t(j.S), j.BC) - mT(j.BC, crm_t(j.S))},
    ),
    Identity(
        "K11",
        r"\frac{\partial f_i}{\partial q_j}"
        r" = I_i\ddot\Psi_j + f_i\bar\times^* S_j + 2 B_i\dot\Psi_j",
        SOURCE,
        "i j",
        by_q(lambda i: i.f),
        lambda i, j: i.I @ j.psidd + icrf(i.f) @ j.S + 2 * i.B @ j.psid,
    ),
    Identity(
        "K12",
        r"\frac{\partial f_i^C}{\partial q_j} = \begin{cases}"
        r" I_i^C\ddot\Psi_j + f_i^C\bar\times^* S_j + 2 B_i^C\dot\Psi_j, & j \preceq i \\"
        r" I_j^C\ddot\Psi_j + f_j^C\bar\times^* S_j + 2 B_j^C\dot\Psi_j, & j \succ i \end{cases}",
        SOURCE,
        "i j",
        by_q(lambda i: i.fC),
        lambda i, j: i.IC @ j.psidd + icrf(i.fC) @ j.S + 2 * i.BC @ j.psid,
        {"j > i": lambda i, j: j.IC @ j.psidd + icrf(j.fC) @ j.S + 2 * j.BC @ j.psid},
    ),
    Identity(
        "K13",
        r"\frac{\partial S_i^\top}{\partial q_j} = -S_i^\top S_j\tilde\times{}^*",
        SOURCE,
        "i j",
        by_q(lambda i: i.S.T),
        lambda i, j: -mT(i.S.T, crf_t(j.S)),
    ),
    Identity(
        "K14",
        r"\frac{\partial \dot S_i}{\partial \dot q_j} = S_j\tilde\times S_i",
        SOURCE,
        "i j",
        by_qd(lambda i: i.Sd),
        lambda i, j: Tm(crm_t(j.S), i.S),
    ),
    Identity(
        "K15",
        r"\frac{\partial \dot\Psi_i}{\partial \dot q_j}"
        r" = \begin{cases} S_j\tilde\times S_i, & j \prec i \\ 0, & \text{otherwise} \end{cases}",
        SOURCE,
        "i j",
        by_qd(lambda i: i.psid),
        lambda i, j: Tm(crm_t(j.S), i.S),
        {"j = i": None},
    ),
    Identity(
        "K16",
        r"\frac{\partial B_i^C}{\partial \dot q_j} = \begin{cases}"
        r" \mathcal B(I_i^C, S_j), & j \preceq i \\ \mathcal B(I_j^C, S_j), & j \succ i"
        r" \end{cases}",
        SOURCE,
        "i j",
        by_qd(lambda i: i.BC),
        lambda i, j: B_t(i.IC, j.S),
        {"j > i": lambda i, j: B_t(j.IC, j.S)},
    ),
)
"""Unless cases say otherwise, right sides hold if j is i or an ancestor of i, else zero."""
