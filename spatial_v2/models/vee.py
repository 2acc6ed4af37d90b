"""Two rods in the shape of a V, floating freely."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.models.floatbase import floatbase
from spatial_v2.models.links import check_numbers
from spatial_v2.spatial import mcI, rotx, roty, rotz

__all__ = ["vee"]


def vee(L2: float = 1) -> Model:
    """Make a model of two floating rods that a revolute joint connects at their ends.

    MATLAB: ``model = vee(L2)``.

    Parameters
    ----------
    L2 : float, optional
        Length [m] and mass [kg] of the second rod; the first rod, along x, has 1 m and 1 kg.

    Returns
    -------
    Model
        The six joints of `floatbase`, then the joint R between the rods; no gravity.

    Raises
    ------
    ModelError
        `L2` is not positive.

    Notes
    -----
    The second rod is along the line y = z of its body, so that it moves on a cone about the joint
    axis. The two rods form a V, which closes and opens as the joint rotates.

    Examples
    --------
    >>> vee().jtype
    ('Px', 'Py', 'Pz', 'Rx', 'Ry', 'Rz', 'R')
    """
    check_numbers("vee", L2=L2)
    if not L2 > 0:
        raise ModelError(f"vee: want a positive length L2, got {L2!r}")
    thin, wide = 5e-5, 1.0003 / 12
    wide2 = L2 * (L2**2 + 0.0003) / 12
    X = rotx(np.pi / 4)
    rods = Model(
        name=f"vee({L2:g})",
        parent=[-1, 0],
        jtype=["R", "R"],
        Xtree=[np.eye(6), roty(np.pi / 2) @ rotz(np.pi / 4)],
        I=[
            mcI(1.0, [0.5, 0.0, 0.0], np.diag([thin, wide, wide])),
            X.T @ mcI(L2, [0.0, L2 / 2, 0.0], np.diag([wide2, thin * L2, wide2])) @ X,
        ],
        gravity=[0.0, 0.0, 0.0],
        appearance=_drawing(L2),
    )
    return floatbase(rods)


def _drawing(L2: float) -> dict[str, Any]:
    """Return drawings of the rods, their centres of mass, and reference lines in the base."""
    origin, s = [0.0, 0.0, 0.0], np.sqrt(0.5)
    base: list[Any] = [
        "line", [[1.1, 0.0, 0.0], origin, [0.0, 1.1, 0.0]],
        "line", [origin, [0.8, 0.8, 0.0]],
        "line", [[0.55, -0.05 * L2, 0.0], [-0.05, 0.55 * L2, 0.0]],
    ]  # fmt: skip
    red, orange = ["colour", [0.9, 0.0, 0.0]], ["colour", [0.9, 0.5, 0.0]]
    first: list[Any] = [
        "cyl", [origin, [1.0, 0.0, 0.0]], 0.01,
        "cyl", [[-0.02 * s, -0.02 * s, 0.0], [0.02 * s, 0.02 * s, 0.0]], 0.02,
        *red, "sphere", [0.5, 0.0, 0.0], 0.015,
    ]  # fmt: skip
    second: list[Any] = [
        "cyl", [origin, [0.0, L2 * s, L2 * s]], 0.01,
        "cyl", [[0.0, 0.0, 0.02], [0.0, 0.0, 0.06]], 0.02,
        *red, "sphere", [0.0, L2 / 2 * s, L2 / 2 * s], 0.015,
    ]  # fmt: skip
    if L2 != 1:
        r = (1 + L2**2) / (1 + L2) / 2
        first += [*orange, "sphere", [r, 0.0, 0.0], 0.015]
        second += [*orange, "sphere", [0.0, r * s, r * s], 0.015]
        centre = [0.5 / (1 + L2), L2**2 / 2 / (1 + L2), 0.0]
        base += [*orange, "sphere", centre, 0.015]
    return {"base": base, "body": [first, second]}
