"""Terms that several expressions of Appendix C share."""

from __future__ import annotations

from spatial_v2.arrays import Array
from tensor_sva.body import Body
from tensor_sva.crf_t import crf_t
from tensor_sva.crm_t import crm_t
from tensor_sva.mT import mT
from tensor_sva.Tm import Tm

__all__ = ["A1", "A2"]


def A1(i: Body) -> Array:
    r"""Compute :math:`\mathcal A_1 = S_i\tilde\times{}^* B_i^C - B_i^C S_i\tilde\times`."""
    return Tm(crf_t(i.S), i.BC) - mT(i.BC, crm_t(i.S))


def A2(i: Body) -> Array:
    r"""Compute :math:`\mathcal A_2 = S_i\tilde\times{}^* I_i^C - I_i^C S_i\tilde\times`."""
    return Tm(crf_t(i.S), i.IC) - mT(i.IC, crm_t(i.S))
