"""MATLAB's ``showmotion``, whose configurations are columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

if TYPE_CHECKING:
    from spatial_v2.show import Animation

__all__ = ["showmotion"]


def showmotion(model: Model | str, t_data: Any = None, q_data: Any = None) -> Animation:
    """``showmotion(model,t_data,q_data)``: see `spatial_v2.showmotion`; q_data (NQ, N)."""
    from spatial_v2.show import showmotion as show

    if isinstance(model, str):
        raise SpatialError(
            "showmotion: MATLAB's saved animations are not read; in Python: "
            "showmotion(model, t, q).save('motion.html')"
        )
    if q_data is not None:
        q_data = np.asarray(q_data)
        q_data = q_data.reshape(q_data.shape[0], -1).T if q_data.ndim > 1 else q_data[:, None]
    return show(model, t_data, q_data)
