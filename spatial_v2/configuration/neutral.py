"""The configuration with every joint at its origin, or with some joints elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_vector
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["neutral"]


def neutral(model: Model, joints: Mapping[Any, ArrayLike] | None = None) -> np.ndarray:
    """Return the configuration in which every joint transform is the identity.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    joints : mapping, optional
        Position variables of joints that are elsewhere, by the names or numbers of the joints:
        ``{"knee": 0.3}``.

    Returns
    -------
    numpy.ndarray, shape (NQ,)
        Zero angles and lengths, identity rotations and poses.

    Raises
    ------
    ModelError
        `joints` names no joint of the model.
    ArrayShapeError
        The number of position variables of a joint is another one.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> neutral(autoTree(2).replace(jtype=["S", "Rx"]))
    array([1., 0., 0., 0., 0.])
    >>> neutral(autoTree(3), {"joint1": 0.3})
    array([0. , 0.3, 0. ])
    """
    check_model(model)
    if joints is not None and not isinstance(joints, Mapping):
        raise SpatialError(f"joints: want a dict of positions by joint, got {joints!r}")
    q = model.layout.neutral()
    for name, x in (joints or {}).items():
        i = model.joint(name)
        q[model.qinds[i]] = as_vector(np.atleast_1d(x), f"joints[{name!r}]", model.nq[i])
    return q
