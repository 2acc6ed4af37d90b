"""Tensor functions with MATLAB's shapes: vectors are columns, one-page tensors are matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

import tensor_sva as sva
from spatial_v2.matlab.arguments import matrix

__all__ = [
    "Bten",
    "Tm",
    "cmfM",
    "cmf_barM",
    "crmM",
    "hess_to_mat",
    "hess_to_mat2",
    "mT",
    "rotR",
    "rotT",
    "tens_norm",
    "tensorRotR",
    "tensorRotT",
]


def tensor(A: Any) -> np.ndarray:
    """Convert a matrix to a tensor of one page, a vector to a tensor of one column."""
    A = matrix(A)
    return np.asarray(A[..., None] if A.ndim == 2 else A)


def collapsed(A: Any) -> np.ndarray:
    """Convert a tensor of one page to a matrix; return other tensors unchanged."""
    A = np.asarray(A)
    return np.asarray(A[..., 0] if A.shape[-1] == 1 else A)


def crmM(U: Any) -> np.ndarray:
    """``crmM(U)``: see `tensor_sva.crm_t`."""
    return collapsed(sva.crm_t(matrix(U)))


def cmfM(U: Any) -> np.ndarray:
    """``cmfM(U)``: see `tensor_sva.crf_t`."""
    return collapsed(sva.crf_t(matrix(U)))


def cmf_barM(F: Any) -> np.ndarray:
    """``cmf_barM(F)``: see `tensor_sva.icrf_t`."""
    return collapsed(sva.icrf_t(matrix(F)))


def Bten(I: Any, V: Any) -> np.ndarray:
    """``Bten(I,V)``: see `tensor_sva.B_t`."""
    return collapsed(sva.B_t(I, matrix(V)))


def Tm(T: Any, m: Any) -> np.ndarray:
    """``Tm(T,m)``: see `tensor_sva.Tm`."""
    return collapsed(sva.Tm(tensor(T), matrix(m)))


def mT(m: Any, T: Any) -> np.ndarray:
    """``mT(m,T)``: see `tensor_sva.mT`."""
    return collapsed(sva.mT(np.atleast_2d(m), tensor(T)))


def rotR(T: Any) -> np.ndarray:
    """``rotR(T)``: see `tensor_sva.rotR`."""
    return collapsed(sva.rotR(tensor(T)))


def rotT(T: Any) -> np.ndarray:
    """``rotT(T)``: see `tensor_sva.rotT`."""
    return collapsed(sva.rotT(tensor(T)))


tensorRotR, tensorRotT = rotR, rotT


def tens_norm(T: Any) -> Any:
    """``tens_norm(T)``: see `tensor_sva.tens_norm`."""
    return sva.tens_norm(tensor(T))


def hess_to_mat(T: Any) -> np.ndarray:
    """``hess_to_mat(T)``: the tensor (1, n2, n3) as a matrix (n3, n2)."""
    return np.asarray(tensor(T)[0].T)


def hess_to_mat2(T: Any) -> np.ndarray:
    """``hess_to_mat2(T)``: the tensor (n1, 1, n3) as a matrix (n1, n3)."""
    return np.asarray(tensor(T)[:, 0])
