"""MATLAB's folder ``sparsity``: lambda counts from 1, with 0 for the base."""

from __future__ import annotations

from typing import Any

import numpy as np

import spatial_v2
from spatial_v2.matlab.arguments import from_one

__all__ = ["LTDL", "LTL", "expandLambda", "mpyH", "mpyL", "mpyLi", "mpyLit", "mpyLt"]


def LTL(H: Any, lambda_: Any) -> Any:
    """``L = LTL(H,lambda)``: see `spatial_v2.LTL`."""
    return spatial_v2.LTL(H, from_one(lambda_))


def LTDL(H: Any, lambda_: Any) -> Any:
    """``[L,D] = LTDL(H,lambda)``: see `spatial_v2.LTDL`."""
    return spatial_v2.LTDL(H, from_one(lambda_))


def mpyH(H: Any, lambda_: Any, x: Any) -> Any:
    """``y = mpyH(H,lambda,x)``: see `spatial_v2.mpyH`."""
    return spatial_v2.mpyH(H, from_one(lambda_), x)


def mpyL(L: Any, lambda_: Any, x: Any) -> Any:
    """``y = mpyL(L,lambda,x)``: see `spatial_v2.mpyL`."""
    return spatial_v2.mpyL(L, from_one(lambda_), x)


def mpyLt(L: Any, lambda_: Any, x: Any) -> Any:
    """``y = mpyLt(L,lambda,x)``: see `spatial_v2.mpyLt`."""
    return spatial_v2.mpyLt(L, from_one(lambda_), x)


def mpyLi(L: Any, lambda_: Any, x: Any) -> Any:
    """``y = mpyLi(L,lambda,x)``: see `spatial_v2.mpyLi`."""
    return spatial_v2.mpyLi(L, from_one(lambda_), x)


def mpyLit(L: Any, lambda_: Any, x: Any) -> Any:
    """``y = mpyLit(L,lambda,x)``: see `spatial_v2.mpyLit`."""
    return spatial_v2.mpyLit(L, from_one(lambda_), x)


def expandLambda(lambda_: Any, nf: Any) -> np.ndarray:
    """``newLambda = expandLambda(lambda,nf)``: see `spatial_v2.expandLambda`."""
    return np.asarray(spatial_v2.expandLambda(from_one(lambda_), np.asarray(nf).reshape(-1)) + 1)
