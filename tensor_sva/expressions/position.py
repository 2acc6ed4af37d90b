"""Second derivatives with respect to q, Appendix C.

Bodies i, j, k lie on one path to the base; in conditions such as ``k <= j < i``, < means proper
ancestor, so that k is nearest to the base.
"""

from __future__ import annotations

from spatial_v2.arrays import Array
from spatial_v2.spatial import icrf
from tensor_sva.B_t import B_t
from tensor_sva.body import Body
from tensor_sva.crf_t import crf_t
from tensor_sva.expressions.block import block
from tensor_sva.expressions.common import A1, A2
from tensor_sva.icrf_t import icrf_t
from tensor_sva.mT import mT
from tensor_sva.permuted import T
from tensor_sva.rotR import rotR
from tensor_sva.rotT import rotT
from tensor_sva.Tm import Tm

__all__ = ["POSITION"]


@block(
    "d2tau_dq",
    "ijk",
    "k <= j <= i",
    r"\frac{\partial^2\tau_i}{\partial q_j\partial q_k} = -\big["
    r"2\dot\Psi_j^\top (\mathcal B(I_i^C, S_i)\dot\Psi_k)^{\tilde R}"
    r" + 2 S_j^\top ((B_i^{C\top} S_i)\tilde{\bar\times}{}^*\dot\Psi_k)^{\tilde R}"
    r" + S_j^\top ((I_i^C S_i)\tilde{\bar\times}{}^*\ddot\Psi_k)^{\tilde R}\big]^{\tilde\top}",
)
def qq1(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_i along q_j, then along q_k, for ``k <= j <= i``."""
    return -rotT(
        2 * mT(T(j.psid), rotR(Tm(B_t(i.IC, i.S), k.psid)))
        + 2 * mT(T(j.S), rotR(Tm(icrf_t(T(i.BC) @ i.S), k.psid)))
        + mT(T(j.S), rotR(Tm(icrf_t(i.IC @ i.S), k.psidd)))
    )


@block(
    "d2tau_dq",
    "ikj",
    "k < j <= i",
    r"\frac{\partial^2\tau_i}{\partial q_k\partial q_j}"
    r" = \Big[\frac{\partial^2\tau_i}{\partial q_j\partial q_k}\Big]^{\tilde R}",
)
def qq2(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_i along q_k, then along q_j, for ``k < j <= i``, from `qq1`."""
    return rotR(qq1(i, j, k))


@block(
    "d2tau_dq",
    "kij",
    "k < j <= i",
    r"\frac{\partial^2\tau_k}{\partial q_i\partial q_j} = S_k^\top \Big["
    r"\big[2(\mathcal B(I_i^C,\dot\Psi_i) + \mathcal A_1)\dot\Psi_j"
    r" + \mathcal A_2\ddot\Psi_j\big]^{\tilde R}"
    r" + S_j\tilde\times{}^* (2 B_i^C\dot\Psi_i + I_i^C\ddot\Psi_i + f_i^C\bar\times^* S_i)\Big]",
)
def qq3(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_k along q_i, then along q_j, for ``k < j <= i``."""
    return mT(
        T(k.S),
        rotR(2 * Tm(B_t(i.IC, i.psid) + A1(i), j.psid) + Tm(A2(i), j.psidd))
        + Tm(crf_t(j.S), 2 * i.BC @ i.psid + i.IC @ i.psidd + icrf(i.fC) @ i.S),
    )


@block(
    "d2tau_dq",
    "kji",
    "k < j < i",
    r"\frac{\partial^2\tau_k}{\partial q_j\partial q_i}"
    r" = \Big[\frac{\partial^2\tau_k}{\partial q_i\partial q_j}\Big]^{\tilde R}",
)
def qq4(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_k along q_j, then along q_i, for ``k < j < i``, from `qq3`."""
    return rotR(qq3(i, j, k))


@block(
    "d2tau_dq",
    "jki",
    "k <= j < i",
    r"\frac{\partial^2\tau_j}{\partial q_k\partial q_i} = S_j^\top"
    r" \big[2(\mathcal B(I_i^C,\dot\Psi_i) + \mathcal A_1)\dot\Psi_k"
    r" + \mathcal A_2\ddot\Psi_k\big]",
)
def qq5(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_j along q_k, then along q_i, for ``k <= j < i``: equation (34)."""
    return mT(T(j.S), 2 * Tm(B_t(i.IC, i.psid) + A1(i), k.psid) + Tm(A2(i), k.psidd))


@block(
    "d2tau_dq",
    "jik",
    "k <= j < i",
    r"\frac{\partial^2\tau_j}{\partial q_i\partial q_k}"
    r" = \Big[\frac{\partial^2\tau_j}{\partial q_k\partial q_i}\Big]^{\tilde R}",
)
def qq6(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_j along q_i, then along q_k, for ``k <= j < i``, from `qq5`: equation
    (35).
    """
    return rotR(qq5(i, j, k))


POSITION = (qq1, qq2, qq3, qq4, qq5, qq6)
"""The expressions for the derivative along q_j, then along q_k."""
