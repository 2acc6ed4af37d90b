"""Gradient of inverse dynamics contracted with a vector, at rest and without gravity."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from derivatives.modID_derivatives import modID_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.weightless import inertial
from spatial_v2.model import Model

__all__ = ["modID_derivatives_simple"]


@accelerated("modID_derivatives_simple", "(q),(v),(v)->(v)", joint_terms=True)
def modID_derivatives_simple(
    model: Model, q: Array, qdd: Array, lambda_: Array, **options: Unpack[Options]
) -> Array:
    """Compute the gradient along q of ``lambda . H(q) qdd``.

    To use several vectors lambda, pass them as the rows of an array; MATLAB expects them as
    columns. A square array is always read as rows.

    MATLAB: ``grad_q = modID_derivatives_simple(model,q,qdd,lambda)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; its gravity has no effect.
    q, qdd : array, shapes (..., NQ), (..., NV)
        Joint positions and accelerations [rad or m, per second^2].
    lambda_ : array, shape (..., NV)
        Weight of each joint force; one row for each vector lambda.

    Returns
    -------
    array, shape (..., NV)
        Derivatives along q.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> modID_derivatives_simple(autoTree(2), [0.1, 0.2], [1, 2], [1, -1]).round(3)
    array([ 0.   , -0.298])
    """
    rest = constant(np.zeros(model.NV), qdd)
    return modID_derivatives.reference(inertial(model), q, rest, qdd, lambda_).grad_q
