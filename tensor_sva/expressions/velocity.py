"""Second derivatives with respect to the velocities, Appendix C.

Bodies i, j, k lie on one path to the base; in conditions such as ``k <= j < i``, < means proper
ancestor, so that k is nearest to the base.
"""

from __future__ import annotations

from spatial_v2.arrays import Array
from tensor_sva.B_t import B_t
from tensor_sva.body import Body
from tensor_sva.crf_t import crf_t
from tensor_sva.expressions.block import block
from tensor_sva.expressions.common import A2
from tensor_sva.icrf_t import icrf_t
from tensor_sva.mT import mT
from tensor_sva.permuted import T
from tensor_sva.rotR import rotR
from tensor_sva.rotT import rotT
from tensor_sva.Tm import Tm

__all__ = ["VELOCITY"]


@block(
    "d2tau_dqd",
    "ijk",
    "k < j <= i",
    r"\frac{\partial^2\tau_i}{\partial\dot q_j\partial\dot q_k}"
    r" = -\big[S_j^\top (2\mathcal B(I_i^C, S_i) S_k)^{\tilde R}\big]^{\tilde\top}",
)
def vv1(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_i with respect to qd_j and qd_k, for ``k < j <= i``: equation (32)."""
    return -rotT(mT(T(j.S), rotR(2 * Tm(B_t(i.IC, i.S), k.S))))


@block(
    "d2tau_dqd",
    "ikj",
    "k < j <= i",
    r"\frac{\partial^2\tau_i}{\partial\dot q_k\partial\dot q_j}"
    r" = \Big[\frac{\partial^2\tau_i}{\partial\dot q_j\partial\dot q_k}\Big]^{\tilde R}",
)
def vv2(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_i with respect to qd_k and qd_j, for ``k < j <= i``, from `vv1`."""
    return rotR(vv1(i, j, k))


@block(
    "d2tau_dqd",
    "ijk",
    "k = j <= i",
    r"\frac{\partial^2\tau_i}{\partial\dot q_j\partial\dot q_k}"
    r" = -\big[S_j^\top (\mathcal A_2 S_k)^{\tilde R}\big]^{\tilde\top}",
)
def vv3(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_i with respect to qd_j and qd_k of one joint, ``k = j <= i``."""
    return -rotT(mT(T(j.S), rotR(Tm(A2(i), k.S))))


@block(
    "d2tau_dqd",
    "kij",
    "k < j < i",
    r"\frac{\partial^2\tau_k}{\partial\dot q_i\partial\dot q_j}"
    r" = S_k^\top [2\mathcal B(I_i^C, S_i) S_j]^{\tilde R}",
)
def vv4(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_k with respect to qd_i and qd_j, for ``k < j < i``."""
    return mT(T(k.S), rotR(2 * Tm(B_t(i.IC, i.S), j.S)))


@block(
    "d2tau_dqd",
    "kji",
    "k < j < i",
    r"\frac{\partial^2\tau_k}{\partial\dot q_j\partial\dot q_i}"
    r" = \Big[\frac{\partial^2\tau_k}{\partial\dot q_i\partial\dot q_j}\Big]^{\tilde R}",
)
def vv5(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_k with respect to qd_j and qd_i, for ``k < j < i``, from `vv4`."""
    return rotR(vv4(i, j, k))


@block(
    "d2tau_dqd",
    "kij",
    "k < j = i",
    r"\frac{\partial^2\tau_k}{\partial\dot q_i\partial\dot q_j} = S_k^\top"
    r" \big[((I_i^C S_i)\tilde{\bar\times}{}^* + S_i\tilde\times{}^* I_i^C) S_j\big]^{\tilde R}",
)
def vv6(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_k with respect to qd_i and qd_j of one joint, ``k < j = i``."""
    return mT(T(k.S), rotR(Tm(icrf_t(i.IC @ i.S) + Tm(crf_t(i.S), i.IC), j.S)))


@block(
    "d2tau_dqd",
    "jki",
    "k <= j < i",
    r"\frac{\partial^2\tau_j}{\partial\dot q_k\partial\dot q_i}"
    r" = S_j^\top [2\mathcal B(I_i^C, S_i) S_k]",
)
def vv7(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_j with respect to qd_k and qd_i, for ``k <= j < i``."""
    return mT(T(j.S), 2 * Tm(B_t(i.IC, i.S), k.S))


@block(
    "d2tau_dqd",
    "jik",
    "k <= j < i",
    r"\frac{\partial^2\tau_j}{\partial\dot q_i\partial\dot q_k}"
    r" = \Big[\frac{\partial^2\tau_j}{\partial\dot q_k\partial\dot q_i}\Big]^{\tilde R}",
)
def vv8(i: Body, j: Body, k: Body) -> Array:
    """Derivative of tau_j with respect to qd_i and qd_k, for ``k <= j < i``, from `vv7`."""
    return rotR(vv7(i, j, k))


VELOCITY = (vv1, vv2, vv3, vv4, vv5, vv6, vv7, vv8)
"""The expressions for the derivatives with respect to qd_j and qd_k."""
