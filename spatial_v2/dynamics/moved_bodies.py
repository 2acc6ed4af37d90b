"""List of the bodies that the joints of a tree move: links and geared rotors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.joints.table import JointTypeLike
from spatial_v2.model import Model
from spatial_v2.model.rotors import gear_ratio

__all__ = ["MovedBody", "moved_bodies"]


class MovedBody(NamedTuple):
    """A link or a geared rotor, as a body of the tree."""

    joint: int
    """Number of the joint that moves the body."""
    parent: int
    """Number of the parent body of this joint."""
    jtype: JointTypeLike
    """Joint type of the motion relative to the parent."""
    Xtree: Array
    """Transform from the parent to the body at zero joint displacement."""
    I: Array
    """Inertia of the body."""
    gear: Any
    """Displacement for a unit displacement of the joint: 1, or the gear ratio of a rotor."""


def moved_bodies(model: Model) -> tuple[list[MovedBody], list[list[int]]]:
    """Return all links and rotors, and for each joint the numbers of the bodies that it moves.

    The links come first, with their numbers in the model; joint i moves link i and its rotor.

    Examples
    --------
    >>> from spatial_v2.models import autoTree_rotor
    >>> bodies, moved = moved_bodies(autoTree_rotor(2))
    >>> moved, bodies[3].parent, bodies[3].gear
    ([[0, 2], [1, 3]], 0, 2.0)
    """
    parent = model.parent.tolist()
    bodies = [
        MovedBody(i, p, model.jtype[i], model.Xtree[i], model.I[i], 1) for i, p in enumerate(parent)
    ]
    moved = [[i] for i in range(model.NB)]
    for i in np.flatnonzero(model.has_rotor).tolist():
        moved[i].append(len(bodies))
        rotor = model.jtype_rotor[i], model.Xrotor[i], model.I_rotor[i], gear_ratio(model, i)
        bodies.append(MovedBody(i, parent[i], *rotor))
    return bodies, moved
