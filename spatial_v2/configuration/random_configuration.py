"""Random configurations."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays.checks import as_generator, as_lead
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["random_configuration"]


def random_configuration(
    model: Model,
    rng: np.random.Generator,
    shape: int | tuple[int, ...] = (),
    *,
    limits: bool = False,
) -> np.ndarray:
    """Draw random configurations, independently of each other.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    shape : int or tuple of int, optional
        Leading axes of the result.
    limits : bool, optional
        If True, variables with limits are uniform between `model.lower` and `model.upper`, those
        with one limit within 2 pi of it. By default the limits are ignored.

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
    >>> bar = autoTree(1).replace(limits={"joint0": (0.0, 0.1)})
    >>> q = random_configuration(bar, np.random.default_rng(1), 100, limits=True)
    >>> bool((q >= 0.0).all() and (q <= 0.1).all())
    True
    """
    check_model(model)
    as_generator(rng)
    lead = as_lead("shape", shape)
    q = np.concatenate([joint.group.random(rng, lead) for joint in model.layout.joints], axis=-1)
    return _within_limits(model, rng, q) if limits else q


def _within_limits(model: Model, rng: np.random.Generator, q: np.ndarray) -> np.ndarray:
    """Draw the variables that have limits anew."""
    low, high = model.lower, model.upper
    some = np.isfinite(low) | np.isfinite(high)
    lower = np.where(np.isfinite(low), low, high - 2 * np.pi)[some]
    upper = np.where(np.isfinite(high), high, low + 2 * np.pi)[some]
    q[..., some] = rng.uniform(lower, upper, (*q.shape[:-1], len(lower)))
    return q
