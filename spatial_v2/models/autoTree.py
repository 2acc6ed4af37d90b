"""autoTree: generated trees for tests, as in MATLAB's library."""

from __future__ import annotations

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.models.links import (
    check_numbers,
    tree_link_drawing,
    tree_link_inertia,
    tree_parents,
)
from spatial_v2.spatial import rotx, xlt

__all__ = ["autoTree"]


def autoTree(nb: int, bf: float = 1, skew: float = 0, taper: float = 1) -> Model:
    """Generate a spatial tree of revolute joints, numbered breadth first.

    MATLAB: ``model = autoTree(nb,bf,skew,taper)``.

    Parameters
    ----------
    nb : int
        Number of bodies.
    bf : float, optional
        Branching factor, at least 1: the average number of children of a body. 1 generates a chain,
        1.5 a tree whose bodies have alternately one and two children.
    skew : float, optional
        Angle [rad] about x between successive joint axes; joint axes are z axes.
    taper : float, optional
        Ratio of a body's length to that of the body before it. Lengths are ``taper**i`` [m],
        masses ``taper**(3 i)`` [kg].

    Returns
    -------
    Model
        A tree of thin-walled tubes along x, with default gravity; only body 0 is connected to the
        base.

    Raises
    ------
    ModelError
        nb or bf below 1, or an argument that is no finite number.

    Examples
    --------
    >>> autoTree(8, 1.5).parent
    array([-1,  0,  1,  1,  2,  3,  3,  4])
    """
    check_numbers("autoTree", nb=nb, bf=bf, skew=skew, taper=taper)
    if nb < 1 or bf < 1 or nb != int(nb):
        raise ModelError(f"autoTree: want nb >= 1 bodies and bf >= 1, got nb = {nb}, bf = {bf}")
    nb = int(nb)
    parent = tree_parents(nb, bf)
    length = taper ** np.arange(nb)
    Xtree = np.stack(
        [np.eye(6)] + [rotx(skew) @ xlt([length[parent[i]], 0.0, 0.0]) for i in range(1, nb)]
    )
    return Model(
        name=f"autoTree({nb}, {bf:g}, {skew:g}, {taper:g})",
        parent=parent,
        jtype=["R"] * nb,
        Xtree=Xtree,
        I=np.stack([tree_link_inertia(taper ** (3 * i), length[i]) for i in range(nb)]),
        appearance={
            "base": ["box", [[-0.2, -0.3, -0.2], [0.2, 0.3, -0.06]]],
            "body": [tree_link_drawing(parent, i, taper) for i in range(nb)],
        },
    )
