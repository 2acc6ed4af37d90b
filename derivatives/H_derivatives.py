"""Derivatives of the joint-space inertia matrix."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from derivatives.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant
from spatial_v2.calls.options import Options
from spatial_v2.engine.tensors.runs import MASS
from spatial_v2.model import Model

__all__ = ["H_derivatives"]


@accelerated("H_derivatives", "(q)->(v,v,v)", runs=MASS, joint_terms=True)
def H_derivatives(
    model: Model, q: Array, *, packed: bool = False, **options: Unpack[Options]
) -> Array:
    """Compute the derivatives of the joint-space inertia matrix with respect to q.

    MATLAB: ``dH = H_derivatives(model,q)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    packed : bool, optional
        If True, return a `PackedTensor`, which stores only entries that can be nonzero.

    Returns
    -------
    array, shape (..., NV, NV, NV)
        Entry [i, j, k] is the derivative of H_ij along velocity variable k.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    The result is the field `dM_dq` of `ID_SO_derivatives`. The kernel is O(N d^2).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> H_derivatives(autoTree(2), [0, np.pi / 2])[0, 0]
    array([ 0., -1.])
    """
    rest = constant(np.zeros(model.NV), q)
    return ID_SO_derivatives.reference(model, q, rest, rest).dM_dq
