"""Derivatives of the joint-space inertia matrix with respect to q, Appendix C.

Bodies i, j, k lie on one path to the base; in conditions such as ``k <= j < i``, < means proper
ancestor, so that k is nearest to the base.
"""

from __future__ import annotations

from spatial_v2.arrays import Array
from tensor_sva.body import Body
from tensor_sva.crf_t import crf_t
from tensor_sva.expressions.block import block
from tensor_sva.expressions.common import A2
from tensor_sva.icrf_t import icrf_t
from tensor_sva.mT import mT
from tensor_sva.mTm import mTm
from tensor_sva.permuted import T
from tensor_sva.rotR import rotR
from tensor_sva.rotT import rotT
from tensor_sva.Tm import Tm

__all__ = ["MASS_MATRIX"]


@block("dM_dq", "jik", "k <= j <= i", r"\frac{\partial M_{ji}}{\partial q_k} = 0")
def m1(i: Body, j: Body, k: Body) -> Array:
    """Derivative of M_ji along q_k for ``k <= j <= i``: zero, as M_ji does not depend on q_k."""
    return 0 * mTm(T(j.S), crf_t(k.S), i.S)


@block("dM_dq", "ijk", "k <= j <= i", r"\frac{\partial M_{ij}}{\partial q_k} = 0")
def m2(i: Body, j: Body, k: Body) -> Array:
    """Derivative of M_ij along q_k for ``k <= j <= i``: the transpose of `m1`."""
    return rotT(m1(i, j, k))


@block(
    "dM_dq",
    "kij",
    "k < j <= i",
    r"\frac{\partial M_{ki}}{\partial q_j}"
    r" = S_k^\top ((I_i^C S_i)\tilde{\bar\times}{}^* S_j)^{\tilde R}",
)
def m3(i: Body, j: Body, k: Body) -> Array:
    """Derivative of M_ki along q_j for ``k < j <= i``: equation (36)."""
    return mT(T(k.S), rotR(Tm(icrf_t(i.IC @ i.S), j.S)))


@block(
    "dM_dq",
    "ikj",
    "k < j <= i",
    r"\frac{\partial M_{ik}}{\partial q_j}"
    r" = \Big[\frac{\partial M_{ki}}{\partial q_j}\Big]^{\tilde\top}",
)
def m4(i: Body, j: Body, k: Body) -> Array:
    """Derivative of M_ik along q_j for ``k < j <= i``: the transpose of `m3`, equation (37)."""
    return rotT(m3(i, j, k))


@block(
    "dM_dq",
    "kji",
    "k <= j < i",
    r"\frac{\partial M_{kj}}{\partial q_i} = S_k^\top \mathcal A_2 S_j",
)
def m5(i: Body, j: Body, k: Body) -> Array:
    """Derivative of M_kj along q_i for ``k <= j < i``."""
    return mTm(T(k.S), A2(i), j.S)


@block(
    "dM_dq",
    "jki",
    "k <= j < i",
    r"\frac{\partial M_{jk}}{\partial q_i}"
    r" = \Big[\frac{\partial M_{kj}}{\partial q_i}\Big]^{\tilde\top}",
)
def m6(i: Body, j: Body, k: Body) -> Array:
    """Derivative of M_jk along q_i for ``k <= j < i``: the transpose of `m5`."""
    return rotT(m5(i, j, k))


MASS_MATRIX = (m1, m2, m3, m4, m5, m6)
"""The expressions for the derivative of M along q_k."""
