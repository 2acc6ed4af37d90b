"""The size of a robot, with which rotations and translations are compared.

Decisions about rank add squares of entries of a Jacobian. For that a rotation by one radian has to
count as a distance: that at the robot's own length. So decisions do not depend on the unit of
length.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.model.model import Model
from spatial_v2.spatial import transform_parts

__all__ = ["distances", "lengths_of_positions", "own_length"]


def own_length(model: Model) -> float:
    """Return the longest distance between a joint and the next one, or the largest radius of
    gyration of a body about its joint; 1 if there is none.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> own_length(autoTree(3))
    1.0
    """

    def make() -> float:
        X, I = (np.asarray(x).real for x in (model.Xtree, model.I))
        n, half = (3, 0.5) if X.shape[-1] == 6 else (1, 1.0)
        r = np.linalg.norm(transform_parts(X).r[model.parent >= 0], axis=-1)
        square = half * np.trace(I[:, :n, :n], axis1=1, axis2=2)
        mass = I[:, -1, -1]
        solid = (mass > 0) & (square > 0)
        gyration = np.sqrt(square[solid] / mass[solid])
        return float(max(r.max(initial=0.0), gyration.max(initial=0.0)) or 1.0)

    return model.checked().keep("own length", make)


def distances(model: Model) -> np.ndarray:
    """Return for each velocity variable the distance (NV,) that a unit of it stands for: the
    robot's own length for a rotation, 1 for a translation.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> distances(autoTree(2, 1).replace(jtype=["Fb", "Rx"], Xtree=[np.eye(6)] * 2))[2:]
    array([0.57..., 1.  , 1.  , 1.  , 0.57...])
    """
    moves = np.concatenate([joint.displacements for joint in model.layout.joints])
    return np.where(moves, 1.0, own_length(model))


def lengths_of_positions(model: Model) -> np.ndarray:
    """Return for each position variable what it is compared with (NQ,): the robot's own length for
    a displacement, 1 for an angle or an entry of a rotation.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> lengths_of_positions(autoTree(2).replace(jtype=["Rx", "Px"], Xtree=[np.eye(6)] * 2))
    array([1.        , 0.57...])
    """
    sizes = np.ones(model.NQ)
    for joint, positions in zip(model.layout.joints, model.qinds, strict=True):
        sizes[positions][joint.lengths] = own_length(model)
    return sizes
