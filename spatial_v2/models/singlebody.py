"""A box that floats freely."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.floatbase import floatbase
from spatial_v2.spatial import mcI

__all__ = ["singlebody"]


def singlebody() -> Model:
    """Make a floating box of 3 by 2 by 1 m and 1 kg with a vertex at its origin, without gravity.

    MATLAB: ``model = singlebody``.

    Returns
    -------
    Model
        The six joints of `floatbase`, and the box as the last body.

    Examples
    --------
    >>> singlebody().jtype
    ('Px', 'Py', 'Pz', 'Rx', 'Ry', 'Rz')
    """
    origin = [0.0, 0.0, 0.0]
    axes = [
        "colour", [0.9, 0.0, 0.0], "line", [origin, [2.0, 0.0, 0.0]],
        "colour", [0.0, 0.9, 0.0], "line", [origin, [0.0, 2.0, 0.0]],
        "colour", [0.0, 0.3, 0.9], "line", [origin, [0.0, 0.0, 2.0]],
    ]  # fmt: skip
    box = Model(
        name="singlebody",
        parent=[-1],
        jtype=["R"],
        Xtree=np.eye(6)[None],
        I=[mcI(1.0, [1.5, 1.0, 0.5], np.diag([5.0, 10.0, 13.0]) / 12)],
        gravity=[0.0, 0.0, 0.0],
        appearance={"base": axes, "body": [["box", [origin, [3.0, 2.0, 1.0]]]]},
    )
    return floatbase(box)
