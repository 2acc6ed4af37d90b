"""Random configurations."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays.checks import as_generator, as_lead
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["random_configuration"]


def random_configuration(
    model: Model, rng: np.random.Generator, shape: int | tuple[int, ...] = ()
) -> np.ndarray:
    """Draw random configurations, independently of each other; joint limits are ignored.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.

    Returns
    -------
    numpy.ndarray, shape (*shape, NQ)
        Angles and lengths uniform in [-pi, pi] [rad, m], rotations uniform (Haar measure),
        positions standard normal [m].

    Raises
    ------
    TypeError
        `rng` is not a generator.
    SpatialError
        `shape` is no shape of an array.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> random_configuration(autoTree(3), np.random.default_rng(1), (4, 2)).shape
    (4, 2, 3)
    """
    check_model(model)
    as_generator(rng)
    lead = as_lead("shape", shape)
    return np.concatenate([joint.group.random(rng, lead) for joint in model.layout.joints], axis=-1)
