"""The independent variables of a mechanism, as those of a chain of massless bodies."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from spatial_v2.exceptions import InertiaWarning
from spatial_v2.model import Model

__all__ = ["space_of"]


def space_of(tree: Model, joints: Sequence[int]) -> Model:
    """Return a chain that has some joints of a tree, with their names and limits.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> space_of(autoTree(4), [1, 3]).joint_names
    ('joint1', 'joint3')
    """
    n, size = len(joints), tree.Xtree.shape[-1]
    names = [tree.joint_names[i] for i in joints]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        space = Model(
            parent=np.arange(n) - 1,
            jtype=[tree.jtype[i] for i in joints],
            Xtree=np.tile(np.eye(size), (n, 1, 1)),
            I=np.zeros((n, size, size)),
            name=tree.name,
            joint_names=names,
        )
    limits = {name: x for name, x in (tree.limits or {}).items() if name in names}
    space.limits = limits or None
    return space
