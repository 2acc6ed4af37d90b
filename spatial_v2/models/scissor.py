"""Two boxes hinged together, floating freely."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.floatbase import floatbase
from spatial_v2.spatial import mcI

__all__ = ["scissor"]


def scissor() -> Model:
    """Make a model of two floating slabs of 1 kg, hinged like a pair of scissors; no gravity.

    MATLAB: ``model = scissor``.

    Returns
    -------
    Model
        The six joints of `floatbase`, then the hinge, a joint Ry.

    Examples
    --------
    >>> scissor().jtype[6]
    'Ry'
    """
    Ic = np.diag([1.01, 1.04, 0.05]) / 12
    one = [
        "colour", [0.6, 0.3, 0.8],
        "box", [[-0.1, -0.1, -0.5], [0.1, 0.0, 0.5]],
        "cyl", [[0.0, -0.13, 0.0], [0.0, 0.13, 0.0]], 0.07,
    ]  # fmt: skip
    slabs = Model(
        name="scissor",
        parent=[-1, 0],
        jtype=["R", "Ry"],
        Xtree=np.tile(np.eye(6), (2, 1, 1)),
        I=[mcI(1.0, [0.0, y, 0.0], Ic) for y in (-0.05, 0.05)],
        gravity=[0.0, 0.0, 0.0],
        appearance={"body": [one, ["box", [[-0.1, 0.0, -0.5], [0.1, 0.1, 0.5]]]]},
        camera={"direction": [0.0, -3.0, 1.0], "zoom": 0.9},
    )
    return floatbase(slabs)
