"""Helpers of all regressors: selection of joint columns, and columns of links and rotors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.model import Model

__all__ = ["Regressor", "parted", "unit_rows"]


@shown_in_notebooks
class Regressor(NamedTuple):
    """A regressor of joint forces, with columns for the parameters of links and of rotors."""

    Y: Array
    """Columns 10 i to 10 i + 9 for the parameters of link i, shape (..., NV, 10*NB)."""
    Y_rot: Array
    """Ten columns for each rotor, in the order of their joints, shape (..., NV, 10*NB_rot)."""


def unit_rows(model: Model, like: Array) -> list[Array]:
    """Return for each joint the rows of the unit matrix (NV, NV) that belong to its variables.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> unit_rows(autoTree(2), np.zeros(2))[1]
    array([[0., 1.]])
    """
    one = np.eye(model.NV)
    return [constant(np.ascontiguousarray(one[inds]), like) for inds in model.vinds]


def parted(model: Model, blocks: Sequence[Array], axis: int = -1) -> tuple[Array, Array]:
    """Join blocks of ten columns, one per body, to one array for links and one for rotors.

    Examples
    --------
    >>> from spatial_v2.models import autoTree_rotor
    >>> links, rotors = parted(autoTree_rotor(2), 4 * [np.ones((2, 10))])
    >>> links.shape, rotors.shape
    ((2, 20), (2, 20))
    """
    xp = namespace(*blocks)
    whole = xp.concat(list(blocks), axis=axis)
    end = [slice(None)] * (-1 - axis)
    n = 10 * model.NB
    return whole[(..., slice(None, n), *end)], whole[(..., slice(n, None), *end)]
