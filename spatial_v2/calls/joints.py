"""Joint terms of a model for kernels, and arrays whose edits are detected."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.tree import NO_TERMS, Floats
from spatial_v2.model import Model
from spatial_v2.model.checks import double
from spatial_v2.model.joint_terms import JOINT_TERMS

__all__ = ["joint_arrays", "watched_arrays"]


def joint_arrays(model: Model) -> tuple[Floats, ...]:
    """Return copies (NV,) of armature, damping and friction; empty arrays if the model has none.

    If the model has one or two of the three, the others are zeros.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> joint_arrays(autoTree(2).replace(damping=3))
    (array([0., 0.]), array([3., 3.]), array([0., 0.]))
    """
    if not model.has_joint_terms:
        return NO_TERMS

    def make() -> tuple[Floats, ...]:
        given, none = model._joint_terms(), np.zeros(model.NV)
        return tuple(double(np.array(given.get(name, none))) for name in JOINT_TERMS)

    return model.checked().keep("joint_arrays", make)


def watched_arrays(model: Model) -> list[np.ndarray]:
    """Return the arrays of a model whose edits in place must be detected.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> [x.shape for x in watched_arrays(autoTree(2).replace(damping=3))]
    [(2,), (2, 6, 6), (2, 6, 6), (3,), (2,), (2,)]
    """
    arrays = [model.parent, model.Xtree, model.I, model.gravity, model.has_rotor]
    if model.has_rotors:
        arrays += [model.Xrotor, model.I_rotor, model.gr]
    return [*arrays, *model._joint_terms().values()]
