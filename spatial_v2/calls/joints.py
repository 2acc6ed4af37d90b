"""Joint terms of a model for kernels."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.tree import NO_TERMS, Floats
from spatial_v2.model import Model
from spatial_v2.model.checks import double
from spatial_v2.model.fields import JOINT_TERMS

__all__ = ["joint_arrays"]


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
    terms, none = model._joint_terms(), np.zeros(model.NV)
    return tuple(double(np.array(terms.get(name, none))) for name in JOINT_TERMS)
