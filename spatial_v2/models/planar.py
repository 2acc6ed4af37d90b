"""A planar chain."""

from __future__ import annotations

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.models.links import check_numbers
from spatial_v2.spatial import mcI, plnr

__all__ = ["planar"]


def planar(n: int) -> Model:
    """Make a planar chain of n identical links with revolute joints, without gravity.

    MATLAB: ``model = planar(n)``.

    Parameters
    ----------
    n : int
        Number of links; each has length 1 m, mass 1 kg and is a thin rod along x.

    Returns
    -------
    Model
        A planar model (3x3 quantities). Gravity is zero; to change it, set ``model.gravity =
        [0, -9.81]``.

    Raises
    ------
    ModelError
        n below 1.

    Examples
    --------
    >>> planar(3).I[0].round(3)
    array([[0.333, 0.   , 0.5  ],
           [0.   , 1.   , 0.   ],
           [0.5  , 0.   , 1.   ]])
    """
    check_numbers("planar", n=n)
    if n < 1 or n != int(n):
        raise ModelError(f"planar: want n >= 1 links, got n = {n}")
    n = int(n)
    drawing = [
        "box", [[0.0, -0.07, -0.04], [1.0, 0.07, 0.04]],
        "cyl", [[0.0, 0.0, -0.07], [0.0, 0.0, 0.07]], 0.1,
    ]  # fmt: skip
    return Model(
        name=f"planar({n})",
        parent=np.arange(n) - 1,
        jtype=["r"] * n,
        Xtree=np.stack([plnr(0.0, [0.0 if i == 0 else 1.0, 0.0]) for i in range(n)]),
        I=np.stack([mcI(1.0, [0.5, 0.0], 1 / 12)] * n),
        appearance={
            "base": ["box", [[-0.2, -0.3, -0.2], [0.2, 0.3, -0.07]]],
            "body": [list(drawing) for _ in range(n)],
        },
    )
