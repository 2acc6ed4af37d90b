"""Tensor spatial vector algebra: third-order tensors over spatial vectors.

The operators of Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body Dynamics"
(2023), Sec. III. A matrix (..., 6, n) has motion or force vectors as columns; a tensor
(..., a, b, c) has rows, columns and pages; leading axes are batches. `tensor_sva.identities` has
the published identities of these operators, and `tensor_sva.expressions` the published derivatives
of the dynamics that are written with them.
"""

from tensor_sva.B import B
from tensor_sva.B_t import B_t
from tensor_sva.contract import contract
from tensor_sva.crf_t import crf_t
from tensor_sva.crm_t import crm_t
from tensor_sva.hat import hat, vee
from tensor_sva.icrf_t import icrf_t
from tensor_sva.lie import Ad, ad, ad_star
from tensor_sva.mT import mT
from tensor_sva.mTm import mTm
from tensor_sva.page import page, unpage
from tensor_sva.rotR import rotR
from tensor_sva.rotRT import rotRT
from tensor_sva.rotT import rotT
from tensor_sva.tens_norm import tens_norm
from tensor_sva.Tm import Tm

__all__ = [
    "Ad",
    "B",
    "B_t",
    "Tm",
    "ad",
    "ad_star",
    "contract",
    "crf_t",
    "crm_t",
    "hat",
    "icrf_t",
    "mT",
    "mTm",
    "page",
    "rotR",
    "rotRT",
    "rotT",
    "tens_norm",
    "unpage",
    "vee",
]
