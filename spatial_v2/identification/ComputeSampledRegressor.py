"""ComputeSampledRegressor: regressors at many random states, stacked."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_generator
from spatial_v2.configuration import random_configuration
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.regressors import RegressorClassical, RegressorHandG

__all__ = ["ComputeSampledRegressor"]


def ComputeSampledRegressor(
    model: Model, samples: Any, use_HandG: bool = False, *, rng: np.random.Generator
) -> np.ndarray:
    """Stack regressors at random states, whose rank is the number of base parameters.

    MATLAB: ``ComputeSampledRegressor(model,samples,use_HandG)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree with any joints and rotors.
    samples : int
        Number of states.
    use_HandG : bool, optional
        If True, use `RegressorHandG`, for the columns of H and then the gravity vector, instead of
        `RegressorClassical`.
    rng : numpy.random.Generator
        Source of randomness. Configurations are those of `random_configuration`, velocities and
        accelerations are normally distributed; MATLAB's are uniform from 0 to 1.

    Returns
    -------
    array, shape (samples NV, n) or with `use_HandG` (samples NV (NV + 1), n)
        Columns of links, then of rotors.

    Raises
    ------
    SpatialError
        If `samples` is not a positive whole number.

    Examples
    --------
    >>> from spatial_v2 import puma560
    >>> Y = ComputeSampledRegressor(puma560(), 50, rng=np.random.default_rng(0))
    >>> Y.shape, int(np.linalg.matrix_rank(Y))
    ((300, 60), 36)
    """
    check_model(model)
    if not isinstance(samples, (int, np.integer)) or samples < 1:
        raise SpatialError(f"samples must be a positive whole number, got {samples!r}")
    q = random_configuration(model, as_generator(rng), (int(samples),))
    if use_HandG:
        YH, Yg, YH_rot, Yg_rot = RegressorHandG(model, q)
        H = np.concatenate([YH, YH_rot], -1).reshape(len(q), model.NV**2, -1)
        g = np.concatenate([Yg, Yg_rot], -1)
        Y = np.concatenate([H, g], axis=1)
    else:
        qd, qdd = rng.normal(size=(2, len(q), model.NV))
        Y = np.concatenate(RegressorClassical(model, q, qd, qdd), axis=-1)
    return Y.reshape(-1, Y.shape[-1])
