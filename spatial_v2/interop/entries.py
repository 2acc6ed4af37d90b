"""Matrices for solvers: the map from dq/dt to qd, and the sparsity pattern of H."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, constant
from spatial_v2.interop.tangent import cotangent
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["branches", "velocity_map"]


def velocity_map(model: Model, q: Array) -> Array:
    """Compute the matrix T with ``qd = T(q) dq/dt`` for the NQ entries of q; see `tangent`.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Configurations; quaternions may have any nonzero norm.

    Returns
    -------
    array, shape (..., NV, NQ)
        The matrix T; it maps changes of a quaternion's norm to zero.

    Raises
    ------
    ArrayShapeError
        If q has the wrong shape.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["S", "Rx"])
    >>> velocity_map(model, [1, 0, 0, 0, 0.3])
    array([[0., 2., 0., 0., 0.],
           [0., 0., 2., 0., 0.],
           [0., 0., 0., 2., 0.],
           [0., 0., 0., 0., 1.]])
    """
    q = check_state(model, q=q)[0]
    return cotangent(model, *_each_freedom(model, q))


def branches(model: Model) -> np.ndarray:
    """Return the mask of pairs of velocity variables that lie on one path to the root.

    All other entries of the inertia matrix H and of the first derivatives of inverse dynamics are
    zero.

    Parameters
    ----------
    model : Model
        The rigid-body tree.

    Returns
    -------
    bool array, shape (NV, NV)
        The mask, which is symmetric.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> branches(autoTree(3, 2)).astype(int)
    array([[1, 1, 1],
           [1, 1, 0],
           [1, 0, 1]])
    """
    above = np.zeros((model.NV, model.NV), dtype=bool)
    for body, own in enumerate(model.vinds):
        above[own, model.ancestor_vinds[body]] = True
    return above | above.T


def _each_freedom(model: Model, q: Array) -> tuple[Array, Array]:
    """Return q repeated for each velocity variable, and the unit vectors of these variables."""
    one = constant(np.eye(model.NV), q)
    return q[..., None, :] + 0 * one[:, :1], one + 0 * q[..., :1, None]
