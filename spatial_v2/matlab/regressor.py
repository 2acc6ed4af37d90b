"""The function of MATLAB's folder ``regressor`` whose result has another shape."""

from __future__ import annotations

from typing import Any

import spatial_v2
from spatial_v2.model import Model

__all__ = ["RegressorHandG"]


def RegressorHandG(model: Model, q: Any) -> Any:
    """``[YH,Yg,YH_rotor,Yg_rot] = RegressorHandG(model,q)``, with ``YH a = H(:)``.

    See `spatial_v2.RegressorHandG`; YH is (NV^2, 10*NB), the columns of H one below the other.
    """
    Y = spatial_v2.RegressorHandG(model, q)
    YH, YH_rot = (x.reshape(model.NV**2, x.shape[-1], order="F") for x in (Y.YH, Y.YH_rot))
    return YH, Y.Yg, YH_rot, Y.Yg_rot
