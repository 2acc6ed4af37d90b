"""The configuration with every joint at its origin."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["neutral"]


def neutral(model: Model) -> np.ndarray:
    """Return the configuration in which every joint transform is the identity.

    Parameters
    ----------
    model : Model
        The rigid-body tree.

    Returns
    -------
    numpy.ndarray, shape (NQ,)
        Zero angles and lengths, identity rotations and poses.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> neutral(autoTree(2).replace(jtype=["S", "Rx"]))
    array([1., 0., 0., 0., 0.])
    """
    check_model(model)
    return np.concatenate([joint.group.neutral for joint in model.layout.joints])
