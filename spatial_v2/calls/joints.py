"""Joint terms of a model for kernels."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.tree import NO_TERMS, Floats
from spatial_v2.model import Model
from spatial_v2.model.checks import double
from spatial_v2.model.fields import JOINT_TERMS

__all__ = ["joint_arrays"]


def joint_arrays(model: Model) -> tuple[Floats, ...]:
    """Return copies (NV,) of armature, damping, friction, stiffness and rest.

    They are empty if the model has none of them; those of springs are empty without stiffness. If
    it has some, the others are zeros.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> joint_arrays(autoTree(2).replace(damping=3))[:3]
    (array([0., 0.]), array([3., 3.]), array([0., 0.]))
    """
    if not model.has_joint_terms:
        return NO_TERMS
    terms, none = model._joint_terms(), np.zeros(model.NV)
    arrays = {name: double(np.array(terms.get(name, none))) for name in JOINT_TERMS}
    if model.stiffness is None:
        arrays.update(stiffness=np.empty(0), rest=np.empty(0))
    return tuple(arrays.values())
