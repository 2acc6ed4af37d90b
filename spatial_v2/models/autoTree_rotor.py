"""Test trees with a geared rotor at every joint."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.autoTree import autoTree
from spatial_v2.spatial import inertia_parts, mcI, rotx, xlt

__all__ = ["autoTree_rotor"]


def autoTree_rotor(nb: int, bf: float = 1, skew: float = 0, taper: float = 1) -> Model:
    """Generate the tree of `autoTree` with a geared rotor at every joint.

    MATLAB: ``model = autoTree_rotor(nb,bf,skew,taper)``.

    Parameters
    ----------
    nb, bf, skew, taper : optional but for nb
        As in `autoTree`.

    Returns
    -------
    Model
        A tree with joints Rz. The rotor of joint i rotates about x with gear ratio i + 1. It has a
        third of the mass of body i and of its inertia about the centre of mass, and its frame is
        half a link away from the origin of the parent, rotated by half the skew angle.

    Raises
    ------
    ModelError
        nb or bf below 1, or an argument that is no finite number.

    Examples
    --------
    >>> autoTree_rotor(3).gr
    array([1., 2., 3.])
    """
    tree = autoTree(nb, bf, skew, taper)
    m, _, Ic = inertia_parts(tree.I)
    length = taper ** np.arange(tree.NB)
    place = [rotx(skew / 2) @ xlt([0.0, length[p] / 2, 0.0]) for p in tree.parent[1:]]
    return tree.replace(
        name=tree.name.replace("autoTree", "autoTree_rotor"),
        jtype=["Rz"] * tree.NB,
        has_rotor=np.ones(tree.NB, dtype=bool),
        jtype_rotor=["Rx"] * tree.NB,
        Xrotor=np.stack([np.eye(6), *place]),
        I_rotor=mcI(m / 3, np.zeros((tree.NB, 3)), Ic / 3),
        gr=np.arange(1.0, tree.NB + 1),
    )
