"""Mixed second derivatives with respect to qd and q, Appendix C.

As printed, columns belong to velocities and pages to positions; `assemble` exchanges columns and
pages by equation (33). Bodies i, j, k lie on one path to the base; in conditions such as
``k <= j < i``, < means proper ancestor, so that k is nearest to the base.
"""

from __future__ import annotations

from spatial_v2.arrays import Array
from tensor_sva.B_t import B_t
from tensor_sva.body import Body
from tensor_sva.expressions.block import block
from tensor_sva.expressions.common import A1, A2
from tensor_sva.icrf_t import icrf_t
from tensor_sva.mT import mT
from tensor_sva.permuted import T
from tensor_sva.rotR import rotR
from tensor_sva.rotT import rotT
from tensor_sva.Tm import Tm

__all__ = ["CROSS"]


@block(
    "d2tau_dqd_dq",
    "ijk",
    "k <= j <= i",
    r"\frac{\partial^2\tau_i}{\partial\dot q_j\partial q_k}"
    r" = -\big[S_j^\top (2\mathcal B(I_i^C, S_i)\dot\Psi_k)^{\tilde R}\big]^{\tilde\top}",
)
def vq1(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_i with respect to qd_j and along q_k, for ``k <= j <= i``."""
    return -rotT(mT(T(j.S), rotR(2 * Tm(B_t(i.IC, i.S), k.psid))))


@block(
    "d2tau_dqd_dq",
    "jik",
    "k <= j < i",
    r"\frac{\partial^2\tau_j}{\partial\dot q_i\partial q_k}"
    r" = S_j^\top [2\mathcal B(I_i^C, S_i)\dot\Psi_k]^{\tilde R}",
)
def vq2(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_j with respect to qd_i and along q_k, for ``k <= j < i``."""
    return mT(T(j.S), rotR(2 * Tm(B_t(i.IC, i.S), k.psid)))


@block(
    "d2tau_dqd_dq",
    "ikj",
    "k < j <= i",
    r"\frac{\partial^2\tau_i}{\partial\dot q_k\partial q_j} = \big[S_k^\top"
    r" (-2\mathcal B(I_i^C, S_i)\dot\Psi_j + (2 B_i^{C\top} S_i)\tilde{\bar\times}{}^* S_j"
    r" + 2 (I_i^C S_i)\tilde{\bar\times}{}^*\dot\Psi_j)^{\tilde R}"
    r" + (\dot\Psi_k + \dot S_k)^\top ((I_i^C S_i)\tilde{\bar\times}{}^* S_j)^{\tilde R}"
    r"\big]^{\tilde\top}",
)
def vq3(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_i with respect to qd_k and along q_j, for ``k < j <= i``."""
    P = icrf_t(i.IC @ i.S)
    return rotT(
        mT(
            T(k.S),
            rotR(
                -2 * Tm(B_t(i.IC, i.S), j.psid)
                + Tm(icrf_t(2 * T(i.BC) @ i.S), j.S)
                + 2 * Tm(P, j.psid)
            ),
        )
        + mT(T(k.psid + k.Sd), rotR(Tm(P, j.S)))
    )


@block(
    "d2tau_dqd_dq",
    "kij",
    "k < j <= i",
    r"\frac{\partial^2\tau_k}{\partial\dot q_i\partial q_j} = S_k^\top \big["
    r"(2 B_i^C S_i + I_i^C(\dot\Psi_i + \dot S_i))\tilde{\bar\times}{}^* S_j"
    r" + 2\mathcal B(I_i^C, S_i)\dot\Psi_j\big]^{\tilde R}",
)
def vq4(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_k with respect to qd_i and along q_j, for ``k < j <= i``."""
    return mT(
        T(k.S),
        rotR(
            Tm(icrf_t(2 * i.BC @ i.S + i.IC @ (i.psid + i.Sd)), j.S)
            + 2 * Tm(B_t(i.IC, i.S), j.psid)
        ),
    )


@block(
    "d2tau_dqd_dq",
    "jki",
    "k <= j < i",
    r"\frac{\partial^2\tau_j}{\partial\dot q_k\partial q_i} = S_j^\top \big["
    r"2(\mathcal B(I_i^C,\dot\Psi_i) + \mathcal A_1) S_k"
    r" + \mathcal A_2(\dot\Psi_k + \dot S_k)\big]",
)
def vq5(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_j with respect to qd_k and along q_i, for ``k <= j < i``."""
    return mT(T(j.S), 2 * Tm(B_t(i.IC, i.psid) + A1(i), k.S) + Tm(A2(i), k.psid + k.Sd))


@block(
    "d2tau_dqd_dq",
    "kji",
    "k < j < i",
    r"\frac{\partial^2\tau_k}{\partial\dot q_j\partial q_i} = S_k^\top \big["
    r"2(\mathcal B(I_i^C,\dot\Psi_i) + \mathcal A_1) S_j"
    r" + \mathcal A_2(\dot\Psi_j + \dot S_j)\big]",
)
def vq6(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_k with respect to qd_j and along q_i, for ``k < j < i``."""
    return mT(T(k.S), 2 * Tm(B_t(i.IC, i.psid) + A1(i), j.S) + Tm(A2(i), j.psid + j.Sd))


CROSS = (vq1, vq2, vq3, vq4, vq5, vq6)
"""The expressions for the derivative with respect to qd_j, then along q_k."""
