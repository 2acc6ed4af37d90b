"""Functions of MATLAB's folder ``spatial`` whose points are columns."""

from __future__ import annotations

from typing import Any

import spatial_v2
from spatial_v2.matlab.arguments import columns

__all__ = ["Fpt", "Vpt", "Xpt"]


def Xpt(X: Any, p: Any) -> Any:
    """``xp = Xpt(X,p)``: see `spatial_v2.Xpt`; points (3, n), planar (2, n)."""
    return columns(spatial_v2.Xpt(X, columns(p)))


def Vpt(v: Any, p: Any) -> Any:
    """``vp = Vpt(v,p)``: see `spatial_v2.Vpt`; points (3, n), planar (2, n)."""
    return columns(spatial_v2.Vpt(columns(v), columns(p)))


def Fpt(fp: Any, p: Any) -> Any:
    """``f = Fpt(fp,p)``: see `spatial_v2.Fpt`; forces and points (3, n), planar (2, n)."""
    return columns(spatial_v2.Fpt(columns(fp), columns(p)))
