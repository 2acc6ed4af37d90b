"""Functions of MATLAB's folder ``orientation_tools`` with other results."""

from __future__ import annotations

from typing import Any

import numpy as np

import spatial_v2

__all__ = ["isEqual", "isEqualModSign", "rotToEulerAngles", "rotToFixedAngles", "rotToRpy"]

TOLERANCE = float(np.sqrt(np.finfo(float).eps) / 2)


def rotToRpy(R: Any) -> Any:
    """``[rpy1,rpy2] = rotToRpy(R)``: both solutions.

    The second has its pitch between -pi/2 and pi/2.
    """
    return spatial_v2.rotToFixedAngles(R, (1, 2, 3))


def isEqual(a: Any, b: Any, tol: float = TOLERANCE) -> bool:
    """``flag = isEqual(a,b,tol)``: True if all entries of a and b differ by less than tol."""
    return bool(np.all(np.abs(np.asarray(a) - np.asarray(b)) < tol))


def isEqualModSign(a: Any, b: Any, tol: float = TOLERANCE) -> bool:
    """``flag = isEqualModSign(a,b,tol)``: True if a equals b or -b."""
    return isEqual(a, b, tol) or isEqual(a, -np.asarray(b), tol)


def rotToEulerAngles(R: Any, seq: Any) -> Any:
    """``[angs1,angs2] = rotToEulerAngles(R,seq)``: see `spatial_v2.rotToEulerAngles`."""
    return spatial_v2.rotToEulerAngles(R, [int(k) for k in np.ravel(seq)])


def rotToFixedAngles(R: Any, seq: Any) -> Any:
    """``[angs1,angs2] = rotToFixedAngles(R,seq)``: see `spatial_v2.rotToFixedAngles`."""
    return spatial_v2.rotToFixedAngles(R, [int(k) for k in np.ravel(seq)])
